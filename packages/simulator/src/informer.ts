import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { listWatch } from '@slipway/kube/list-watch'
import type { ListWatchState } from '@slipway/kube/list-watch-machine'
import { nameOf, namespaceOf, uidOf, type KubeList, type KubeObject } from '@slipway/kube/object'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { isNotFound } from '@slipway/kube/status'
import type { WatchEvent } from '@slipway/kube/watch-event'

/**
 * A cache of all objects of one kind, kept up to date by a watch. Callers must not modify the objects. `managedFields`
 * is removed: it is a third of many objects, no controller reads it, and the server retains it when an object is
 * written without it.
 */
export interface Informer<T extends KubeObject> {
  /** Settles after the first complete list, or once it is known that the cluster does not serve the kind. */
  readonly synced: Promise<void>
  get(namespace: string | undefined, name: string): T | undefined
  byUid(uid: string): T | undefined
  /** Objects sorted by namespace and name; of all namespaces if none is given. */
  list(namespace?: string): T[]
  /** Objects with this owner, sorted by namespace and name. */
  ownedBy(uid: string): T[]
  /** Returns a lookup of the objects by the key that `keyOf` returns for them. */
  index(keyOf: (object: T) => string | undefined): (key: string) => T[]
  /** Whether it has seen all changes of its kind up to this version. */
  hasSeen(resourceVersion: string): boolean
  /** Lists again now, because an expected change has not arrived. */
  refresh(): void
  close(): void
}

/** `object` is absent after a deletion, `previous` after a creation. */
export type Change<T extends KubeObject> = { object?: T; previous?: T }

interface InformerOptions<T extends KubeObject> {
  client: KubeClient
  clock: Clock
  type: ResourceType<T>
  onChange(change: Change<T>): void
  /** Called when it has seen a later version, whether or not an object has changed. */
  onSeen?(): void
  onState?(state: ListWatchState): void
  warn(message: string): void
}

const keyOf = (namespace: string | undefined, name: string) => `${namespace ?? ''}/${name}`
const keyOfObject = (object: KubeObject) => keyOf(namespaceOf(object), nameOf(object))
const byKey = <T extends KubeObject>(objects: Iterable<T>): T[] =>
  [...objects].sort((a, b) => (keyOfObject(a) < keyOfObject(b) ? -1 : 1))

/** A watch that lasted at least this long was stable: its end is the regular time-out of the server. */
const stableMs = 60_000

/** Page size of lists: a single response with ten thousand runs would be in memory twice. */
const pageSize = 500

