import { existsSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sqliteStorage } from '@slipway/apiserver/storage/sqlite'
import {
  StorageDamagedError,
  StorageError,
  StorageFullError,
  StorageInUseError,
  type Storage,
} from '@slipway/apiserver/storage/storage'
import { ApiError } from '@slipway/kube/status'
import { storedCredentials, writePrivate, type Credentials } from './credentials'
import { StartError } from './start-error'
import { openSignInStore, type SignInStore } from './sign-in/store'

export interface DataFolder {
  storage: Storage
  credentials: Credentials
  signInStore: SignInStore
  /** Of the archive, which is opened only where there is one. */
  archivePath: string
  /** Writes the kubeconfig and answers where. */
  writeKubeconfig(text: string): Promise<string>
}

const storeFiles = ['store.sqlite', 'archive.sqlite'].flatMap((name) => [
  name,
  `${name}-wal`,
  `${name}-shm`,
  `${name}-acknowledged`,
])
const otherFiles = ['credentials.json', 'kubeconfig', 'sign-in.json']

/**
 * Opens what is kept in a folder, or begins there. The folder belongs to this process until the storage is closed.
 * @param fresh forget what is there; files that are not ours stay
 * @throws StartError
 */
export async function openDataFolder(folder: string, { fresh }: { fresh: boolean }): Promise<DataFolder> {
  const at = (name: string) => join(folder, name)
  try {
    await makeFolder(folder)
    await assertFiles(folder)
    if (fresh) {
      assertNotInUse(at('store.sqlite'))
      for (const name of [...storeFiles, ...otherFiles]) await rm(at(name), { force: true })
    }
    const storage = sqliteStorage(at('store.sqlite'))
    try {
      return {
        storage,
        credentials: await storedCredentials(at('credentials.json')),
        signInStore: await openSignInStore({ path: at('sign-in.json') }),
        archivePath: at('archive.sqlite'),
        async writeKubeconfig(text) {
          await writePrivate(at('kubeconfig'), text).catch((error: unknown) => {
            throw describeFolderError(folder, error)
          })
          return at('kubeconfig')
        },
      }
    } catch (error) {
      storage.close()
      throw error
    }
  } catch (error) {
    throw describeFolderError(folder, error)
  }
}

/** Not by `recursive`, which never ends below a folder like `/proc`, where nothing can be made. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (!existsSync(parent)) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 })
}

/** @throws StartError when a folder has the name of one of our files */
async function assertFiles(folder: string): Promise<void> {
  for (const name of [...storeFiles, ...otherFiles]) {
    const found = await stat(join(folder, name)).catch(() => undefined) // It is opened later, if it is there at all.
    if (found?.isDirectory()) {
      throw new StartError(
        `${join(folder, name)} is a folder, and must be a file; move it away, or choose another data folder with --data.`,
      )
    }
  }
}

/** A store that is damaged may be forgotten; one that somebody works with may not. */
function assertNotInUse(path: string): void {
  try {
    sqliteStorage(path).close()
  } catch (error) {
    if (error instanceof StorageInUseError || !(error instanceof StorageError)) throw error
  }
}

/** The error with what a person can do about it; one of another origin is returned as it is. */
export function describeFolderError(folder: string, error: unknown): unknown {
  if (error instanceof StorageInUseError) {
    return new StartError(
      `The data folder ${folder} is already in use by another process; stop that one or choose another folder with --data.`,
    )
  }
  if (error instanceof StorageDamagedError) {
    return new StartError(
      `${error.message}\nTo see all that is wrong: npm start -- doctor ${folder}\nTo copy all that is sound into a new folder: npm start -- doctor ${folder} --salvage-to NEW_FOLDER\nTo forget what is there, start with --fresh.`,
    )
  }
  if (error instanceof StorageFullError) return new StartError(error.message)
  // Such as that of the API server, which answers a write on a full disk.
  if (error instanceof ApiError && error.code === 507) return new StartError(error.message)
  if (error instanceof StorageError)
    return new StartError(`${error.message} To forget what is there, start with --fresh.`)
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? error.code : undefined
  const reason = typeof code === 'string' ? reasons[code] : undefined
  return reason ? new StartError(`The data folder ${folder} ${reason}; choose another one with --data.`) : error
}

const reasons: Record<string, string> = {
  EACCES: 'is not writable for this account',
  EPERM: 'is not writable for this account',
  EROFS: 'is on a read-only file system',
  ENOENT: 'cannot be made there',
  ENOTDIR: 'is not a folder',
  EEXIST: 'is not a folder',
  EISDIR: 'has a folder where one of its files belongs',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk on which this account may use no more space',
}
