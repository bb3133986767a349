import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { acknowledgedPath, openAcknowledged } from './acknowledged'
import { damagedError, describeError } from './describe-error'
import { StorageDamagedError } from './errors'
import { allowReturningSpace, createSpaceReturn, freeSpaceSetting } from './free-space'
import { defineFunctions, findReach, inspect, inspectTables, type DatabaseSchema, type Inspection } from './inspect'

/** A database in a file that this process owns. */
export interface DatabaseFile {
  database: DatabaseSyncInstance
  /**
   * Runs a function in a transaction. When this returns, everything is on disk and acknowledged; if it throws, nothing is.
   * @throws StorageFullError, StorageDamagedError, StorageError
   */
  transaction<T>(run: () => T): T
  /** Converts the error of a query to one that names the file. */
  describe(error: unknown): unknown
  close(): void
}

export interface DatabaseFileOptions {
  /** Maximum number of pages in the file; default: unlimited. */
  maxPages?: number
  /** Size of the page cache. */
  cacheKb: number
  /** Returns the last revision after a transaction, in a database with revisions. */
  revision?: () => number
}

/** The log may be larger during a large commit, and is truncated after the next checkpoint. */
const maxIdleLogBytes = 16 * 1024 * 1024

/**
 * Every commit waits for the disk, checkpoints included (docs/adr/0002-storage.md). On macOS, only a full sync makes the
 * disk empty its cache; other systems ignore the setting.
 */
const settings = `
  PRAGMA busy_timeout = 0;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = ${maxIdleLogBytes};
  ${freeSpaceSetting}
  PRAGMA fullfsync = ON;
`

/**
 * Opens a database file, or creates it: locks it, checks it and migrates it to the newest schema. Nothing is changed
 * unless all checks pass.
 * @param path `:memory:` for a database that ends with the process
 * @throws StorageInUseError, StorageDamagedError, StorageFullError
 * @throws StorageTooNewError if a newer version wrote it, StorageError if it cannot be read
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
    // The first write takes the lock, which is released when the process ends, however it ends.
    database.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT')
    isLocked = true
    return openWithCounters(database, path, schema, options)
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

/** Other files that SQLite creates inherit these permissions; those of an earlier process may have others. */
function makePrivate(path: string): void {
  if (!existsSync(dirname(path))) return // SQLite reports the error.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`, acknowledgedPath(path)]) {
    if (existsSync(file)) chmodSync(file, 0o600)
  }
}

function openWithCounters(
  database: DatabaseSyncInstance,
  path: string,
  { migrations }: DatabaseSchema,
  { revision = () => 0 }: DatabaseFileOptions,
): DatabaseFile {
  const isFile = path !== ':memory:'
  // Created before the schema version with counters: a database of that version without this file has lost it.
  const acknowledged = isFile ? openAcknowledged(path, { commits: 0, revision: 0 }) : undefined
  try {
    migrate(database, migrations)
    allowReturningSpace(database)
    const returnSpace = createSpaceReturn(database)
    const reach = findReach(database) ?? { commits: 0, revision: 0 }
    const count = database.prepare("UPDATE meta SET value = ? WHERE name = 'commits'")
    let { commits } = reach
    const acknowledge = (at: number) => {
      // The commit itself is stored. If the record cannot be written, it lags, which is allowed.
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
          returnSpace()
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
    // SQLite rolls back automatically after some failures; then there is nothing to roll back.
  }
}

/** Closing keeps the lock until the prepared statements are garbage-collected; in WAL mode it cannot be released. */
function closeDatabase(database: DatabaseSyncInstance): void {
  try {
    database.exec(`
      PRAGMA journal_mode = DELETE;
      PRAGMA locking_mode = NORMAL;
      SELECT count(*) FROM sqlite_schema;
    `)
  } catch {
    // For example on a full disk: the log stays and contains everything that was acknowledged.
  }
  database.close()
}
