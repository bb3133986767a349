import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { KubeObject } from '@slipway/kube/object'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { checksum } from '@slipway/sqlite/checksum'
import { damagedError } from '@slipway/sqlite/describe-error'
import { objectChecksum, openDatabase, storedChecksum } from './database'
import { createLogStore, type LogStore } from './logs'
import { createPages, type PageQuery, type Position } from './pages'

/** An object to archive. */
export interface ArchiveRecord {
  type: ResourceType
  object: KubeObject
  isDeleted: boolean
  /** No work is left: its logs are archived and it is annotated as stored. */
  isSettled: boolean
  /** Uid of its controller; empty if there is none. */
  ownerUid: string
  /** Uid of its result in Tekton Results. */
  resultUid: string
  /** When this state was archived; now by default. */
  updatedMs?: number
}

export interface ArchivedObject {
  uid: string
  group: string
  version: string
  kind: string
  plural: string
  namespace: string
  name: string
  createdMs: number
  /** When this state was archived. */
  updatedMs: number
  isDeleted: boolean
  isSettled: boolean
  ownerUid: string
  resultUid: string
  json: string
}

/** Excludes the JSON, since many of these may be waiting in memory. */
export type ArchivedName = Omit<ArchivedObject, 'json'>

export type TypeName = Pick<ResourceType, 'group' | 'version' | 'plural'>

export interface Selection extends Omit<PageQuery, 'scopes'> {
  types: TypeName[]
  /** All namespaces by default. */
  namespace?: string
}

export interface ArchiveStore {
  /** Ignores states older than the archived one, and states that arrive after the deletion. */
  save(objects: ArchiveRecord[]): void
  /** Newest creation first by default. Concurrent writes neither repeat nor hide other rows. */
  page(selection: Selection): Promise<{ items: ArchivedObject[]; next?: Position }>
  get(uid: string): ArchivedObject | undefined
  /** Like `get`, without the JSON, which may be long. */
  named(uid: string): ArchivedName | undefined
  /** The newest object with this name. */
  newest(type: TypeName, namespace: string, name: string): ArchivedObject | undefined
  /** Objects with this controller, oldest first. */
  ownedBy(uid: string): ArchivedObject[]
  /** Objects of a kind that are not known to be deleted. */
  present(type: TypeName): { uid: string; namespace: string }[]
  /** Objects of a kind with remaining work. */
  unsettled(type: TypeName): ArchivedName[]
  hasUnsettledOwned(uid: string): boolean
  settle(uid: string): void
  /** Marks objects as deleted. */
  markDeleted(uids: string[], nowMs: number): void
  logs: LogStore
  /** Removes objects that were deleted from the cluster before this time. @returns the number of objects */
  expire(beforeMs: number): number
  /**
   * Removes objects that were deleted from the cluster, those that were deleted first, until the rest takes at most this
   * many bytes. Objects that are still in the cluster stay.
   */
  shrink(maxBytes: number): void
  close(): void
}

/** A row as returned by SQLite. */
type NameRow = Omit<ArchivedName, 'isDeleted' | 'isSettled'> & { id: number; isDeleted: number; isSettled: number }
type Row = NameRow & { json: string; scope: number; objectVersion: number; checksum: number }

const names = `o.id, o.uid, s."group", s.version, s.kind, s.plural, s.namespace, o.name, o.created AS createdMs,
  o.updated AS updatedMs, o.deleted AS isDeleted, o.settled AS isSettled, o.owner AS ownerUid, o.result AS resultUid`
const rows = `SELECT ${names}, o.json, o.scope, o.version AS objectVersion, o.checksum FROM objects o JOIN scopes s ON s.id = o.scope`
const ofType = 's."group" = ? AND s.version = ? AND s.plural = ?'

/** How many objects are removed in one transaction to shrink the store: with their logs, about a megabyte. */
const shrinkBy = 100

/**
 * @param path path of a file, or `:memory:`
 * @param options `maxPages`: maximum number of 4 KB pages in the file
 * @throws StorageError or a subclass, with the reason
 */