export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  const { client, clock, type, onChange, onSeen = () => {}, warn } = options
  const objects = new Map<string, T>()
  const namespaces = createIndex<T>((object) => [namespaceOf(object) ?? ''])
  const owners = createIndex<T>((object) => object.metadata.ownerReferences?.map(({ uid }) => uid) ?? [])
  const uids = createIndex<T>((object) => [uidOf(object)])
  const indexes = [namespaces, owners, uids]
  let seen = 0n
  let markSynced = () => {}
  const synced = new Promise<void>((resolve) => (markSynced = resolve))

  /** Versions are opaque to clients. This one only compares them to wait for its own writes, as client-go does. */
  const recordVersion = (resourceVersion: string | undefined) => {
    if (!resourceVersion || !/^\d+$/.test(resourceVersion)) return
    const version = BigInt(resourceVersion)
    if (version > seen) seen = version
  }

  function set(key: string, object: T | undefined) {
    delete object?.metadata.managedFields
    const previous = objects.get(key)
    if (previous && object && previous.metadata.resourceVersion === object.metadata.resourceVersion) return
    if (previous) for (const index of indexes) index.remove(previous)
    if (object) {
      objects.set(key, object)
      for (const index of indexes) index.add(object)
    } else {
      objects.delete(key)
    }
    onChange({ object, previous })
  }

  function onList(list: KubeList<T>) {
    if (list.metadata.resourceVersion) isUnserved = false
    recordVersion(list.metadata.resourceVersion)
    const listed = new Map(list.items.map((object) => [keyOfObject(object), object]))
    for (const key of [...objects.keys()]) if (!listed.has(key)) set(key, undefined)
    for (const [key, object] of listed) set(key, object)
    markSynced()
    onSeen()
  }

  function onEvents(events: WatchEvent<T>[]) {
    for (const event of events) {
      if (event.type === 'ERROR') continue
      recordVersion(event.object.metadata.resourceVersion)
      if (event.type === 'BOOKMARK') {
        onSeen()
        continue
      }
      const key = keyOfObject(event.object)
      if (event.type === 'DELETED') set(key, undefined)
      else set(key, event.object)
    }
  }

  async function list(signal: AbortSignal): Promise<KubeList<T>> {
    const list: KubeList<T> = { metadata: {}, items: [] }
    for await (const { metadata, items } of client.pages(type, { limit: pageSize, signal })) {
      list.metadata = metadata
      list.items.push(...items)
    }
    return list
  }

  let isUnserved = false

  /** A kind that is not served has no objects. It is listed again later, since its definition may be created. */
  function onUnserved() {
    if (!isUnserved) warn(`The cluster does not serve ${qualifiedPlural(type)}.`)
    isUnserved = true
    onList({ metadata: {}, items: [] })
  }

  let openedAtMs: number | undefined
  let isResumed = false

  /**
   * Reconnects at once after the regular end of a watch, since a reconcile may be waiting to see a write. Resumes from
   * the last version seen, or lists if the server no longer has the events since then.
   */
  function onState(state: ListWatchState) {
    options.onState?.(state)
    const { connection } = state
    if (connection === 'open') {
      openedAtMs ??= clock.now()
      return
    }
    const wasStable = openedAtMs !== undefined && clock.now() - openedAtMs >= stableMs
    openedAtMs = undefined
    if (connection !== 'closed' || (!wasStable && !isResumed)) return
    isResumed = wasStable
    queueMicrotask(() => (isResumed ? live.resume(String(seen)) : live.refresh()))
  }

  const live = listWatch<T>({
    list: (signal) =>
      list(signal).catch((error: unknown) => {
        if (isNotFound(error)) onUnserved()
        throw error
      }),
    openWatch: (resourceVersion, handlers) =>
      client.watch(type, { resourceVersion, allowWatchBookmarks: true }, handlers),
    onList,
    onEvents,
    onState,
    flushMs: 0,
    clock,
    warn,
  })

  return {
    synced,
    get: (namespace, name) => objects.get(keyOf(namespace, name)),
    byUid: (uid) => uids.get(uid)[0],
    list: (namespace) => byKey(namespace === undefined ? objects.values() : namespaces.get(namespace)),
    ownedBy: (uid) => byKey(owners.get(uid)),
    index(keyOfIndex) {
      const index = createIndex<T>((object) => [keyOfIndex(object)].filter((key) => key !== undefined))
      for (const object of objects.values()) index.add(object)
      indexes.push(index)
      return (key) => byKey(index.get(key))
    },
    hasSeen(resourceVersion) {
      // The object was written, so the kind is served by now.
      if (isUnserved) live.refresh()
      return BigInt(resourceVersion) <= seen
    },
    refresh: () => live.refresh(),
    close: () => live.close(),
  }
}

function createIndex<T extends KubeObject>(keysOf: (object: T) => string[]) {
  const entries = new Map<string, Map<string, T>>()
  return {
    add(object: T) {
      for (const key of keysOf(object)) {
        const members = entries.get(key) ?? new Map<string, T>()
        entries.set(key, members.set(keyOfObject(object), object))
      }
    },
    remove(object: T) {
      for (const key of keysOf(object)) {
        const members = entries.get(key)
        members?.delete(keyOfObject(object))
        if (members?.size === 0) entries.delete(key)
      }
    },
    get: (key: string): T[] => [...(entries.get(key)?.values() ?? [])],
  }
}
