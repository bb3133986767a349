import { existsSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sqliteStorage } from '@slipway/apiserver/storage/sqlite'
import {
  StorageDamagedError,
  StorageError,
  StorageFullError,
  StorageInUseError,
  StorageTooNewError,
  type Storage,
} from '@slipway/apiserver/storage/storage'
import { ApiError } from '@slipway/kube/status'
import { storedCredentials, writePrivate, type Credentials } from './credentials'
import { invocation } from './invocation'
import { StartError } from './start-error'
import { openSignInStore, type SignInStore } from './sign-in/store'

export interface DataFolder {
  storage: Storage
  credentials: Credentials
  signInStore: SignInStore
  /** Database of the archive, which is opened only if the archive is enabled. */
  archivePath: string
  /** Writes the kubeconfig and returns its path. */
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
 * Size of the changes from which watches resume after a restart, or after an absence of hours: with the archive and with
 * what is in the cluster, the data folder stays below 300 MB (docs/benchmarks.md).
 */
const historyBytes = 32 * 1024 * 1024

/**
 * Opens or initialises a data folder. The folder belongs to this process until the storage is closed.
 * @param fresh discard existing data; unrelated files stay
 * @throws StartError
 */
export async function openDataFolder(folder: string, { fresh }: { fresh: boolean }): Promise<DataFolder> {
  const at = (name: string) => join(folder, name)
  try {
    await createFolder(folder)
    await assertFiles(folder)
    if (fresh) {
      assertNotInUse(at('store.sqlite'))
      for (const name of [...storeFiles, ...otherFiles]) await rm(at(name), { force: true })
    }
    const storage = sqliteStorage(at('store.sqlite'), { historyBytes })
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

/** Avoids `recursive`, which never ends below a folder such as `/proc`, where nothing can be created. */
async function createFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (!existsSync(parent)) await createFolder(parent)
  await mkdir(folder, { mode: 0o700 })
}

/** @throws StartError if a folder has the name of one of our files */
async function assertFiles(folder: string): Promise<void> {
  for (const name of [...storeFiles, ...otherFiles]) {
    const found = await stat(join(folder, name)).catch(() => undefined) // A missing file is fine; other errors appear when it is opened.
    if (found?.isDirectory()) {
      throw new StartError(
        `${join(folder, name)} is a folder but must be a file. Move it away, or choose another data folder with --data.`,
      )
    }
  }
}

/** A damaged store may be discarded, but not one that is in use. */
function assertNotInUse(path: string): void {
  try {
    sqliteStorage(path).close()
  } catch (error) {
    if (error instanceof StorageInUseError || !(error instanceof StorageError)) throw error
  }
}

/** Adds what the user can do to storage errors; returns other errors unchanged. */
export function describeFolderError(folder: string, error: unknown): unknown {
  if (error instanceof StorageInUseError) {
    return new StartError(
      `The data folder ${folder} is already in use by another process. Stop that process, or choose another folder with --data.`,
    )
  }
  if (error instanceof StorageDamagedError) {
    return new StartError(
      `${error.message}\nTo list all damage: ${invocation} doctor ${folder}\nTo copy everything intact into a new folder: ${invocation} doctor ${folder} --salvage-to NEW_FOLDER\nTo discard the data, start with --fresh.`,
    )
  }
  if (error instanceof StorageFullError || error instanceof StorageTooNewError) return new StartError(error.message)
  // For example the API server's response to a write on a full disk.
  if (error instanceof ApiError && error.code === 507) {
    return new StartError(`There is no space left on the disk with ${folder}. Free some space and try again.`)
  }
  if (error instanceof StorageError) return new StartError(`${error.message} To discard the data, start with --fresh.`)
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? error.code : undefined
  const reason = typeof code === 'string' ? reasons[code] : undefined
  return reason ? new StartError(`The data folder ${folder} ${reason}. Choose another one with --data.`) : error
}

const reasons: Record<string, string> = {
  EACCES: 'is not writable by this account',
  EPERM: 'is not writable by this account',
  EROFS: 'is on a read-only file system',
  ENOENT: 'cannot be created',
  ENOTDIR: 'is not a folder',
  EEXIST: 'is not a folder',
  EISDIR: 'contains a folder in place of one of its files',
  ENOSPC: 'is on a full disk',
  EDQUOT: 'is on a disk where this account has reached its quota',
}
