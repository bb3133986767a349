import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { explained, letGo, opened } from './sqlite-file'
import { sqliteLogs } from './sqlite-logs'
import {
  CompactedError,
  defaultHistoryLength,
  StorageError,
  WriteConflict,
  type Change,
  type ListRange,
  type Storage,
  type Stored,
  type Write,
} from './storage'

export interface SqliteStorageOptions {
  /** How many changes are kept for those who watch. */
  historyLength?: number
}

interface Row {
  key: string
  revision: number
  value: string
}
interface ChangeRow extends Row {
  collection: string
  deleted: number
  previous: string | null
}

interface Pending {
  write: Write
  resolve(revision: number): void
  reject(error: unknown): void
}

/**
 * Storage in a file, of which one process is the owner. A write is answered when it is on the disk; writes that arrive
 * together share one commit.
 * @throws StorageError when the file is in use, damaged, unreadable or of a newer version
 */
export function sqliteStorage(path: string, options: SqliteStorageOptions = {}): Storage {
  const { historyLength = defaultHistoryLength } = options
  const database = opened(path)
  const { logs, close: closeLogs } = sqliteLogs(database, (error) => explained(path, error))
  const listeners = new Set<(change: Change) => void>()
  const statements = prepared(database)
  let revision = numberOf(statements.meta, 'revision')
  let compacted = numberOf(statements.meta, 'compacted')
  let pending: Pending[] = []
  let isClosed = false

  function flush() {
    const batch = pending
    pending = []
    if (isClosed || batch.length === 0) return
    const before = revision
    const done: { one: Pending; change: Change }[] = []
    const refused: { one: Pending; error: WriteConflict }[] = []
    try {
      database.exec('BEGIN IMMEDIATE')
      for (const one of batch) {
        const result = apply(one.write)
        if (result instanceof WriteConflict) refused.push({ one, error: result })
        else done.push({ one, change: result })
      }
      statements.setMeta.run(revision, 'revision')
      database.exec('COMMIT')
    } catch (error) {
      revision = before
      rollBack(database)
      const failure = explained(path, error)
      for (const { reject } of batch) reject(failure)
      return
    }
    for (const { change } of done) for (const listener of [...listeners]) listener(change)
    for (const { one, change } of done) one.resolve(change.revision)
    for (const { one, error } of refused) one.reject(error)
    // A tenth more than asked for, so that not every write compacts.
    if (revision - compacted > historyLength * 1.1) compact(revision - historyLength)
  }

  function apply({ collection, key, expected, type, value }: Write): Change | WriteConflict {
    const current = statements.get.get(collection, key) as Row | undefined
    if (current?.revision !== expected || (type === 'delete' && !current)) {
      return new WriteConflict(key, current?.revision)
    }
    revision++
    statements.insertVersion.run(revision, collection, key, type === 'delete' ? 1 : 0, value)
    if (type === 'delete') statements.deleteObject.run(collection, key)
    else statements.putObject.run(collection, key, revision)
    const kind = type === 'delete' ? 'deleted' : current ? 'updated' : 'created'
    return { collection, key, revision, type: kind, value, ...(current && { previous: current.value }) }
  }

  function compact(upTo: number) {
    const target = Math.min(upTo, revision)
    if (target <= compacted) return
    try {
      database.exec('BEGIN IMMEDIATE')
      statements.dropReplaced.run(compacted, target)
      statements.dropDeleted.run(target)
      statements.setMeta.run(target, 'compacted')
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw explained(path, error)
    }
    compacted = target
  }

  /** The range as the parameters of a statement: collection, first key, last key, key to start after. */
  const bounds = (collection: string, { prefix = '', after = '' }: ListRange) =>
    [collection, prefix, `${prefix}\u{10ffff}`, after] as const

  const assertKept = (at: number) => {
    if (at < compacted) throw new CompactedError(at, compacted)
  }

  return {
    revision: () => revision,
    compacted: () => compacted,
    get: (collection, key) => statements.get.get(collection, key) as Stored | undefined,
    list(collection, range = {}) {
      const limit = range.limit ?? -1
      // Rows have the columns that the statements above select; the driver knows them as plain records only.
      if (range.revision === undefined) {
        return statements.list.all(...bounds(collection, range), limit) as unknown as Stored[]
      }
      assertKept(range.revision)
      return statements.listAt.all(range.revision, ...bounds(collection, range), limit) as unknown as Stored[]
    },
    count(collection, range = {}) {
      if (range.revision === undefined) return countOf(statements.count.get(...bounds(collection, range)))
      assertKept(range.revision)
      return countOf(statements.countAt.get(range.revision, ...bounds(collection, range)))
    },
    collections: () => (statements.collections.all() as { collection: string }[]).map(({ collection }) => collection),
    write: (write) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new StorageError(`The storage ${path} is closed.`))
          return
        }
        if (pending.length === 0) setImmediate(flush)
        pending.push({ write, resolve, reject })
      }),
    since(after, collection) {
      assertKept(after)
      // With the columns that the statements select.
      const rows = (collection === undefined
        ? statements.since.all(after)
        : statements.sinceIn.all(after, collection)) as unknown as ChangeRow[]
      return rows.map(changeOf)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    compact,
    logs,
    close() {
      if (isClosed) return
      flush()
      closeLogs()
      isClosed = true
      listeners.clear()
      letGo(database)
    },
  }
}

