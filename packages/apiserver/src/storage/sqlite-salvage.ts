import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { readAcknowledged } from '@slipway/sqlite/acknowledged'
import { checksum } from '@slipway/sqlite/checksum'
import { openDatabaseFile } from '@slipway/sqlite/database-file'
import { isDamage } from '@slipway/sqlite/describe-error'
import { findReach, type Inspection } from '@slipway/sqlite/inspect'
import { examine, readableRows, withCopy, type Salvage } from '@slipway/sqlite/salvage'
import { schema } from './sqlite-schema'

/** Inspects a store without changing it. @throws StorageInUseError, StorageError */
export const examineStore = (path: string, temporary: string): Inspection => examine(path, schema, temporary)

interface VersionRow {
  revision: number
  collection: string
  key: string
  deleted: number
  value: string
  checksum?: number
}

/** Rows per commit. */
const batchSize = 500

/**
 * Copies the newest intact version of every object to a new store. The history is not copied. The new store starts
 * above the last revision of the old one, so that clients of the old one list again.
 * @param temporary folder for a copy of the old store, which is removed afterwards
 * @throws StorageDamagedError if nothing in the old store can be read
 */
export function salvageStore(from: string, to: string, temporary: string): Salvage {
  return withCopy(from, temporary, (database) => {
    const isChecked = hasChecksums(database)
    const columns = `revision, collection, key, deleted, value${isChecked ? ', checksum' : ''}`
    const newest = new Map<string, { revision: number; deleted: boolean }>()
    const damaged = new Map<string, number>()
    let last = 0
    for (const row of readableRows(database, 'versions', columns) as Iterable<unknown> as Iterable<VersionRow>) {
      const id = JSON.stringify([row.collection, row.key])
      last = Math.max(last, row.revision)
      if (isIntact(row)) {
        newest.set(id, { revision: row.revision, deleted: row.deleted === 1 })
        // Damage to an older version does not matter.
        damaged.delete(id)
      } else damaged.set(id, row.revision)
    }
    for (const { id, revision } of currentObjects(database)) {
      if ((newest.get(id)?.revision ?? 0) < revision) damaged.set(id, revision)
    }
    const recorded = readAcknowledged(from)
    const known = recorded === undefined || recorded === 'damaged' ? 0 : recorded.revision
    const revision = Math.max(last, known, findReach(database)?.revision ?? 0) + 1
    const target = openDatabaseFile(to, schema, { cacheKb: 16_384, revision: () => revision })
    try {
      const setMeta = target.database.prepare('UPDATE meta SET value = ? WHERE name = ?')
      const insertVersion = target.database.prepare('INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?)')
      const insertObject = target.database.prepare('INSERT INTO objects VALUES (?, ?, ?)')
      const find = database.prepare('SELECT revision, collection, key, deleted, value FROM versions WHERE revision = ?')
      const live = [...newest.values()].filter(({ deleted }) => !deleted)
      target.transaction(() => {
        setMeta.run(revision, 'revision')
        setMeta.run(revision, 'compacted')
      })
      for (let at = 0; at < live.length; at += batchSize) {
        target.transaction(() => {
          for (const current of live.slice(at, at + batchSize)) {
            const row = find.get(current.revision) as unknown as VersionRow // The row was read before.
            const sum = checksum(row.revision, row.collection, row.key, row.deleted, row.value)
            insertVersion.run(row.revision, row.collection, row.key, row.deleted, row.value, sum)
            insertObject.run(row.collection, row.key, row.revision)
          }
        })
      }
      const logs = copyLogs(database, target.database, target.transaction, isChecked)
      const lost = [...damaged].map(([id, at]) => describeObject(id, at, newest.get(id)))
      return {
        copied: `${live.length} objects, ${logs.copied} chunks of logs`,
        lost: [...lost, ...logs.lost],
      }
    } finally {
      target.close()
    }
  })
}

const isIntact = (row: VersionRow): boolean =>
  row.checksum === undefined
    ? isJson(row.value)
    : row.checksum === checksum(row.revision, row.collection, row.key, row.deleted, row.value)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function describeObject(
  id: string,
  revision: number,
  copy: { revision: number; deleted: boolean } | undefined,
): string {
  const [collection, key] = JSON.parse(id) as [string, string] // Serialized above.
  const instead = copy && !copy.deleted ? `copied as it was at revision ${copy.revision}` : 'not copied'
  return `${collection} ${key}: revision ${revision} cannot be read, ${instead}`
}

const hasChecksums = (database: DatabaseSyncInstance): boolean =>
  database.prepare("SELECT 1 FROM pragma_table_info('versions') WHERE name = 'checksum'").get() !== undefined

/** The current objects of the old store, as far as they are readable. */
function currentObjects(database: DatabaseSyncInstance): { id: string; revision: number }[] {
  const rows = readableRows(database, 'objects', 'collection, key, revision')
  return [...rows].map(({ collection, key, revision }) => ({
    id: JSON.stringify([collection, key]),
    revision: Number(revision),
  }))
}

interface LogRow {
  log: string
  sequence: number
  time: number
  stream: string
  bytes: Uint8Array
  checksum?: number
}

function copyLogs(
  from: DatabaseSyncInstance,
  to: DatabaseSyncInstance,
  transaction: (run: () => void) => void,
  isChecked: boolean,
): { copied: number; lost: string[] } {
  const columns = `log, sequence, time, stream, bytes${isChecked ? ', checksum' : ''}`
  const lost: string[] = []
  const insert = to.prepare('INSERT OR IGNORE INTO logs VALUES (?, ?, ?, ?, ?, ?)')
  let copied = 0
  try {
    let batch: LogRow[] = []
    const write = () => {
      transaction(() => {
        for (const { log, sequence, time, stream, bytes } of batch) {
          insert.run(log, sequence, time, stream, bytes, checksum(log, sequence, time, stream, bytes))
        }
      })
      copied += batch.length
      batch = []
    }
    for (const row of readableRows(from, 'logs', columns) as Iterable<unknown> as Iterable<LogRow>) {
      const sum = checksum(row.log, row.sequence, row.time, row.stream, row.bytes)
      if (row.checksum === undefined || row.checksum === sum) batch.push(row)
      else lost.push(`chunk ${row.sequence} of the log ${row.log} is damaged, not copied`)
      if (batch.length >= batchSize) write()
    }
    write()
  } catch (error) {
    if (!isDamage(error) && !/no such table/.test(String(error))) throw error
    lost.push('logs cannot be read, not copied')
  }
  return { copied, lost }
}
