// Builds programs from Go modules: no containers, and no downloads except from the Go module proxy.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ExitError } from './exit-error.mjs'
import { withProgress } from './progress.mjs'
import { inRepository } from './repository.mjs'
import { run } from './run.mjs'

/** Whether Go is installed. */
export const hasGo = async () => (await run(['go', 'version'], { quiet: true })).exitCode === 0

/** Where this project caches what clones can share. */
export const cacheFolder = () => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'slipway')

/**
 * Where programs are cached: outside the repository, so that clones share it and a new clone need not build for ten
 * minutes.
 * @param {string} name
 * @param {string[]} modules folders whose `go.mod` and `go.sum` decide what is built, relative to the repository
 */
export function programFolder(name, modules) {
  const hash = createHash('sha256')
  for (const module of modules) {
    for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(inRepository(module, file)))
  }
  return join(cacheFolder(), name, hash.digest('hex').slice(0, 16))
}

/** Environment of commands of Go, which must not change the module or download another Go. */
export const goEnvironment = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' }

/**
 * @typedef {object} Source
 * @property {string} module folder of the module that sets the versions, relative to the repository
 * @property {string} main package of the program
 * @property {string} [linkerFlags]
 */

/**
 * Builds a program, unless it exists.
 * @param {string} path of the program
 * @param {Source} source
 * @param {{ isInBackground?: boolean }} [options]
 */
export async function buildProgram(path, { module, main, linkerFlags = '-s -w' }, { isInBackground = false } = {}) {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  const program = basename(path)
  // Renamed once complete, so that an interrupted build leaves nothing that looks like a program.
  const unfinished = `${path}.${process.pid}`
  await withProgress(`Building ${program}`, async () => {
    const command = ['go', 'build', '-trimpath', '-ldflags', linkerFlags, '-o', unfinished, main]
    const { exitCode, output } = await run(command, {
      cwd: inRepository(module),
      env: goEnvironment,
      quiet: true,
      isInBackground,
    })
    if (exitCode === 0) return renameSync(unfinished, path)
    rmSync(unfinished, { force: true })
    throw new ExitError(`${program} could not be built (see above). Is the Go module proxy reachable?`, output)
  })
}
