import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { acknowledgedPath, openAcknowledged } from './acknowledged'
import { damagedError, describeError } from './describe-error'
import { StorageDamagedError } from './errors'
import { defineFunctions, findReach, inspect, inspectTables, type DatabaseSchema, type Inspection } from './inspect'

/** A database in a file, of which this process is the owner. */
export interface DatabaseFile {
  database: DatabaseSyncInstance
  /**
   * Runs a function in a transaction: all of it is on the disk and acknowledged when this returns, or nothing.
   * @throws StorageFullError, StorageDamagedError, StorageError
   */
  transaction<T>(run: () => T): T
  /** The error of a query as one that names the file. */
  describe(error: unknown): unknown
  close(): void
}

export interface DatabaseFileOptions {
  /** How many pages the file may have; as many as the disk has room for without it. */
  maxPages?: number
  /** Pages are cached up to this size. */
  cacheKb: number
  /** Last revision after a transaction, in a database that has revisions. */
  revision?: () => number
}

/** Every commit waits for the disk, checkpoints included (docs/adr/0002-storage.md). */
const settings = `
  PRAGMA busy_timeout = 0;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA synchronous = FULL;
`

/**
 * Opens the database of a file, which is created when it is not there: locked, checked and with the newest schema.
 * Nothing is changed unless all checks pass.
 * @param path `:memory:` for a database that ends with the process
 * @throws StorageInUseError, StorageDamagedError, StorageFullError
 * @throws StorageError when it cannot be read, or is of a newer version
 */
export function openDatabaseFile(path: string, schema: DatabaseSchema, options: DatabaseFileOptions): DatabaseFile {
  const isFile = path !== ':memory:'
  let database: DatabaseSyncInstance | undefined
  let isLocked = false
  try {
    const inspection = isFile ? inspect(path, schema) : undefined
    if (inspection) assertSound(path, inspection)
    if (isFile) makePrivate(path)
    database = new DatabaseSync(path)
    database.exec(`${settings} PRAGMA cache_size = -${options.cacheKb};`)
    if (options.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${options.maxPages}`)
    if (isFile && !inspection) assertSound(path, inspectTables(database, path, schema))
    defineFunctions(database)
    // The lock is taken by the first write, and kept until the process ends, however it ends.
    database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT')
    isLocked = true
    return counted(database, path, schema, options)
  } catch (error) {
    if (database && isLocked) closeDatabase(database)
    else database?.close()
    throw withRemedy(describeError(path, error))
  }
}

const withRemedy = (error: unknown): unknown =>
  error instanceof StorageDamagedError
    ? new StorageDamagedError(
        `${error.message} Nothing has been changed: put back a copy of the whole folder, or move it away to start with an empty one.`,
        error.problems,
        { cause: error.cause },
      )
    : error

function assertSound(path: string, { problems }: Inspection): void {
  if (problems.length > 0) throw damagedError(path, problems)
}

/** The files that SQLite makes take after this one. */
function makePrivate(path: string): void {
  if (!existsSync(dirname(path))) return // SQLite says so.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  if (existsSync(acknowledgedPath(path))) chmodSync(acknowledgedPath(path), 0o600)
}

function counted(
  database: DatabaseSyncInstance,
  path: string,
  { migrations }: DatabaseSchema,
  { revision = () => 0 }: DatabaseFileOptions,
): DatabaseFile {
  const isFile = path !== ':memory:'
  // It is there before the version that counts: whoever finds the one without the other knows that it was lost.
  const acknowledged = isFile ? openAcknowledged(path, { commits: 0, revision: 0 }) : undefined
  try {
    migrate(database, migrations)
    const reach = findReach(database) ?? { commits: 0, revision: 0 }
    const count = database.prepare("UPDATE meta SET value = ? WHERE name = 'commits'")
    let { commits } = reach
    const acknowledge = (at: number) => {
      // The write is stored. A record that cannot be written lags, which it may.
      try {
        acknowledged?.write({ commits, revision: at })
      } catch {
        return
      }
    }
    acknowledge(reach.revision)
    return {
      database,
      transaction(run) {
        try {
          database.exec('BEGIN IMMEDIATE')
          const result = run()
          count.run(commits + 1)
          database.exec('COMMIT')
          commits++
          acknowledge(revision())
          return result
        } catch (error) {
          rollBack(database)
          throw describeError(path, error)
        }
      },
      describe: (error) => describeError(path, error),
      close() {
        closeDatabase(database)
        acknowledged?.close()
      },
    }
  } catch (error) {
    acknowledged?.close()
    throw error
  }
}

function migrate(database: DatabaseSyncInstance, migrations: DatabaseSchema['migrations']): void {
  const { user_version: found } = database.prepare('PRAGMA user_version').get() as { user_version: number } // One row.
  migrations.slice(found).forEach(({ sql }, index) => {
    try {
      database.exec(`BEGIN IMMEDIATE; ${sql} PRAGMA user_version = ${found + index + 1}; COMMIT`)
    } catch (error) {
      rollBack(database)
      throw error
    }
  })
}

function rollBack(database: DatabaseSyncInstance): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite rolls back by itself after some failures; there is nothing left to roll back then.
  }
}

/** Closing alone keeps the lock until the prepared statements are collected as garbage; a WAL cannot be unlocked. */
function closeDatabase(database: DatabaseSyncInstance): void {
  try {
    database.exec(`
      PRAGMA journal_mode = DELETE;
      PRAGMA locking_mode = NORMAL;
      SELECT count(*) FROM sqlite_schema;
    `)
  } catch {
    // Such as on a full disk: the log stays, with all that was acknowledged in it.
  }
  database.close()
}
