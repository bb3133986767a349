import { systemClock, type Clock } from '@slipway/kube/clock'
import { listWatch, type ListWatch } from '@slipway/kube/list-watch'
import type { KubeList, KubeObject, ListMeta } from '@slipway/kube/object'
import type { ListWatchState } from '@slipway/kube/list-watch-machine'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { applyWatchEvents, type WatchEvent } from '@slipway/kube/watch-event'
import type { Query, QueryClient } from '@tanstack/react-query'
import { createEmitter } from '../../lib/store'
import { onAccessChange } from '../access/access'
import { cluster, openWatchSocket } from '../client'
import { startIdle, waitForTurnMs } from './idle'
import { setLiveState } from './live-state'
import { onRecovery } from './outage'
import { openWatch } from './watch-socket'
import type { WatchTarget } from '../queries'
import { knownTypes, type ServedTypes } from '../served-types'

/** How long an unused watch stays open, so that returning to a page or moving a component does not reopen it. */
const graceMs = 5_000

const reconnection = createEmitter()

/** Reconnects every watch that is waiting to retry, such as when the user asks for it: a back-off can last a minute. */
export const reconnectNow = reconnection.emit
export const onReconnect = reconnection.subscribe

/**
 * Keeps every list and object on screen up to date, with one watch per query however many components use it, and lists
 * that are polled without one. A watch is closed when its query is no longer used. It starts from the query's own read
 * and continues from any later one. Returns a function that closes all watches.
 */
export function startLive(queryClient: QueryClient, clock: Clock = systemClock): () => void {
  const cache = queryClient.getQueryCache()
  const watches = new Map<Query, { watch: ListWatch | undefined; types?: ServedTypes; stopClosing?: () => void }>()

  const retain = (query: Query) => {
    const known = watches.get(query)
    if (known) {
      known.stopClosing?.()
      return
    }
    const target = query.meta?.watch
    if (!target || !query.isActive()) return
    const entry: { watch: ListWatch | undefined; types?: ServedTypes } = { watch: undefined }
    watches.set(query, entry)
    // The component that has just mounted decides, after this, whether to fetch the query first.
    queueMicrotask(() => {
      if (watches.get(query) !== entry) return
      entry.types = knownTypes(target.type)
      entry.watch = watchEach(queryClient, query, { ...target, types: entry.types }, clock)
    })
  }

  const release = (query: Query) => {
    const entry = watches.get(query)
    if (!entry || query.isActive()) return
    entry.stopClosing?.()
    entry.stopClosing = clock.after(graceMs, () => forget(query))
  }

  const forget = (query: Query) => {
    const entry = watches.get(query)
    entry?.stopClosing?.()
    watches.delete(query)
    entry?.watch?.close()
  }

  const unsubscribe = cache.subscribe((event) => {
    if (event.type === 'observerAdded') retain(event.query)
    else if (event.type === 'observerRemoved') release(event.query)
    // A component may have enabled or disabled the query.
    else if (event.type === 'observerOptionsUpdated') (event.query.isActive() ? retain : release)(event.query)
    else if (event.type === 'removed') forget(event.query)
    else if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) {
      const { watch, types } = watches.get(event.query) ?? {}
      const target = event.query.meta?.watch
      // The first read has discovered which groups serve the kind.
      if (watch && target && types && groupsOf(types) !== groupsOf(knownTypes(target.type))) {
        forget(event.query)
        retain(event.query)
      }
      // Only lists: an object's version is older than the read, so its watch cannot continue from it.
      else if (target?.target === 'list') watch?.adopt(event.query.state.data as KubeList)
    }
  })
  for (const query of cache.getAll()) retain(query)

  const wake = () => {
    if (document.visibilityState === 'hidden') return
    for (const { watch } of watches.values()) watch?.wake()
  }
  /** After a change of network, connections through the old one are dead, whether the browser knows it or not. */
  const reconnect = () => {
    for (const { watch } of watches.values()) watch?.refresh()
  }
  /** A watch goes on when its right is taken, unless the gateway ends it: only a new list shows whether it may. */
  const recheck = (namespace: string) => {
    for (const [query, { watch }] of watches) if (query.meta?.watch?.namespace === namespace) watch?.refresh()
  }
  const listening = new AbortController()
  document.addEventListener('visibilitychange', wake, listening)
  globalThis.addEventListener('pageshow', wake, listening)
  globalThis.addEventListener('focus', wake, listening)
  globalThis.addEventListener('online', reconnect, listening)
  // When an outage ends, there is no reason to wait for the end of a back-off.
  const stops = [
    unsubscribe,
    startIdle(wake, clock),
    onRecovery(wake),
    reconnection.subscribe(wake),
    onAccessChange((namespace, by) => by === 'rules' && recheck(namespace)),
  ]
  return () => {
    for (const stop of stops) stop()
    listening.abort()
    for (const query of [...watches.keys()]) forget(query)
  }
}

