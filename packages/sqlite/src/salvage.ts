import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { acknowledgedPath } from './acknowledged'
import { describeError, isDamage } from './describe-error'
import { defineFunctions, inspect, inspectTables, type DatabaseSchema, type Inspection } from './inspect'

/**
 * Inspects a database like `inspect`; if SQLite must write to it first, inspects a copy in the folder for temporary
 * files.
 * @throws StorageInUseError, StorageError
 */
export function examine(path: string, schema: DatabaseSchema, temporary: string): Inspection {
  const inspection = inspect(path, schema)
  if (inspection) return inspection
  return withCopy(path, temporary, (database, copy) => {
    const found = inspectTables(database, copy, schema)
    return { ...found, problems: found.problems.map((problem) => problem.replaceAll(copy, path)) }
  })
}

/**
 * Calls `read` with a connection to a copy of a database that may be damaged.
 * @param temporary folder for the copy, which is removed afterwards
 * @throws StorageDamagedError if nothing in it can be read
 */
export function withCopy<T>(
  path: string,
  temporary: string,
  read: (database: DatabaseSyncInstance, copy: string) => T,
): T {
  const folder = mkdtempSync(join(temporary, 'copy-'))
  const copy = join(folder, 'copy.sqlite')
  let database: DatabaseSyncInstance | undefined
  try {
    for (const part of [path, `${path}-wal`, `${path}-journal`, acknowledgedPath(path)]) {
      if (existsSync(part)) copyFileSync(part, copy + part.slice(path.length))
    }
    database = new DatabaseSync(copy)
    defineFunctions(database)
    return read(database, copy)
  } catch (error) {
    throw describeError(path, error)
  } finally {
    database?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Rows after a damaged page are found by trying one row number after another, at most this many. */
const maxRowAttempts = 100_000

/**
 * The rows of a table that SQLite can read, in the order of their row numbers. Their content may be damaged.
 * @param columns a list in SQL syntax
 */
export function* readableRows(
  database: DatabaseSyncInstance,
  table: string,
  columns: string,
): Generator<Record<string, unknown>> {
  const next = database.prepare(
    `SELECT rowid AS row_number, ${columns} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1`,
  )
  let after = 0
  for (let failures = 0; failures < maxRowAttempts;) {
    let row: Record<string, unknown> | undefined
    try {
      row = next.get(after) as Record<string, unknown> | undefined // A row, as selected.
    } catch (error) {
      if (!isDamage(error) && !(error instanceof RangeError)) throw error
      failures++
      after++
      continue
    }
    if (!row) return
    failures = 0
    after = Number(row.row_number)
    yield row
  }
}

/** What was recovered from a damaged database. */
export interface Salvage {
  /** Summary of the copied data. */
  copied: string
  /** One phrase for each thing that was not copied or was changed. */
  lost: string[]
}
