import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { KubeObject } from '@slipway/kube/object'
import { checksum } from '@slipway/sqlite/checksum'
import type { Inspection } from '@slipway/sqlite/inspect'
import { examine, readableRows, withCopy, type Salvage } from '@slipway/sqlite/salvage'
import { parseJson } from '@slipway/kube/parse'
import { databaseSchema } from './database'
import { openArchiveStore, type ArchiveStore, type ArchiveRecord } from './store'

/** Examines a store without changing it. @throws StorageInUseError, StorageError */
export const examineArchive = (path: string, temporary: string): Inspection => examine(path, databaseSchema, temporary)

interface ObjectRow {
  uid: string
  scope: number
  name: string
  created: number
  updated: number
  version: number
  deleted: number
  settled: number
  owner: string
  result: string
  json: string
  checksum?: number
}

const batchSize = 500

/**
 * Copies all intact objects and logs into a new store. A log with a damaged chunk is skipped, since the rest would look
 * complete.
 * @param temporary folder for a temporary copy of the old store
 * @throws StorageDamagedError if nothing in the old store can be read
 */
export function salvageArchive(from: string, to: string, temporary: string): Salvage {
  return withCopy(from, temporary, (database) => {
    const target = openArchiveStore(to)
    try {
      const objects = copyObjects(database, target)
      const logs = copyLogs(database, target)
      return { copied: `${objects.copied} objects, ${logs.copied} logs`, lost: [...objects.lost, ...logs.lost] }
    } finally {
      target.close()
    }
  })
}

function copyObjects(database: DatabaseSyncInstance, target: ArchiveStore): { copied: number; lost: string[] } {
  const types = new Map<number, ArchiveRecord['type']>()
  for (const { id, ...type } of readableRows(database, 'scopes', 'id, "group", version, kind, plural, namespace')) {
    const { group, version, kind, plural, namespace } = type as Record<string, string> // As selected.
    if (group === undefined || version === undefined || kind === undefined || plural === undefined) continue
    types.set(Number(id), { group, version, kind, plural, namespaced: namespace !== '' })
  }
  const lost: string[] = []
  let copied = 0
  let batch: ArchiveRecord[] = []
  const write = () => {
    target.save(batch)
    copied += batch.length
    batch = []
  }
  for (const row of readableRows(database, 'objects', '*') as Iterable<unknown> as Iterable<ObjectRow>) {
    const type = types.get(row.scope)
    const object = intactObject(row)
    if (type && object) {
      batch.push({
        type,
        object,
        isDeleted: row.deleted === 1,
        isSettled: row.settled === 1,
        ownerUid: row.owner,
        resultUid: row.result,
        updatedMs: row.updated,
      })
    } else lost.push(`the object ${row.name} (${row.uid}) is damaged, not copied`)
    if (batch.length >= batchSize) write()
  }
  write()
  return { copied, lost }
}

function intactObject({ json, ...row }: ObjectRow): KubeObject | undefined {
  const { uid, scope, name, created, version, owner, result } = row
  if (
    row.checksum !== undefined &&
    row.checksum !== checksum(uid, scope, name, created, version, owner, result, json)
  ) {
    return undefined
  }
  return parseJson(json) as KubeObject | undefined // The store contains only objects.
}

interface LogRow {
  pod: string
  position: number
  container: string
  sequence: number
  bytes: Uint8Array
  checksum?: number
}

function copyLogs(database: DatabaseSyncInstance, target: ArchiveStore): { copied: number; lost: string[] } {
  /** The chunks of each log; `undefined` for a damaged log. */
  const logs = new Map<string, { sequence: number; row: number }[] | undefined>()
  for (const row of readableRows(database, 'logs', '*') as Iterable<unknown> as Iterable<
    LogRow & { row_number: number }
  >) {
    const { pod, position, container, sequence, bytes } = row
    const id = JSON.stringify([pod, position, container])
    const sum = checksum(pod, position, container, sequence, bytes)
    if (row.checksum !== undefined && row.checksum !== sum) logs.set(id, undefined)
    else if (!logs.has(id)) logs.set(id, [{ sequence, row: row.row_number }])
    else logs.get(id)?.push({ sequence, row: row.row_number })
  }
  const find = database.prepare('SELECT bytes FROM logs WHERE rowid = ?')
  const lost: string[] = []
  let copied = 0
  for (const [id, chunks] of logs) {
    const [podUid, position, container] = JSON.parse(id) as [string, number, string] // Created above.
    chunks?.sort((a, b) => a.sequence - b.sequence)
    if (!chunks || chunks.some(({ sequence }, index) => sequence !== index)) {
      lost.push(`the log of ${container} in pod ${podUid} is damaged, not copied`)
      continue
    }
    const writer = target.logs.writer({ podUid, position, container })
    for (const { row } of chunks) writer.add((find.get(row) as { bytes: Uint8Array }).bytes) // The row was found above.
    writer.end()
    copied++
  }
  return { copied, lost }
}
