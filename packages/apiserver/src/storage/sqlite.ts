import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { checksum } from '@slipway/sqlite/checksum'
import { damagedError } from '@slipway/sqlite/describe-error'
import { openDatabaseFile } from '@slipway/sqlite/database-file'
import { sqliteLogs } from './sqlite-logs'
import { schema } from './sqlite-schema'
import {
  CompactedError,
  defaultHistoryBytes,
  defaultHistoryLength,
  findExcess,
  StorageError,
  WriteConflict,
  type Change,
  type ChangeRange,
  type ChangeSlice,
  type ListRange,
  sumOf,
  type Storage,
  type StorageDamagedError,
  type Stored,
  type Write,
} from './storage'

export interface SqliteStorageOptions {
  /** How many changes are retained for watches. */
  historyLength?: number
  /** Maximum size of the texts of these changes. */
  historyBytes?: number
  /** Maximum size of the file in pages of 4 KB; limited only by the disk if undefined. */
  maxPages?: number
}

/** A version as stored. If the version of an object is missing, everything but the key is `null`. */
interface Row {
  key: string
  revision: number
  deleted: number
  value: string
  checksum: number
}
interface ChangeRow extends Row {
  collection: string
  previousRevision: number | null
}

interface Pending {
  write: Write
  resolve(revision: number): void
  reject(error: unknown): void
}

/**
 * Storage in a file that one process owns. A write resolves when it is on disk; writes that arrive together share one
 * commit.
 * @throws StorageInUseError, StorageDamagedError, StorageFullError
 * @throws StorageTooNewError if a newer version wrote the file, StorageError if it cannot be read
 */
