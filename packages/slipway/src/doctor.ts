import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { examineStore, salvageStore } from '@slipway/apiserver/storage/sqlite-salvage'
import { StorageError, StorageInUseError } from '@slipway/apiserver/storage/storage'
import { examineArchive, salvageArchive } from '@slipway/archive/store/salvage'
import { parseJson } from '@slipway/kube/parse'
import { areComplete } from './credentials'
import { describeFolderError } from './data-folder'
import { examineArchives } from './doctor-archives'
import type { FlagsOf } from './flags'
import { invocation } from './invocation'
import { StartError } from './start-error'

interface Store {
  name: string
  examine: typeof examineStore
  salvage: typeof salvageStore
}
const stores: Store[] = [
  { name: 'store.sqlite', examine: examineStore, salvage: salvageStore },
  { name: 'archive.sqlite', examine: examineArchive, salvage: salvageArchive },
]

/** The other files: how to validate them, and the consequence of an invalid one. */
const files = [
  {
    name: 'credentials.json',
    isValid: areComplete,
    consequence:
      'new secrets are created at the next start: users must sign in again, copies of the kubeconfig stop working',
  },
  { name: 'sign-in.json', isValid: isJsonObject, consequence: 'users must sign in again after the next start' },
]

/**
 * Runs `slipway doctor`.
 * @returns the exit code: 0 if everything is intact, and each archive whose URL is given answers
 * @throws StartError with a message that says what to change
 */
export async function doctorCommand(
  flags: FlagsOf<'doctor'>,
  env: NodeJS.ProcessEnv,
  stdout: Pick<NodeJS.WritableStream, 'write'>,
): Promise<number> {
  const [given, ...others] = flags.positionals
  if (others.length > 0) throw new StartError('Only one folder can be checked at a time. See slipway doctor --help.')
  const archives = await examineArchives(flags)
  for (const { name, state, problems } of archives) stdout.write(lineOf(name, state, problems))
  const areAnswering = archives.every(({ problems }) => problems.length === 0)
  if (archives.length > 0 && given === undefined) return areAnswering ? 0 : 1
  const folder = resolve(given ?? (env.SLIPWAY_DATA || '.slipway'))
  const salvaged = flags.text('salvage-to')
  const salvageTo = salvaged === undefined ? undefined : resolve(salvaged)
  if (!(await isFolder(folder))) throw new StartError(`There is no folder ${folder}.`)
  if (salvageTo !== undefined) await assertNew(salvageTo)
  const temporary = await mkdtemp(join(tmpdir(), 'slipway-doctor-'))
  try {
    const isIntact = await report(folder, temporary, stdout)
    if (salvageTo !== undefined) await salvage(folder, salvageTo, stdout)
    else if (!isIntact) {
      stdout.write(
        `\nTo copy everything intact into a new folder:\n  ${invocation} doctor ${folder} --salvage-to NEW_FOLDER\n`,
      )
    }
    return isIntact && areAnswering ? 0 : 1
  } catch (error) {
    throw describeFolderError(folder, error)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

const lineOf = (name: string, state: string, problems: string[]): string =>
  [`  ${name.padEnd(18)}${state}`, ...problems.map((each) => `    - ${each}`)].join('\n') + '\n'

/** @returns whether everything is intact */
async function report(folder: string, temporary: string, stdout: Pick<NodeJS.WritableStream, 'write'>) {
  stdout.write(`${folder}\n`)
  let isIntact = true
  const line = (name: string, state: string, problems: string[] = []) => {
    if (problems.length > 0) isIntact = false
    stdout.write(lineOf(name, state, problems))
  }
  for (const { name, examine } of stores) {
    const path = join(folder, name)
    const isThere = [path, `${path}-wal`, `${path}-acknowledged`].some((part) => existsSync(part))
    if (!isThere) {
      line(name, 'missing: created by the next start that needs it')
      continue
    }
    try {
      const { problems, found } = examine(path, temporary)
      const reach = found?.revision ? `, revision ${found.revision}` : ''
      line(name, problems.length > 0 ? 'damaged' : `intact${reach}, ${await sizeOf(path)} MB`, problems)
    } catch (error) {
      if (error instanceof StorageInUseError || !(error instanceof StorageError)) throw error
      line(name, 'cannot be used', [error.message])
    }
  }
  for (const { name, isValid, consequence } of files) {
    const text = await textOf(join(folder, name))
    if (text === undefined) line(name, 'missing: created by the next start')
    else line(name, isValid(text) ? 'intact' : 'damaged', isValid(text) ? [] : [consequence])
  }
  const isMisplaced = await isFolder(join(folder, 'kubeconfig'))
  line('kubeconfig', isMisplaced ? 'a folder' : 'written at each start', isMisplaced ? ['it must be a file'] : [])
  return isIntact
}

async function salvage(folder: string, to: string, stdout: Pick<NodeJS.WritableStream, 'write'>): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  stdout.write(`\nCopied to ${to}\n`)
  for (const { name, salvage: copy } of stores) {
    if (!existsSync(join(folder, name))) continue
    try {
      const { copied, lost } = copy(join(folder, name), join(to, name), to)
      stdout.write([`  ${name.padEnd(18)}${copied}`, ...lost.map((each) => `    - ${each}`)].join('\n') + '\n')
    } catch (error) {
      if (!isUnreadable(error)) throw error
      for (const part of ['', '-wal', '-shm', '-journal', '-acknowledged'])
        await rm(join(to, name + part), { force: true })
      stdout.write(`  ${name.padEnd(18)}nothing: ${(error as Error).message}\n`)
    }
  }
  for (const { name, isValid } of files) {
    const text = await textOf(join(folder, name))
    if (text === undefined || !isValid(text)) continue
    await copyFile(join(folder, name), join(to, name))
    await chmod(join(to, name), 0o600)
    stdout.write(`  ${name.padEnd(18)}the file\n`)
  }
  stdout.write(`\nTo start with it:\n  ${invocation} --data ${to}\n`)
}

/** Whether no table of the store can be read. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'StorageError' || /no such (table|column)/.test(error.message))

async function assertNew(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new StartError(`${folder} is not a folder. Choose another one with --salvage-to.`)
  })
  if (found.length > 0) throw new StartError(`${folder} is not empty. Choose a new folder with --salvage-to.`)
}

/** Size of a store with its write-ahead log, in MB. */
async function sizeOf(path: string): Promise<string> {
  const parts = [path, `${path}-wal`].filter((part) => existsSync(part))
  const sizes = await Promise.all(parts.map(async (part) => (await stat(part)).size))
  return (sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2).toFixed(1)
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'EISDIR') return ''
    throw error
  })
}

function isJsonObject(text: string): boolean {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null
}