const groupsOf = (types: ServedTypes): string => types.map(({ group }) => group).join()

/** One watch in each group that serves the kind. They are only as live as the one that is not. */
function watchEach(
  queryClient: QueryClient,
  query: Query,
  { types, ...target }: WatchTarget & { types: ServedTypes },
  clock: Clock,
): ListWatch {
  const states = types.map((): ListWatchState => ({ connection: 'init', isPolling: false }))
  const watches = types.map((type, index) =>
    watchQuery(queryClient, query, { ...target, type }, clock, (state) => {
      states[index] = state
      const worst = states.find(({ connection }) => connection !== 'open') ?? state
      setLiveState(query, worst.connection === 'destroyed' ? undefined : worst)
    }),
  )
  const each = (act: (watch: ListWatch) => void) => () => watches.forEach(act)
  return {
    adopt: ({ metadata }) =>
      watches.forEach((watch, index) => watch.adopt({ metadata: metadataIn(metadata, types[index] ?? target.type) })),
    resume: (resourceVersion) => watches.forEach((watch) => watch.resume(resourceVersion)),
    refresh: each((watch) => watch.refresh()),
    wake: each((watch) => watch.wake()),
    close: each((watch) => watch.close()),
  }
}

/** Of a list of several groups: the version of one of them. */
const metadataIn = ({ resourceVersions, ...rest }: ListMeta, type: ResourceType): ListMeta =>
  resourceVersions ? { ...rest, resourceVersion: resourceVersions[apiVersionOf(type)] } : rest

function watchQuery(
  queryClient: QueryClient,
  query: Query,
  target: WatchTarget,
  clock: Clock,
  onState: (state: ListWatchState) => void,
): ListWatch {
  const { data, dataUpdatedAt, fetchStatus } = query.state
  const isObject = target.target === 'object'
  const isListed = data !== undefined && fetchStatus === 'idle' && !query.state.isInvalidated
  return listWatch({
    clock,
    initial: isListed
      ? { resourceVersion: metadataIn((data as KubeList).metadata, target.type).resourceVersion, asOf: dataUpdatedAt }
      : undefined,
    // Joins a read in flight. `listWatch` has its own back-off, so the read must fail at once.
    // The cast is needed because the cache does not know the type of a query's data.
    list: isObject
      ? (signal) => listObject(queryClient, query, target, signal)
      : async () => {
          const list = (await query.fetch({ ...query.options, retry: false })) as KubeList
          return { ...list, metadata: metadataIn(list.metadata, target.type) }
        },
    openWatch: (resourceVersion, handlers) => openWatch(openWatchSocket, target, resourceVersion, handlers),
    onEvents: (events) => {
      if (!isObject)
        queryClient.setQueryData<KubeList>(query.queryKey, (list) => list && applyToList(list, events, target.type))
      else for (const event of events) if (isShownFrom(target.type, query)) applyToObject(queryClient, query, event)
    },
    onState,
    random: Math.random,
    postponeMs: waitForTurnMs,
  })
}

/**
 * Lists the one object, since a list, unlike an object, says from which version to watch. The first time, the object's
 * own read must do: its version is usually recent enough, and if the server rejects it, this function is called again.
 */
async function listObject(
  queryClient: QueryClient,
  query: Query,
  { type, namespace, fields }: WatchTarget,
  signal: AbortSignal,
): Promise<KubeList> {
  if (query.state.data === undefined) {
    const { metadata } = (await query.fetch({ ...query.options, retry: false })) as KubeObject
    return { metadata: { resourceVersion: metadata.resourceVersion }, items: [] }
  }
  const list = await cluster.list(type, { namespace, fields, signal })
  const [object] = list.items
  if (!isShownFrom(type, query)) return list
  if (object) queryClient.setQueryData(query.queryKey, object)
  // The object was deleted: its own read fails with a 404 or returns the archived object.
  else void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
  return list
}

function applyToList(list: KubeList, events: WatchEvent[], type: ResourceType): KubeList {
  const { resourceVersions } = list.metadata
  const applied = applyWatchEvents(list, events)
  if (!resourceVersions) return applied
  const { resourceVersion = resourceVersions[apiVersionOf(type)] } = applied.metadata
  return { ...applied, metadata: { resourceVersions: { ...resourceVersions, [apiVersionOf(type)]: resourceVersion } } }
}

/** Whether the object on screen is not the one that has the same name in another group. */
function isShownFrom(type: ResourceType, { state }: Query): boolean {
  const { apiVersion } = (state.data ?? {}) as Partial<KubeObject>
  return apiVersion === undefined || apiVersion === apiVersionOf(type)
}

function applyToObject(queryClient: QueryClient, { queryKey }: Query, { type, object }: WatchEvent): void {
  if (type === 'ADDED' || type === 'MODIFIED') queryClient.setQueryData(queryKey, object)
  else if (type === 'DELETED') void queryClient.invalidateQueries({ queryKey, exact: true })
}