function changeOf({ collection, key, revision, value, deleted, previous }: ChangeRow): Change {
  const type = deleted ? 'deleted' : previous === null ? 'created' : 'updated'
  return { collection, key, revision, type, value, ...(previous !== null && { previous }) }
}

const countOf = (row: unknown): number => (row as { count: number }).count
const numberOf = (statement: StatementSyncInstance, name: string): number =>
  (statement.get(name) as { value: number }).value

function prepared(database: DatabaseSyncInstance) {
  const inRange = 'o.collection = ? AND o.key >= ? AND o.key < ? AND o.key > ?'
  // The newest version of each key at a revision, unless that is a deletion.
  const at = `
    FROM versions o WHERE o.revision <= ? AND ${inRange} AND o.deleted = 0 AND NOT EXISTS (
      SELECT 1 FROM versions n
      WHERE n.collection = o.collection AND n.key = o.key AND n.revision > o.revision AND n.revision <= ?1
    )`
  const changes = `
    SELECT v.*, (
      SELECT CASE p.deleted WHEN 0 THEN p.value END FROM versions p
      WHERE p.collection = v.collection AND p.key = v.key AND p.revision < v.revision
      ORDER BY p.revision DESC LIMIT 1
    ) AS previous
    FROM versions v WHERE v.revision > ?`
  const sql = {
    meta: 'SELECT value FROM meta WHERE name = ?',
    setMeta: 'UPDATE meta SET value = ? WHERE name = ?',
    get: 'SELECT v.key, v.revision, v.value FROM objects o JOIN versions v USING (revision) WHERE o.collection = ? AND o.key = ?',
    list: `SELECT v.key, v.revision, v.value FROM objects o JOIN versions v USING (revision)
      WHERE ${inRange} ORDER BY o.key LIMIT ?`,
    listAt: `SELECT o.key, o.revision, o.value ${at} ORDER BY o.key LIMIT ?`,
    count: `SELECT count(*) AS count FROM objects o WHERE ${inRange}`,
    countAt: `SELECT count(*) AS count ${at}`,
    collections: 'SELECT DISTINCT collection FROM objects ORDER BY collection',
    insertVersion: 'INSERT INTO versions (revision, collection, key, deleted, value) VALUES (?, ?, ?, ?, ?)',
    putObject: `INSERT INTO objects (collection, key, revision) VALUES (?, ?, ?)
      ON CONFLICT (collection, key) DO UPDATE SET revision = excluded.revision`,
    deleteObject: 'DELETE FROM objects WHERE collection = ? AND key = ?',
    since: `${changes} ORDER BY v.revision`,
    sinceIn: `${changes} AND v.collection = ? ORDER BY v.revision`,
    // Of each key that changed since the last time, what came before the newest of those changes.
    dropReplaced: `DELETE FROM versions WHERE revision IN (
      SELECT o.revision FROM versions n JOIN versions o USING (collection, key)
      WHERE n.revision > ? AND n.revision <= ? AND o.revision < n.revision
    )`,
    dropDeleted: 'DELETE FROM versions WHERE revision <= ? AND deleted = 1',
  }
  const statements = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)] as const)
  return Object.fromEntries(statements) as Record<keyof typeof sql, StatementSyncInstance> // The same names.
}

function rollBack(database: DatabaseSyncInstance) {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite rolls back by itself after some failures; there is nothing left to roll back then.
  }
}
