import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A program to compare with, as a Go module. */
interface Build {
  module: string
  version: string
  /** Folder of its command. */
  command: string
  /** Edits of its go.mod, which may replace modules by folders that the module does not contain. */
  edits?: string[]
}

/** The newest available versions; the real deployment runs later ones of the first two. */
const builds = {
  'oauth2-proxy': { module: 'github.com/oauth2-proxy/oauth2-proxy/v7', version: 'v7.8.1', command: '.' },
  // This is v2.41.1, whose tag is not a valid version for Go.
  dex: {
    module: 'github.com/dexidp/dex',
    version: 'v0.0.0-20240807174518-43956db7fd75',
    command: './cmd/dex',
    edits: ['-dropreplace=github.com/dexidp/dex/api/v2', '-require=github.com/dexidp/dex/api/v2@v2.2.0'],
  },
  caddy: { module: 'github.com/caddyserver/caddy/v2', version: 'v2.11.4', command: './cmd/caddy' },
} satisfies Record<string, Build>
export type PeerName = keyof typeof builds
export const peerNames = Object.keys(builds) as PeerName[]

export interface Program {
  path: string
  /** Module and version, for the report. */
  version: string
}

const cache = new URL('../../../.cache/differential/', import.meta.url).pathname
const run = promisify(execFile)

/** The program at this path, or else one built with Go, once. */
export async function findProgram(name: PeerName, path: string | undefined): Promise<Program> {
  if (path !== undefined) return { path, version: await versionOf(name, path) }
  const { module, version, command, edits = [] }: Build = builds[name]
  const built = join(cache, `${name}-${version}`)
  const isThere = await stat(built).catch(() => undefined)
  if (!isThere) {
    console.log(`building ${module}@${version} …`)
    await build({ module, version, command, edits }, built).catch((cause: unknown) => {
      throw new Error(`Go could not build ${name}. Put go and a C compiler in the PATH, or pass --${name}.`, { cause })
    })
  }
  return { path: built, version: `${module}@${version}` }
}

/** `go install` rejects a module with replacements, so its source is copied and built. */
async function build({ module, version, command, edits = [] }: Build, target: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'differential-build-'))
  try {
    const { stdout } = await run('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: folder })
    // What `go mod download -json` prints.
    const { Dir } = JSON.parse(stdout) as { Dir: string }
    await cp(Dir, folder, { recursive: true })
    await makeWritable(folder)
    if (edits.length > 0) await run('go', ['mod', 'edit', ...edits], { cwd: folder })
    await mkdir(cache, { recursive: true })
    const env = { ...process.env, GOFLAGS: '-mod=mod' }
    await run('go', ['build', '-o', target, command], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Go stores modules read-only. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
}

async function versionOf(name: PeerName, path: string): Promise<string> {
  const { stdout } = await run('go', ['version', '-m', path]).catch(() => ({ stdout: '' }))
  const { module }: Build = builds[name]
  const line = stdout.split('\n').find((each) => each.includes(`\t${module}\t`))
  return `${module}@${line?.split('\t')[3] ?? '(unknown)'} at ${path}`
}

/** Whether this Caddy has the plugin of the real deployment that splits groups; stock Caddy does not. */
export async function hasImpersonate(caddy: string): Promise<boolean> {
  const { stdout } = await run(caddy, ['list-modules'])
  return stdout.includes('http.handlers.impersonate')
}