export function openArchiveStore(
  path: string,
  now: () => number = Date.now,
  options: { maxPages?: number } = {},
): ArchiveStore {
  const file = openDatabase(path, options)
  const { database, transaction } = file
  const statements = prepared(database)
  const findPage = createPages(database)
  const scopeIds = new Map<string, number>()
  const labelIds = new Map<string, number>()

  function scopeOf({ group, version, kind, plural }: ResourceType, namespace: string): number {
    const key = [group, version, plural, namespace].join('/')
    let id = scopeIds.get(key)
    if (id === undefined) {
      statements.addScope.run(group, version, kind, plural, namespace)
      id = idOf(statements.scope.get(group, version, plural, namespace))
      scopeIds.set(key, id)
    }
    return id
  }

  function labelOf(key: string, value: string): number {
    const text = `${key}=${value}`
    let id = labelIds.get(text)
    if (id === undefined) {
      statements.addLabel.run(key, value)
      id = idOf(statements.label.get(key, value))
      // The number of values, such as run names, is unlimited.
      if (labelIds.size > 50_000) labelIds.clear()
      labelIds.set(text, id)
    }
    return id
  }

  /** Size of the file without the pages that deleted rows have left. */
  const usedBytes = (): number => (statements.used.get() as { bytes: number }).bytes // One row.

  const expire = (beforeMs: number): number =>
    transaction(() => {
      statements.expireLogs.run(beforeMs)
      statements.expireLabels.run(beforeMs)
      return Number(statements.expire.run(beforeMs).changes)
    })

  const scopesOf = (types: TypeName[], namespace: string | undefined): number[] =>
    types.flatMap(({ group, version, plural }) =>
      namespace === undefined
        ? (statements.scopes.all(group, version, plural) as { id: number }[]).map(({ id }) => id) // As selected.
        : ((statements.scope.get(group, version, plural, namespace) as { id: number } | undefined)?.id ?? []),
    )

  function keepOne({ type, object, isDeleted, isSettled, ownerUid, resultUid, updatedMs = now() }: ArchiveRecord) {
    const uid = uidOf(object)
    const known = statements.known.get(uid) as { id: number; version: number; deleted: number } | undefined // As selected.
    const version = versionOf(object)
    if (known && (known.deleted || known.version > version || (known.version === version && !isDeleted))) return
    const scope = scopeOf(type, namespaceOf(object) ?? '')
    const created = Date.parse(object.metadata.creationTimestamp ?? '') || 0
    const flags = [Number(isDeleted), Number(isSettled)] as const
    const { managedFields: _, ...metadata } = object.metadata
    const json = JSON.stringify({ ...object, metadata })
    if (!known) {
      const name = nameOf(object)
      const sum = checksum(uid, scope, name, created, version, ownerUid, resultUid, json)
      statements.insert.run(uid, scope, name, created, updatedMs, version, ...flags, ownerUid, resultUid, json, sum)
      link(idOf(statements.known.get(uid)), scope, created, labelsOf(object))
      return
    }
    const { text } = statements.labels.get(known.id) as { text: string | null } // As selected.
    statements.update.run(updatedMs, version, ...flags, ownerUid, resultUid, json, known.id)
    const before = JSON.parse(text ?? '{}') as Record<string, string> // Our own JSON.
    const after = object.metadata.labels ?? {}
    const lacking = (labels: Record<string, string>, others: Record<string, string>) =>
      Object.entries(labels).filter(([key, value]) => others[key] !== value)
    for (const [key, value] of lacking(before, after))
      statements.unlink.run(labelOf(key, value), scope, created, known.id)
    link(known.id, scope, created, lacking(after, before))
  }

  function link(id: number, scope: number, created: number, labels: [string, string][]) {
    for (const [key, value] of labels) statements.link.run(labelOf(key, value), scope, created, id)
  }

  /** A damaged row is neither returned nor skipped: the whole read fails. */
  function parseRow(row: unknown): ArchivedObject {
    const { json, scope, objectVersion, checksum: sum, ...rest } = row as Row // As selected.
    const { uid, name, createdMs, ownerUid, resultUid } = rest
    if (sum !== checksum(uid, scope, name, createdMs, objectVersion, ownerUid, resultUid, json)) {
      throw damagedError(path, [`the object ${name} (${uid}) is damaged`])
    }
    return { ...nameOfRow(rest), json }
  }

  const one = (row: unknown): ArchivedObject | undefined => (row ? parseRow(row) : undefined)
  const named = (row: unknown): ArchivedName | undefined => (row ? nameOfRow(row) : undefined)

  return {
    logs: createLogStore(file, path),
    save(objects) {
      if (objects.length === 0) return
      try {
        transaction(() => objects.forEach(keepOne))
      } catch (error) {
        // The cached ids may have been rolled back.
        scopeIds.clear()
        labelIds.clear()
        throw error
      }
    },
    async page({ types, namespace, ...query }) {
      const { ids, next } = await findPage({ ...query, scopes: scopesOf(types, namespace) })
      const found = statements.byIds.all(JSON.stringify(ids)) as unknown as Row[] // As selected.
      const byId = new Map(found.map((row) => [row.id, row]))
      const items = ids.flatMap((id) => one(byId.get(id)) ?? [])
      return { items, ...(next && { next }) }
    },
    get: (uid) => one(statements.byUid.get(uid)),
    named: (uid) => named(statements.namedByUid.get(uid)),
    newest: ({ group, version, plural }, namespace, name) =>
      one(statements.newest.get(group, version, plural, namespace, name)),
    ownedBy: (uid) => statements.ownedBy.all(uid).map(parseRow),
    present: ({ group, version, plural }) =>
      statements.present.all(group, version, plural) as { uid: string; namespace: string }[], // As selected.
    unsettled: ({ group, version, plural }) => statements.unsettled.all(group, version, plural).map(nameOfRow),
    hasUnsettledOwned: (uid) => statements.unsettledOwned.get(uid) !== undefined,
    settle: (uid) => transaction(() => void statements.settle.run(uid)),
    markDeleted(uids, nowMs) {
      const deletionTimestamp = new Date(nowMs).toISOString().replace(/\.\d+/, '')
      transaction(() => uids.forEach((uid) => statements.markDeleted.run(deletionTimestamp, now(), uid)))
    },
    expire,
    shrink(maxBytes) {
      while (usedBytes() > maxBytes) {
        const { untilMs } = statements.oldestDeleted.get() as { untilMs: number | null } // One row.
        if (untilMs === null) return
        expire(untilMs + 1)
      }
    },
    close: () => file.close(),
  }
}

