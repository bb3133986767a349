import { systemClock, type Clock } from '@slipway/kube/clock'
import { formatFieldMask } from '@slipway/kube/field-mask'
import { listWatch, type ListWatch, type WatchHandlers } from '@slipway/kube/list-watch'
import type { KubeList, KubeObject } from '@slipway/kube/object'
import { queryString, resourcePath } from '@slipway/kube/path'
import { formatFieldSelector, formatLabelSelector } from '@slipway/kube/selector'
import { applyWatchEvents, type WatchEvent } from '@slipway/kube/watch-event'
import type { Query, QueryClient } from '@tanstack/react-query'
import { createEmitter } from '../../lib/store'
import { client, openWatchSocket } from '../client'
import { startIdle, waitForTurnMs } from './idle'
import { setLiveState } from './live-state'
import { onRecovery } from './outage'
import type { WatchTarget } from '../queries'

/** A page that is left and come back to, or a component that moves, keeps its watch. */
const graceMs = 5_000

const reconnection = createEmitter()

/** Connects what waits for its turn, such as when a user asks for it: a back-off lasts up to a minute. */
export const reconnectNow = reconnection.emit

/**
 * Keeps every list and object that is on screen up to date: one watch per query however many components read it,
 * closed when nobody looks. The first list of a watch is the query's own read, and a later read of the query, whoever asked for
 * it, is where the watch goes on from. Answers how to stop.
 */
export function startLive(queryClient: QueryClient, clock: Clock = systemClock): () => void {
  const cache = queryClient.getQueryCache()
  const watches = new Map<Query, { watch: ListWatch | undefined; stopClosing?: () => void }>()

  const look = (query: Query) => {
    const known = watches.get(query)
    if (known) {
      known.stopClosing?.()
      return
    }
    const target = query.meta?.watch
    if (!target || !query.isActive()) return
    const entry: { watch: ListWatch | undefined } = { watch: undefined }
    watches.set(query, entry)
    // The component that has just come decides, after this, whether the query is read first.
    queueMicrotask(() => {
      if (watches.get(query) === entry) entry.watch = watchQuery(queryClient, query, target, clock)
    })
  }

  const leave = (query: Query) => {
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
    if (event.type === 'observerAdded') look(event.query)
    else if (event.type === 'observerRemoved') leave(event.query)
    // A reader may begin or cease to want the list (`enabled`).
    else if (event.type === 'observerOptionsUpdated') (event.query.isActive() ? look : leave)(event.query)
    else if (event.type === 'removed') forget(event.query)
    else if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) {
      // The version of an object is older than the moment it was read at: its watch has nothing to learn from it.
      if (event.query.meta?.watch?.target === 'list') {
        watches.get(event.query)?.watch?.adopt(event.query.state.data as KubeList)
      }
    }
  })
  for (const query of cache.getAll()) look(query)

  const wake = () => {
    if (document.visibilityState === 'hidden') return
    for (const { watch } of watches.values()) watch?.wake()
  }
  /** Another network: what was connected through the old one is dead, whether the browser knows it or not. */
  const reconnect = () => {
    for (const { watch } of watches.values()) watch?.refresh()
  }
  const listening = new AbortController()
  document.addEventListener('visibilitychange', wake, listening)
  globalThis.addEventListener('pageshow', wake, listening)
  globalThis.addEventListener('focus', wake, listening)
  globalThis.addEventListener('online', reconnect, listening)
  // A back-off of up to a minute has lost its reason when an outage ends.
  const stops = [unsubscribe, startIdle(wake, clock), onRecovery(wake), reconnection.subscribe(wake)]
  return () => {
    for (const stop of stops) stop()
    listening.abort()
    for (const query of [...watches.keys()]) forget(query)
  }
}

function watchQuery(queryClient: QueryClient, query: Query, target: WatchTarget, clock: Clock): ListWatch {
  const { data, dataUpdatedAt, fetchStatus } = query.state
  const isObject = target.target === 'object'
  const isListed = data !== undefined && fetchStatus === 'idle' && !query.state.isInvalidated
  return listWatch({
    clock,
    initial: isListed
      ? { resourceVersion: (data as KubeList).metadata.resourceVersion, asOf: dataUpdatedAt }
      : undefined,
    // Joins a read that is under way. The machine has a back-off of its own, so that a read fails at once here.
    // The type of the data is the query's, which its key tells and the cache does not.
    list: isObject
      ? (signal) => listObject(queryClient, query, target, signal)
      : () => query.fetch({ ...query.options, retry: false }) as Promise<KubeList>,
    openWatch: (resourceVersion, handlers) => openWatch(target, resourceVersion, handlers),
    onEvents: (events) => {
      if (isObject) for (const event of events) applyToObject(queryClient, query, event)
      else queryClient.setQueryData<KubeList>(query.queryKey, (list) => list && applyWatchEvents(list, events))
    },
    onState: (state) => setLiveState(query, state.connection === 'destroyed' ? undefined : state),
    random: Math.random,
    postponeMs: waitForTurnMs,
  })
}

/**
 * The list that has one object or none: unlike the object itself it tells from which version to watch. The first time
 * the object's own read has to do: its version is mostly young enough, and a refusal leads here again.
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
  const list = await client.list(type, { namespace, fields, signal })
  const [object] = list.items
  if (object) queryClient.setQueryData(query.queryKey, object)
  // It is gone: its own read says so, or brings what an archive has kept.
  else void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true })
  return list
}

function applyToObject(queryClient: QueryClient, { queryKey }: Query, { type, object }: WatchEvent): void {
  if (type === 'ADDED' || type === 'MODIFIED') queryClient.setQueryData(queryKey, object)
  else if (type === 'DELETED') void queryClient.invalidateQueries({ queryKey, exact: true })
}

function openWatch(
  { type, namespace, labels, fields, mask }: WatchTarget,
  resourceVersion: string | undefined,
  { onOpen, onMessage, onClose }: WatchHandlers,
): { close(): void } {
  const query = queryString({
    watch: true,
    // So that silence means a dead connection: soon where the gateway knows of it, in minutes by bookmarks alone.
    heartbeat: true,
    allowWatchBookmarks: true,
    resourceVersion,
    labelSelector: labels && formatLabelSelector({ matchLabels: labels }),
    fieldSelector: fields && formatFieldSelector(fields),
    fieldMask: formatFieldMask(mask),
  })
  const socket = openWatchSocket(`${resourcePath(type, { namespace })}${query}`)
  socket.onopen = onOpen
  // Text frames are what the server of a watch sends; the name of the subprotocol notwithstanding.
  socket.onmessage = ({ data }) => onMessage(String(data))
  socket.onclose = ({ code }) => onClose(code)
  return {
    close() {
      socket.onopen = socket.onmessage = socket.onclose = null
      socket.close()
    },
  }
}
