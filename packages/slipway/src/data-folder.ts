import { existsSync } from 'node:fs'
import { chmod, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sqliteStorage } from '@slipway/apiserver/storage/sqlite'
import { StorageError, StorageInUseError, type Storage } from '@slipway/apiserver/storage/storage'
import { storedCredentials, writePrivate, type Credentials } from './credentials'
import { StartFailure } from './failure'
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

const storeFiles = ['store.sqlite', 'archive.sqlite'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
const otherFiles = ['credentials.json', 'kubeconfig', 'sign-in.json']

/**
 * Opens what is kept in a folder, or begins there. The folder belongs to this process until the storage is closed.
 * @param fresh forget what is there; files that are not ours stay
 * @throws StartFailure
 */
export async function openDataFolder(folder: string, { fresh }: { fresh: boolean }): Promise<DataFolder> {
  const at = (name: string) => join(folder, name)
  try {
    await makeFolder(folder)
    if (fresh) {
      assertNotInUse(at('store.sqlite'))
      for (const name of [...storeFiles, ...otherFiles]) await rm(at(name), { force: true })
    }
    for (const name of ['store.sqlite', 'archive.sqlite']) await makePrivate(at(name))
    const storage = sqliteStorage(at('store.sqlite'))
    try {
      return {
        storage,
        credentials: await storedCredentials(at('credentials.json')),
        signInStore: await openSignInStore({ path: at('sign-in.json') }),
        archivePath: at('archive.sqlite'),
        async writeKubeconfig(text) {
          await writePrivate(at('kubeconfig'), text)
          return at('kubeconfig')
        },
      }
    } catch (error) {
      storage.close()
      throw error
    }
  } catch (error) {
    throw explained(folder, error)
  }
}

/** Not by `recursive`, which never ends below a folder like `/proc`, where nothing can be made. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (!existsSync(parent)) await makeFolder(parent)
  await mkdir(folder, { mode: 0o700 })
}

/** Keeps secrets from others even in a folder that they may read; SQLite's other files take after this one. */
async function makePrivate(path: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  await file.close()
  await chmod(path, 0o600)
}

/** A store that is damaged may be forgotten; one that somebody works with may not. */
function assertNotInUse(path: string): void {
  try {
    sqliteStorage(path).close()
  } catch (error) {
    if (error instanceof StorageInUseError || !(error instanceof StorageError)) throw error
  }
}

/** What a person can do about it, in one sentence. */
function explained(folder: string, error: unknown): unknown {
  if (error instanceof StorageInUseError) {
    return new StartFailure(
      `The data folder ${folder} is already in use by another process; stop that one or choose another folder with --data.`,
    )
  }
  if (error instanceof StorageError)
    return new StartFailure(`${error.message} To forget what is there, start with --fresh.`)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason = typeof code === 'string' ? reasons[code] : undefined
  return reason ? new StartFailure(`The data folder ${folder} ${reason}; choose another one with --data.`) : error
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
}