/** Versions are opaque to clients. Like every object cache, this one compares them to find the newer of two. */
const versionOf = ({ metadata }: KubeObject): number =>
  /^\d{1,15}$/.test(metadata.resourceVersion ?? '') ? Number(metadata.resourceVersion) : 0

const labelsOf = ({ metadata }: KubeObject): [string, string][] => Object.entries(metadata.labels ?? {})
const idOf = (row: unknown): number => (row as { id: number }).id

function nameOfRow(row: unknown): ArchivedName {
  const { id: _, isDeleted, isSettled, ...archived } = row as NameRow // As selected.
  return { ...archived, isDeleted: isDeleted === 1, isSettled: isSettled === 1 }
}

function prepared(database: DatabaseSyncInstance) {
  const withDeletion = "json_insert(json, '$.metadata.deletionTimestamp', ?1)"
  // Labels of a damaged object cannot be read.
  const readable = (json: string) => `CASE WHEN json_valid(${json}) THEN ${json} ELSE '{}' END`
  const expired = 'SELECT id FROM objects WHERE deleted = 1 AND updated < ?'
  const sql = {
    scope: 'SELECT id FROM scopes WHERE "group" = ? AND version = ? AND plural = ? AND namespace = ?',
    scopes: 'SELECT id FROM scopes WHERE "group" = ? AND version = ? AND plural = ?',
    addScope: 'INSERT OR IGNORE INTO scopes ("group", version, kind, plural, namespace) VALUES (?, ?, ?, ?, ?)',
    label: 'SELECT id FROM labels WHERE key = ? AND value = ?',
    addLabel: 'INSERT OR IGNORE INTO labels (key, value) VALUES (?, ?)',
    link: 'INSERT OR IGNORE INTO object_labels (label, scope, created, id) VALUES (?, ?, ?, ?)',
    unlink: 'DELETE FROM object_labels WHERE label = ? AND scope = ? AND created = ? AND id = ?',
    known: 'SELECT id, version, deleted FROM objects WHERE uid = ?',
    labels: `SELECT json_extract(${readable('json')}, '$.metadata.labels') AS text FROM objects WHERE id = ?`,
    insert: `INSERT INTO objects (uid, scope, name, created, updated, version, deleted, settled, owner, result, json, checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    // A settled object stays settled.
    update: `UPDATE objects SET updated = ?1, version = ?2, deleted = ?3, settled = max(settled, ?4), owner = ?5,
      result = ?6, json = ?7, checksum = ${objectChecksum('?2', '?5', '?6', '?7')} WHERE id = ?8`,
    byIds: `${rows} WHERE o.id IN (SELECT value FROM json_each(?))`,
    byUid: `${rows} WHERE o.uid = ?`,
    namedByUid: `SELECT ${names} FROM objects o JOIN scopes s ON s.id = o.scope WHERE o.uid = ?`,
    newest: `${rows} WHERE ${ofType} AND s.namespace = ? AND o.name = ? ORDER BY o.created DESC, o.id DESC LIMIT 1`,
    ownedBy: `${rows} WHERE o.owner = ? ORDER BY o.created, o.id`,
    present: `SELECT o.uid, s.namespace FROM objects o JOIN scopes s ON s.id = o.scope WHERE ${ofType} AND o.deleted = 0`,
    unsettled: `SELECT ${names} FROM objects o JOIN scopes s ON s.id = o.scope WHERE ${ofType} AND o.settled = 0 AND o.deleted = 0`,
    unsettledOwned: 'SELECT 1 FROM objects WHERE owner = ? AND settled = 0 AND deleted = 0 LIMIT 1',
    settle: 'UPDATE objects SET settled = 1 WHERE uid = ?',
    // A damaged object stays damaged.
    markDeleted: `UPDATE objects SET deleted = 1, settled = 1, updated = ?2,
      json = CASE checksum WHEN ${storedChecksum} THEN ${withDeletion} ELSE json END,
      checksum = CASE checksum WHEN ${storedChecksum} THEN ${objectChecksum('version', 'owner', 'result', withDeletion)}
        ELSE checksum END
      WHERE uid = ?3 AND deleted = 0`,
    expireLogs: `DELETE FROM logs WHERE pod IN (SELECT uid FROM objects WHERE id IN (${expired}))`,
    expireLabels: `DELETE FROM object_labels WHERE (label, scope, created, id) IN (
      SELECT l.id, o.scope, o.created, o.id FROM objects o, json_each(${readable('o.json')}, '$.metadata.labels') j
      JOIN labels l ON l.key = j.key AND l.value = j.value WHERE o.id IN (${expired}))`,
    used: `SELECT (page_count - freelist_count) * page_size AS bytes
      FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    oldestDeleted: `SELECT max(updated) AS untilMs
      FROM (SELECT updated FROM objects WHERE deleted = 1 ORDER BY updated LIMIT ${shrinkBy})`,
    expire: `DELETE FROM objects WHERE id IN (${expired})`,
  }
  const entries = Object.entries(sql).map(([name, text]) => [name, database.prepare(text)] as const)
  return Object.fromEntries(entries) as Record<keyof typeof sql, ReturnType<DatabaseSyncInstance['prepare']>> // The same names.
}
