import { existsSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { RE2JS } from 're2js'

/**
 * `objects` holds each object once, in its last known state. What a page needs in order to find its rows is in narrow
 * indexes beside it: `scope` is a kind in a namespace, and `object_labels` repeats the time of creation, so that the
 * newest objects with a label are read in their order. The JSON comes last in its row: what is before it is read
 * without it.
 */
const schema = `
  CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    "group" TEXT NOT NULL,
    version TEXT NOT NULL,
    kind TEXT NOT NULL,
    plural TEXT NOT NULL,
    namespace TEXT NOT NULL,
    UNIQUE ("group", version, plural, namespace)
  );
  CREATE TABLE objects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes,
    name TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    version INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    owner TEXT NOT NULL,
    result TEXT NOT NULL,
    json TEXT NOT NULL
  );
  CREATE INDEX objects_by_creation ON objects (scope, created, id);
  CREATE INDEX objects_by_update ON objects (scope, updated, id);
  CREATE INDEX objects_by_name ON objects (scope, name, created, id);
  CREATE INDEX objects_by_owner ON objects (owner, settled);
  CREATE INDEX objects_by_result ON objects (result, scope, created, id);
  CREATE INDEX objects_unsettled ON objects (scope) WHERE settled = 0 AND deleted = 0;
  CREATE INDEX objects_deleted ON objects (updated) WHERE deleted = 1;
  CREATE TABLE labels (id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (key, value));
  CREATE TABLE object_labels (
    label INTEGER NOT NULL,
    scope INTEGER NOT NULL,
    created INTEGER NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (label, scope, created, id)
  ) WITHOUT ROWID;
  CREATE TABLE logs (
    pod TEXT NOT NULL,
    position INTEGER NOT NULL,
    container TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (pod, position, sequence)
  );
`
/** What leads from each version of the schema to the next. */
const migrations = [schema]

const settings = `
  PRAGMA busy_timeout = 0;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -4096;
  BEGIN IMMEDIATE; COMMIT;
`

/** Of an archive that cannot be opened or written: the message says what to do about it. */
export class ArchiveStoreError extends Error {}

/**
 * @param path of the file, which is made when it is not there; `:memory:` for one that ends with the process
 * @throws ArchiveStoreError when another process has it open, or a newer version of this program has written it
 */
export function openDatabase(path: string): DatabaseSyncInstance {
  const isNew = path === ':memory:' || !existsSync(path)
  let database: DatabaseSyncInstance | undefined
  try {
    database = new DatabaseSync(path)
    database.exec(settings)
    migrate(database, path)
    addFunctions(database)
    return database
  } catch (error) {
    database?.close()
    if (error instanceof ArchiveStoreError) throw error
    const detail = error instanceof Error ? error.message : String(error)
    const advice = isNew ? 'Check that its folder exists and is writable.' : 'Is it open in another process?'
    throw new ArchiveStoreError(`The archive ${path} cannot be opened (${detail}). ${advice}`, { cause: error })
  }
}

function migrate(database: DatabaseSyncInstance, path: string) {
  let found = 0
  // A prepared statement would keep the lock of the connection until it is collected as garbage.
  database.function('found', (version: unknown) => {
    found = Number(version)
    return null
  })
  database.exec('SELECT found(user_version) FROM pragma_user_version')
  if (found > migrations.length) {
    throw new ArchiveStoreError(
      `The archive ${path} was written by a newer version of this program (schema ${found}, known is ${migrations.length}).`,
    )
  }
  migrations.slice(found).forEach((statements, index) => {
    database.exec(`BEGIN IMMEDIATE; ${statements} PRAGMA user_version = ${found + index + 1}; COMMIT`)
  })
}

/** What filters need and SQLite has not: each answers NULL for what it cannot read. */
function addFunctions(database: DatabaseSyncInstance) {
  const patterns = new Map<string, RE2JS>()
  database.function('number_of', { deterministic: true }, (value: unknown) => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && !Number.isNaN(number) ? number : null
  })
  database.function('ms_of', { deterministic: true }, (value: unknown) => {
    const ms = typeof value === 'string' ? Date.parse(value) : NaN
    return Number.isNaN(ms) ? null : ms
  })
  // Patterns come from users: RE2 takes linear time.
  database.function('matches', { deterministic: true }, (text: unknown, pattern: unknown) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return null
    if (patterns.size > 100) patterns.clear()
    const compiled = patterns.get(pattern) ?? RE2JS.compile(pattern)
    patterns.set(pattern, compiled)
    return compiled.matcher(text).find() ? 1 : 0
  })
}

/** Closing alone keeps the lock until the prepared statements are collected as garbage; a WAL cannot be unlocked. */
export function closeDatabase(database: DatabaseSyncInstance): void {
  database.exec(`
    PRAGMA journal_mode = DELETE;
    PRAGMA locking_mode = NORMAL;
    SELECT count(*) FROM sqlite_schema;
  `)
  database.close()
}

/** All or nothing. */
export function inTransaction<T>(database: DatabaseSyncInstance, run: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = run()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