export function sqliteStorage(path: string, options: SqliteStorageOptions = {}): Storage {
  const { historyLength = defaultHistoryLength, historyBytes = defaultHistoryBytes, maxPages } = options
  let revision = 0
  const file = openDatabaseFile(path, schema, { cacheKb: 16_384, maxPages, revision: () => revision })
  const { logs, close: closeLogs } = sqliteLogs(file, path)
  const listeners = new Set<(change: Change) => void>()
  const statements = prepareStatements(file.database)
  revision = numberOf(statements.meta, 'revision')
  let compacted = numberOf(statements.meta, 'compacted')
  /** Bytes of each change in the history, oldest first. */
  const sizes = (statements.sizes.all(compacted) as { bytes: number }[]).map((row) => row.bytes)
  let bytes = sumOf(sizes)
  let pending: Pending[] = []
  let isClosed = false

  function flush() {
    const batch = pending
    pending = []
    if (isClosed || batch.length === 0) return
    const before = revision
    const accepted: { request: Pending; change: Change }[] = []
    const rejected: { request: Pending; error: Error }[] = []
    try {
      file.transaction(() => {
        for (const request of batch) {
          const result = apply(request.write)
          if (result instanceof Error) rejected.push({ request, error: result })
          else accepted.push({ request, change: result })
        }
        statements.setMeta.run(revision, 'revision')
      })
    } catch (error) {
      revision = before
      for (const { reject } of batch) reject(error)
      return
    }
    for (const { change } of accepted) {
      const size = Buffer.byteLength(change.value)
      sizes.push(size)
      bytes += size
    }
    for (const { change } of accepted) for (const listener of [...listeners]) listener(change)
    for (const { request, change } of accepted) request.resolve(change.revision)
    for (const { request, error } of rejected) request.reject(error)
    try {
      compact(findExcess(sizes, bytes, compacted, { historyLength, historyBytes }))
    } catch {
      // For example, the disk is full. The next write tries again, or reports the error.
    }
  }

  function apply({ collection, key, expected, type, value }: Write): Change | WriteConflict | StorageDamagedError {
    const current = statements.get.get(collection, key) as Row | undefined // The selected columns.
    // Only this write fails, not the others in its batch.
    if (current && !isIntact(collection, current)) return damaged(collection, current)
    if (current?.revision !== expected || (type === 'delete' && !current)) {
      return new WriteConflict(key, current?.revision)
    }
    revision++
    const deleted = type === 'delete' ? 1 : 0
    const sum = checksum(revision, collection, key, deleted, value)
    statements.insertVersion.run(revision, collection, key, deleted, value, sum)
    if (type === 'delete') statements.deleteObject.run(collection, key)
    else statements.putObject.run(collection, key, revision)
    const kind = type === 'delete' ? 'deleted' : current ? 'updated' : 'created'
    return { collection, key, revision, type: kind, value, ...(current && { previous: current.value }) }
  }

  function compact(upTo: number) {
    const target = Math.min(upTo, revision)
    if (target <= compacted) return
    file.transaction(() => {
      statements.dropReplaced.run(compacted, target)
      statements.dropDeleted.run(target)
      statements.setMeta.run(target, 'compacted')
    })
    bytes -= sumOf(sizes.splice(0, target - compacted))
    compacted = target
  }

  /** A damaged row is neither returned nor skipped: the whole read fails. */
  function intact(collection: string, row: Row): Stored {
    if (!isIntact(collection, row)) throw damaged(collection, row)
    return { key: row.key, revision: row.revision, value: row.value }
  }

  const damaged = (collection: string, { key, revision: at }: Pick<Row, 'key' | 'revision'>) =>
    damagedError(path, [`revision ${at} (${collection} ${key}) is damaged`])

  function read<T>(query: () => T): T {
    try {
      return query()
    } catch (error) {
      throw file.describe(error)
    }
  }

  function changeOf(row: ChangeRow, withoutPrevious: boolean): Change {
    const { collection, deleted, previousRevision } = row
    const stored = intact(collection, row)
    if (previousRevision === null) return { collection, ...stored, type: deleted ? 'deleted' : 'created' }
    const change: Change = { collection, ...stored, type: deleted ? 'deleted' : 'updated' }
    if (withoutPrevious) return change
    const before = statements.version.get(previousRevision) as unknown as Row // The selected columns.
    return { ...change, previous: intact(collection, before).value }
  }

  /** The changes of a range after a revision. A slice examines a bounded number of revisions as well. */
  function changesSince(after: number, range: ChangeRange): ChangeSlice {
    const { collection = '', prefix = '', key, withoutPrevious = false, sliceLength = Infinity } = range
    const end = sliceLength < Infinity && key === undefined ? Math.min(revision, after + sliceRevisions) : revision
    const rows =
      range.collection === undefined
        ? statements.since.iterate(after, end)
        : key === undefined
          ? statements.sinceIn.iterate(after, end, collection, prefix, `${prefix}\u{10ffff}`)
          : statements.sinceOf.iterate(after, end, collection, key)
    const changes: Change[] = []
    let length = 0
    // All three select the columns of a ChangeRow.
    for (const row of rows as IterableIterator<ChangeRow>) {
      const change = changeOf(row, withoutPrevious)
      changes.push(change)
      length += change.value.length + (change.previous?.length ?? 0)
      if (length >= sliceLength) return { changes, upTo: change.revision }
    }
    return { changes, upTo: end }
  }

  /** The range as the parameters of a statement: collection, first key, last key, key to start after. */
  const bounds = (collection: string, { prefix = '', after = '' }: ListRange) =>
    [collection, prefix, `${prefix}\u{10ffff}`, after] as const

  const assertRetained = (at: number) => {
    if (at < compacted) throw new CompactedError(at, compacted)
  }

  return {
    revision: () => revision,
    compacted: () => compacted,
    get(collection, key) {
      const row = read(() => statements.get.get(collection, key)) as Row | undefined // The selected columns.
      return row && intact(collection, row)
    },
    list(collection, range = {}) {
      const limit = range.limit ?? -1
      if (range.revision !== undefined) assertRetained(range.revision)
      const rows = read(() =>
        range.revision === undefined
          ? statements.list.all(...bounds(collection, range), limit)
          : statements.listAt.all(range.revision, ...bounds(collection, range), limit),
      ) as unknown as Row[] // The selected columns; the driver types them as plain records.
      return rows.map((row) => intact(collection, row))
    },
    count(collection, range = {}) {
      const { revision: at } = range
      if (at !== undefined) assertRetained(at)
      return read(() =>
        countOf(
          at === undefined
            ? statements.count.get(...bounds(collection, range))
            : statements.countAt.get(at, ...bounds(collection, range)),
        ),
      )
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
    since(after, range = {}) {
      assertRetained(after)
      return read(() => changesSince(after, range))
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
      file.close()
    },
  }
}

/** How many revisions a slice of changes examines at most. */
const sliceRevisions = 500

const isIntact = (collection: string, { revision, key, deleted, value, checksum: sum }: Row): boolean =>
  sum === checksum(revision, collection, key, deleted, value)

const countOf = (row: unknown): number => (row as { count: number }).count
const numberOf = (statement: StatementSyncInstance, name: string): number =>
  (statement.get(name) as { value: number }).value

function prepareStatements(database: DatabaseSyncInstance) {
  // The outer join reveals an object whose version is missing: it has no value.
  const current = `SELECT o.key, o.revision, v.deleted, v.value, v.checksum
    FROM objects o LEFT JOIN versions v ON v.revision = o.revision`
  const inRange = 'o.collection = ? AND o.key >= ? AND o.key < ? AND o.key > ?'
  // The newest version of each key at a revision, unless it is a deletion.
  const at = `
    FROM versions o WHERE o.revision <= ? AND ${inRange} AND o.deleted = 0 AND NOT EXISTS (
      SELECT 1 FROM versions n
      WHERE n.collection = o.collection AND n.key = o.key AND n.revision > o.revision AND n.revision <= ?1
    )`
  const changes = (index: string) => `
    SELECT v.*, p.revision AS previousRevision
    FROM versions v ${index} LEFT JOIN versions p ON p.deleted = 0 AND p.revision = (
      SELECT b.revision FROM versions b
      WHERE b.collection = v.collection AND b.key = v.key AND b.revision < v.revision
      ORDER BY b.revision DESC LIMIT 1
    ) WHERE v.revision > ? AND v.revision <= ?`
  const sql = {
    meta: 'SELECT value FROM meta WHERE name = ?',
    setMeta: 'UPDATE meta SET value = ? WHERE name = ?',
    get: `${current} WHERE o.collection = ? AND o.key = ?`,
    list: `${current} WHERE ${inRange} ORDER BY o.key LIMIT ?`,
    listAt: `SELECT o.key, o.revision, o.deleted, o.value, o.checksum ${at} ORDER BY o.key LIMIT ?`,
    count: `SELECT count(*) AS count FROM objects o WHERE ${inRange}`,
    countAt: `SELECT count(*) AS count ${at}`,
    collections: 'SELECT DISTINCT collection FROM objects ORDER BY collection',
    insertVersion:
      'INSERT INTO versions (revision, collection, key, deleted, value, checksum) VALUES (?, ?, ?, ?, ?, ?)',
    putObject: `INSERT INTO objects (collection, key, revision) VALUES (?, ?, ?)
      ON CONFLICT (collection, key) DO UPDATE SET revision = excluded.revision`,
    deleteObject: 'DELETE FROM objects WHERE collection = ? AND key = ?',
    sizes: 'SELECT octet_length(value) AS bytes FROM versions WHERE revision > ? ORDER BY revision',
    version: 'SELECT key, revision, deleted, value, checksum FROM versions WHERE revision = ?',
    since: `${changes('NOT INDEXED')} ORDER BY v.revision`,
    // In the order of revisions, so that a slice reads only what it returns; one key is read in this order by its index.
    sinceIn: `${changes('NOT INDEXED')} AND v.collection = ? AND v.key >= ? AND v.key < ? ORDER BY v.revision`,
    sinceOf: `${changes('INDEXED BY versions_by_key')} AND v.collection = ? AND v.key = ? ORDER BY v.revision`,
    // For each key that changed since the last compaction, every version before its newest one.
    dropReplaced: `DELETE FROM versions WHERE revision IN (
      SELECT o.revision FROM versions n JOIN versions o USING (collection, key)
      WHERE n.revision > ? AND n.revision <= ? AND o.revision < n.revision
    )`,
    dropDeleted: 'DELETE FROM versions WHERE revision <= ? AND deleted = 1',
  }
  const statements = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)] as const)
  return Object.fromEntries(statements) as Record<keyof typeof sql, StatementSyncInstance> // The keys of `sql`.
}
