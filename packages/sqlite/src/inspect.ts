import { existsSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { acknowledgedPath, readAcknowledged, type Acknowledged } from './acknowledged'
import { checksum } from './checksum'
import { describeError, isDamage, resultCode, resultCodes } from './describe-error'
import { StorageTooNewError } from './errors'
import { findLogDamage } from './write-ahead-log'

/** The schema of a database: how to reach it and how to check the data. */
export interface DatabaseSchema {
  /** Steps from each version to the next. */
  migrations: readonly Migration[]
  /**
   * Queries that find damage in the newest version: one text column `problem`, a phrase per row. They may call
   * `row_checksum(...)`.
   */
  checks: readonly string[]
}

export interface Migration {
  /** Queries that find data that must not be migrated, in the form of `checks`. */
  checks?: readonly string[]
  sql: string
}

export interface Inspection {
  /** Version of the schema; 0 for a file that is empty or missing. */
  version: number
  /** One phrase for each thing that is wrong. */
  problems: string[]
  /** The last commit in the database; `undefined` if it cannot be read. */
  found: Acknowledged | undefined
  /** The last acknowledged commit; `undefined` if it is not recorded. */
  acknowledged: Acknowledged | undefined
}

/** Each check lists at most this many problems. */
const problemLimit = 200

/**
 * Inspects a database without changing any file.
 * @returns `undefined` if SQLite must first roll back an interrupted write, which changes the file
 * @throws StorageInUseError if another process has it open
 * @throws StorageTooNewError if a newer version wrote it, StorageError if it cannot be read
 */
export function inspect(path: string, schema: DatabaseSchema): Inspection | undefined {
  const inspection = startInspection(path)
  if (!existsSync(path) || statSync(path).size === 0) return inspection
  return withReader(path, (database) => inspectTables(database, path, schema, inspection))
}

/** The part of the inspection that does not need SQLite. */
function startInspection(path: string): Inspection {
  const problems: string[] = []
  const recorded = readAcknowledged(path)
  if (recorded === 'damaged') problems.push(`${acknowledgedPath(path)} is damaged`)
  const acknowledged = recorded === 'damaged' ? undefined : recorded
  const inspection = { version: 0, problems, found: undefined, acknowledged }
  const log = `${path}-wal`
  const isPresent = existsSync(path)
  if (isPresent && statSync(path).size > 0) {
    const damage = findLogDamage(log)
    if (damage) problems.push(`${log}: ${damage}`)
    return inspection
  }
  // The file has its header before the first commit.
  const hasLog = existsSync(log) && statSync(log).isFile() && statSync(log).size > 0
  if ((acknowledged?.commits ?? 0) > 0 || recorded === 'damaged' || hasLog) {
    problems.push(isPresent ? 'the file is empty' : 'the file is missing')
    if (acknowledged) problems.push(describeLoss(acknowledged, { commits: 0, revision: 0 }))
  }
  return inspection
}

/**
 * Calls `read` with a read-only connection: closing a writable one would move the log into the file. The index of the log
 * that it creates is removed again; without a log, no file is created.
 */
function withReader<T>(path: string, read: (database: DatabaseSyncInstance) => T): T | undefined {
  const index = `${path}-shm`
  const hadIndex = existsSync(index)
  const isClosedCleanly = !existsSync(`${path}-wal`) && !existsSync(`${path}-journal`)
  let database: DatabaseSyncInstance | undefined
  try {
    database = isClosedCleanly
      ? new DatabaseSync(`file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?immutable=1`, { readOnly: true })
      : new DatabaseSync(path, { readOnly: true })
    return read(database)
  } catch (error) {
    if (resultCode(error) === resultCodes.readOnly) return undefined
    throw describeError(path, error)
  } finally {
    database?.close()
    if (!hadIndex) rmSync(index, { force: true })
  }
}

/** The same with an existing connection. @throws StorageTooNewError if a newer version wrote the file */
export function inspectTables(
  database: DatabaseSyncInstance,
  path: string,
  { migrations, checks }: DatabaseSchema,
  inspection: Inspection = startInspection(path),
): Inspection {
  const { problems, acknowledged } = inspection
  const known = migrations.length
  defineFunctions(database)
  /** @returns whether SQLite can read the data that the query needs */
  const find = (query: string, isProblem = (_: string) => true): boolean => {
    try {
      const found = collect(database, `SELECT problem FROM (${query}) LIMIT ${problemLimit}`)
      problems.push(...found.flatMap((text) => text.split('\n')).filter(isProblem))
      return true
    } catch (error) {
      if (!isDamage(error)) throw error
      problems.push((error as Error).message)
      return false
    }
  }
  // The heading that starts with *** only contains SQLite's internal name of the database.
  const isReadable = find(
    `SELECT integrity_check AS problem FROM pragma_integrity_check`,
    (text) => text !== 'ok' && !text.startsWith('***'),
  )
  if (!isReadable) {
    if (acknowledged?.revision) problems.push(`the last acknowledged revision was ${acknowledged.revision}`)
    return inspection
  }
  inspection.version = Number(collect(database, 'SELECT user_version FROM pragma_user_version')[0])
  if (inspection.version > known) {
    throw new StorageTooNewError(
      `${path} was written by a newer version of this program (schema ${inspection.version}; this version supports ${known}). Update the program, or use another data folder.`,
    )
  }
  const isNewest = inspection.version === known
  // The checks of later migrations need tables that do not exist yet.
  const queries = isNewest ? checks : (migrations[inspection.version]?.checks ?? [])
  for (const query of queries) find(query)
  inspection.found = findReach(database)
  const { found } = inspection
  if (acknowledged && found && (acknowledged.commits > found.commits || acknowledged.revision > found.revision)) {
    problems.unshift(describeLoss(acknowledged, found))
  }
  if (isNewest && !existsSync(acknowledgedPath(path))) {
    problems.push(`${acknowledgedPath(path)} is missing, which records the last acknowledged commit`)
  }
  return inspection
}

/** Reads the counters in the table `meta(name, value)`, which exists from the schema version with counters on. */
export function findReach(database: DatabaseSyncInstance): Acknowledged | undefined {
  try {
    const hasMeta = collect(database, "SELECT name FROM sqlite_schema WHERE name = 'meta'").length > 0
    const rows = hasMeta ? collect(database, "SELECT name || ' ' || value FROM meta") : []
    const counters = Object.fromEntries(rows.map((row) => row.split(' ')))
    return { commits: Number(counters.commits ?? 0), revision: Number(counters.revision ?? 0) }
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/** Describes the acknowledged writes that are missing. */
function describeLoss(acknowledged: Acknowledged, found: Acknowledged): string {
  const revisions = acknowledged.revision - found.revision
  if (revisions > 0) {
    const range =
      revisions === 1
        ? `revision ${acknowledged.revision}`
        : `revisions ${found.revision + 1} to ${acknowledged.revision}`
    return `${range} ${revisions === 1 ? 'is' : 'are'} missing (${revisions} acknowledged ${revisions === 1 ? 'write' : 'writes'})`
  }
  const commits = acknowledged.commits - found.commits
  return `the last ${commits === 1 ? 'acknowledged commit is' : `${commits} acknowledged commits are`} missing`
}

/** The values of a query's first column, as text without control characters. */
export function collect(database: DatabaseSyncInstance, query: string): string[] {
  const found: string[] = []
  database.function('collect', (value: unknown) => {
    found.push(String(value).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd'))
    return null
  })
  // A prepared statement would keep the connection's lock until it is garbage-collected.
  database.exec(`WITH found(value) AS (${query}) SELECT collect(value) FROM found`)
  return found
}

/** SQL function that schemas and checks use. */
export function defineFunctions(database: DatabaseSyncInstance): void {
  database.function(
    'row_checksum',
    { deterministic: true, varargs: true, useBigIntArguments: true },
    (...values: unknown[]) => checksum(...values),
  )
}
