import { type Query, type QueryCache, type QueryKey, hashKey, useQueryClient } from '@tanstack/react-query'
import { onClockOffset, toServerTime } from '../../lib/server-clock'
import { isShallowEqual } from '../../lib/shallow-equal'
import { type Store, useStore } from '../../lib/store'
import { useKeyed } from '../../lib/use-keyed'
import { offlineSince, onConnectivity } from './connectivity'
import { liveStateOf, onLiveState } from './live-state'
import { failureText } from '../messages'
import { currentOutage, onOutage } from './outage'
import { queryClient } from '../query-client'

/**
 * How far the data in a panel can be trusted.
 * - `live`: every change arrives through an open watch.
 * - `polling`: refetched at intervals, since there is no live connection (`reason`).
 * - `stale`: the connection is lost, the last read failed, or the cluster does not respond (`reason`); `asOf` is the
 *   age of the data, `undefined` without any.
 * - `offline`: like `stale`, and the browser has been offline since `since`.
 * - `loading`: nothing is known yet, or the first live connection is being opened.
 * - `static`: read once, at `asOf`, and not updated.
 */
export interface Freshness {
  kind: 'live' | 'polling' | 'stale' | 'offline' | 'loading' | 'static'
  /** When the data was last known to be current; `undefined` without data. */
  asOf?: Date
  reason?: string
  /** When the network was lost; only for `offline`. */
  since?: Date
}

/** @param queryKey of a query in the application's cache */
export const freshnessOf = (queryKey: QueryKey): Freshness => stateOf(queryClient.getQueryCache().find({ queryKey }))

type Queries = readonly { queryKey: QueryKey; isAside?: boolean }[]

/** The freshness of several queries together: the one that can be trusted least decides, of those that are not aside. */
export const useFreshness = (queries: Queries): Freshness => useFreshnessOfEach([queries])[0] ?? noData

/** The freshness of each of several groups of queries; the component re-renders only when one changes. */
export function useFreshnessOfEach(groups: readonly Queries[]): readonly Freshness[] {
  const cache = useQueryClient().getQueryCache()
  const hashes = groups.map((queries) => queries.flatMap(({ queryKey, isAside }) => (isAside ? [] : hashKey(queryKey))))
  return useStore(useKeyed(JSON.stringify(hashes), () => freshnessStore(cache, hashes)))
}

function freshnessStore(cache: QueryCache, groups: readonly (readonly string[])[]): Store<readonly Freshness[]> {
  const hashes = new Set(groups.flat())
  let last: readonly Freshness[] = []
  return {
    subscribe(onChange) {
      const onQuery = (query: Query) => {
        if (hashes.has(query.queryHash)) onChange()
      }
      const stops = [
        cache.subscribe(({ query }) => onQuery(query)),
        onLiveState(onQuery),
        onConnectivity(onChange),
        onOutage(onChange),
        onClockOffset(onChange),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    get() {
      const next = groups.map((group) => group.map((hash) => stateOf(cache.get(hash))).reduce(leastTrusted, noData))
      if (!isShallowEqual(last, next)) last = next
      return last
    },
  }
}

/** In order, from what can be trusted most to what can be trusted least. */
const kinds = ['live', 'static', 'polling', 'loading', 'stale', 'offline'] as const

/** Larger for what can be trusted less. */
export const distrustOf = (kind: Freshness['kind']): number => kinds.indexOf(kind)

const leastTrusted = (worst: Freshness, next: Freshness, at: number): Freshness => {
  if (at === 0) return next
  const difference = distrustOf(next.kind) - distrustOf(worst.kind)
  const isOlder = (next.asOf?.getTime() ?? 0) < (worst.asOf?.getTime() ?? 0)
  return difference > 0 || (difference === 0 && isOlder) ? next : worst
}

const noData: Freshness = { kind: 'loading' }
const last = new WeakMap<Query, Freshness>()

/** Returns the same object until something changes, as a store's snapshot must. */
function stateOf(query: Query | undefined): Freshness {
  if (!query) return noData
  const next = compute(query)
  const previous = last.get(query)
  if (
    previous?.kind === next.kind &&
    previous.reason === next.reason &&
    previous.since === next.since &&
    previous.asOf?.getTime() === next.asOf?.getTime()
  ) {
    return previous
  }
  last.set(query, next)
  return next
}

function compute(query: Query): Freshness {
  const { data, dataUpdatedAt, error, fetchFailureReason } = query.state
  const live = liveStateOf(query)
  const since = offlineSince()
  const outage = currentOutage()
  const isOpen = live?.connection === 'open'
  // Silence on an open connection means that nothing has changed.
  const goodUntil = (isOpen && (since ?? outage?.since)?.getTime()) || 0
  const updatedAt = toServerTime(Math.max(dataUpdatedAt, live?.asOf ?? 0))
  const asOf = data === undefined ? undefined : new Date(Math.max(updatedAt, goodUntil))
  // A socket that claims to be open while no call gets through is not worth more than the calls.
  if (outage && !since) return { kind: 'stale', asOf, reason: outage.reason }
  // A connection that has received nothing since the network was lost does not know yet that it is dead.
  if (isOpen && !(since && updatedAt < since.getTime())) return { kind: 'live', asOf }
  const failure = error ?? fetchFailureReason
  const reason = failure ? failureText(failure) : live?.reason
  if (since && data !== undefined) return { kind: 'offline', asOf, reason, since }
  if (live?.isPolling && !failure) return { kind: 'polling', asOf, reason }
  if (reason) return { kind: 'stale', asOf, reason }
  // A query that is about to be watched counts as loading until its watch has a state.
  if (data === undefined || live || query.meta?.watch) return { kind: 'loading', asOf }
  return { kind: 'static', asOf }
}
