import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { openDatabaseFile, type DatabaseFile } from '@slipway/sqlite/database-file'
import type { DatabaseSchema } from '@slipway/sqlite/inspect'
import { RE2JS } from 're2js'

/**
 * `objects` contains each object once, in its last known state. Narrow indexes find the rows of a page: `scope` is a
 * kind in a namespace, and `object_labels` repeats the creation time, so that the newest objects with a label are read
 * in order. The JSON is the last column, so that the columns before it can be read without it.
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
/** The columns that an object's checksum covers: all except those that change independently or are in indexes. */
export const objectChecksum = (version: string, owner: string, result: string, json: string): string =>
  `row_checksum(uid, scope, name, created, ${version}, ${owner}, ${result}, ${json})`
export const storedChecksum = objectChecksum('version', 'owner', 'result', 'json')
const logChecksum = 'row_checksum(pod, position, container, sequence, bytes)'

const checksums = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  INSERT INTO meta VALUES ('commits', 1);
  ALTER TABLE objects ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE logs ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
  UPDATE objects SET checksum = ${storedChecksum};
  UPDATE logs SET checksum = ${logChecksum};
`

export const databaseSchema: DatabaseSchema = {
  migrations: [
    { sql: schema },
    {
      // Rows damaged before checksums existed must not get one.
      checks: [
        "SELECT 'the object ' || name || ' (' || uid || ') is not valid JSON' AS problem FROM objects WHERE NOT json_valid(json)",
      ],
      sql: checksums,
    },
  ],
  checks: [
    `SELECT 'the object ' || name || ' (' || uid || ') is damaged' AS problem FROM objects WHERE checksum <> ${storedChecksum}`,
    `SELECT 'the object ' || name || ' (' || uid || ') has lost its kind' AS problem FROM objects
      WHERE scope NOT IN (SELECT id FROM scopes)`,
    `SELECT 'chunk ' || sequence || ' of the log of ' || container || ' in pod ' || pod || ' is damaged' AS problem FROM logs
      WHERE checksum <> ${logChecksum}`,
  ],
}

/**
 * @param path path of the file, which is created if missing; `:memory:` for a temporary database
 * @throws StorageError or a subclass, with the reason
 */
export function openDatabase(path: string, options: { maxPages?: number } = {}): DatabaseFile {
  const file = openDatabaseFile(path, databaseSchema, { cacheKb: 4096, ...options })
  addFunctions(file.database)
  return file
}

/** Functions for filters that SQLite lacks; each returns NULL for invalid input. */
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
  // Patterns come from users, so they need RE2's linear time.
  database.function('matches', { deterministic: true }, (text: unknown, pattern: unknown) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return null
    if (patterns.size > 100) patterns.clear()
    const compiled = patterns.get(pattern) ?? RE2JS.compile(pattern)
    patterns.set(pattern, compiled)
    return compiled.matcher(text).find() ? 1 : 0
  })
}
