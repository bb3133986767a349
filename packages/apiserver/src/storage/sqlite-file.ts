import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { StorageError, StorageInUseError } from './storage'

/**
 * `versions` holds every version that may still be asked for, in the order of the writes; `objects` points to the
 * newest version of each key that exists. Both change in one transaction, as does `meta`.
 */
const schema = `
  CREATE TABLE versions (
    revision INTEGER PRIMARY KEY,
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    value TEXT NOT NULL
  );
  CREATE INDEX versions_by_key ON versions (collection, key, revision);
  CREATE TABLE objects (
    collection TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (collection, key)
  );
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  INSERT INTO meta VALUES ('revision', 0), ('compacted', 0);
`
/** What leads from each version of the schema to the next. */
const migrations = [schema]
const schemaVersion = migrations.length

/** SQLite's result codes: https://sqlite.org/rescode.html */
const codes = { busy: 5, readOnly: 8, corrupt: 11, full: 13, cantOpen: 14, notADatabase: 26 }

/**
 * The database of a file, locked and with the present schema.
 * @throws StorageError when the file is in use, damaged, unreadable or of a newer version
 */
export function opened(path: string): DatabaseSyncInstance {
  let database: DatabaseSyncInstance | undefined
  try {
    const isInspected = existsSync(path) && inspectedUntouched(path)
    database = new DatabaseSync(path)
    database.exec(settings)
    if (!isInspected) inspect(database, path)
    // The lock is taken by the first write, and kept until the process ends, however it ends.
    database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT')
    migrate(database)
    return database
  } catch (error) {
    database?.close()
    throw explained(path, error)
  }
}

/** Every commit waits for the disk, checkpoints included (docs/adr/0002-storage.md). */
const settings = `
  PRAGMA busy_timeout = 0;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -16384;
`

/**
 * Looks at the file through a connection that cannot write: closing one that could would move the log into a file that
 * is damaged. `false` when SQLite must first undo a write that was cut short, for which it needs to write.
 */
function inspectedUntouched(path: string): boolean {
  assertLogReadable(path)
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    inspect(database, path)
    return true
  } catch (error) {
    if (error instanceof Error && resultCode(error) === codes.readOnly) return false
    throw error
  } finally {
    database.close()
  }
}

/** @throws StorageError when the file is damaged or of a newer version */
function inspect(database: DatabaseSyncInstance, path: string) {
  const found = { version: 0, check: '' }
  database.function('found', (version: unknown, check: unknown) => {
    found.version = Number(version)
    // Of all that is wrong the first is told, below a heading.
    found.check =
      String(check)
        .replace(/^\*\*\* .*\n/, '')
        .split('\n', 1)[0] ?? ''
    return null
  })
  // A prepared statement would keep the lock of the connection until it is collected as garbage.
  database.exec('SELECT found(user_version, quick_check) FROM pragma_user_version, pragma_quick_check LIMIT 1')
  if (found.check !== 'ok') throw new StorageError(damaged(path, found.check))
  if (found.version > schemaVersion) {
    throw new StorageError(
      `${path} was written by a newer version of this program (schema ${found.version}, known is ${schemaVersion}). Update the program, or start with another data folder.`,
    )
  }
}

/**
 * SQLite takes a log with a strange header for an old one, and goes on without what is in it. Zeros are what a power
 * cut may leave of a log that was only begun. Source: https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
function assertLogReadable(path: string) {
  const log = `${path}-wal`
  if (!existsSync(log)) return
  const file = openSync(log, 'r')
  const header = Buffer.alloc(4)
  const length = readSync(file, header, 0, 4, 0)
  closeSync(file)
  if (length === 4 && ![0, 0x377f0682, 0x377f0683].includes(header.readUInt32BE())) {
    throw new StorageError(damaged(log, 'its header is none of a log'))
  }
}

function migrate(database: DatabaseSyncInstance) {
  const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  migrations.slice(found).forEach((statements, index) => {
    database.exec(`BEGIN IMMEDIATE; ${statements} PRAGMA user_version = ${found + index + 1}; COMMIT`)
  })
}

/** Closing alone keeps the lock until the prepared statements are collected as garbage; a WAL cannot be unlocked. */
export function letGo(database: DatabaseSyncInstance) {
  database.exec(`
    PRAGMA journal_mode = DELETE;
    PRAGMA locking_mode = NORMAL;
    SELECT count(*) FROM sqlite_schema;
  `)
  database.close()
}

const damaged = (path: string, detail: string): string =>
  `The data in ${path} is damaged (${detail}). Nothing has been changed: put back a copy of the file, or move it away to start with an empty cluster.`

/** The error with what to do about it. */
export function explained(path: string, error: unknown): unknown {
  if (error instanceof StorageError || !(error instanceof Error)) return error
  const code = resultCode(error)
  const message = messageOf(path, code, error.message)
  if (message === undefined) return error
  return new (code === codes.busy ? StorageInUseError : StorageError)(message, { cause: error })
}

function messageOf(path: string, code: number, detail: string): string | undefined {
  if (code === codes.busy) return `data folder already in use: ${path} is open in another process. Stop it first.`
  if (code === codes.corrupt || code === codes.notADatabase) return damaged(path, detail)
  if (code === codes.full) return `There is no space left to write ${path}. Free some and try again.`
  if (code === codes.cantOpen)
    return `${path} cannot be opened (${detail}). Check that its folder exists and is writable.`
  return undefined
}

/** Primary result code; the extended ones carry it in their lowest byte. */
function resultCode(error: Error): number {
  const { errcode, sqliteCode } = error as { errcode?: unknown; sqliteCode?: unknown }
  const code = typeof errcode === 'number' ? errcode : sqliteCode
  return typeof code === 'number' ? code & 0xff : 0
}
