import { uidOf, type KubeObject } from '@slipway/kube/object'
import type { ClientView } from '@slipway/views/client'
import { mostRows, type ViewQuery } from '@slipway/views/frame'
import {
  hashKey,
  type QueryClient,
  type QueryFunctionContext,
  type QueryKey,
  queryOptions,
  replaceEqualDeep,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { type Store, useStore } from '../../lib/store'
import { useKeyed } from '../../lib/use-keyed'
import { setLiveState } from '../live/live-state'
import { reconnectNow } from '../live/live'
import type { Source } from '../source'
import { initialViewState, type OpenedView, type ViewState } from './view-connection'
import { firstState, openView } from './open-view'
import { givenWindow } from './given-window'
import { firstWindow, readWindow } from './read-window'
import { liveStateOfView, sourceOfView } from './view-source'

const pageRows = 100

/** What a page wants to see; how many rows follows from scrolling. */
export type RowsQuery = Omit<ViewQuery, 'limit' | 'offset' | 'around'>

/**
 * The rows of a view, and everything that tables, badges and alerts need to know about them.
 * @param name what is listed, as used in a sentence: `pipeline runs`
 * @param rows how many rows are shown first, and how many more with each scroll to the end
 */
export function useView<T extends KubeObject>(query: RowsQuery, name: string, rows = pageRows): Source<T> {
  const queryClient = useQueryClient()
  const queryHash = hashKey([query])
  const [grown, setGrown] = useState(() => {
    const { limit = rows } = queryClient.getQueryData<RememberedView>(memoryKey(query)) ?? {}
    return { queryHash, limit }
  })
  const limit = grown.queryHash === queryHash ? grown.limit : rows
  return useOpenView({ ...query, limit }, name, () => setGrown({ queryHash, limit: limit + rows }))
}

/**
 * All rows of a view, for a page that joins them with other rows before it sorts and filters them. There must be few,
 * such as one of each component.
 */
export function useWholeView<T extends KubeObject>(query: RowsQuery, name: string): Source<T> {
  const [limit, setLimit] = useState(mostRows)
  const { window, more, ...source } = useOpenView<T>({ ...query, limit }, name, nothingToGrow)
  const total = window?.total ?? 0
  if (total > limit) setLimit(Math.ceil(total / mostRows) * mostRows)
  return { ...source, more: more && { ...more, isLoading: true } }
}

const nothingToGrow = () => undefined

/** @param grow shows more rows */
function useOpenView<T extends KubeObject>(query: ViewQuery, name: string, grow: () => void): Source<T> {
  const id = useId()
  const queryClient = useQueryClient()
  const { kind, namespaces } = query
  const queryKey = ['view', kind, namespaces, id]
  // A page that is rendered on a server opens nothing: what it asks for is read between two renderings.
  if (import.meta.env.SSR) queryClient.getQueryCache().build(queryClient, viewWindow(query))
  const store = useKeyed(hashKey([kind, namespaces]), () => viewStore(query, queryClient, queryKey))
  const state = useStore(store)
  useEffect(() => store.change(query))
  return sourceOfView<T>(state, { name, namespaces, queryKey, grow, retry: reconnectNow })
}

/** What a page showed last, so that it is there at once, at the same scroll position, when a user comes back. */
interface RememberedView {
  view: ClientView
  limit: number
}

const memoryKey = ({ limit: _, ...query }: RowsQuery & Partial<Pick<ViewQuery, 'limit'>>): QueryKey => [
  'last view',
  query,
]

/**
 * For `waitFor` of a page: reads the rows that its view will show first, which then has them at once. Succeeds without them
 * if they are not to be expected soon.
 */
export const viewAhead = (rows: RowsQuery) =>
  queryOptions({
    queryKey: ['view ahead', rows],
    queryFn: async ({ client, signal }) => {
      const query = { ...rows, limit: pageRows }
      const first = await (import.meta.env.SSR ? readWindow(query, signal) : firstWindow(query, signal))
      rememberFirst(client, query, first && isComplete(first) ? first : (await firstState(query)).view)
      return null
    },
    ...eachVisit,
  })

/**
 * For `waitFor` of a page that is shown at once when a user comes from another page: on a first visit its rows are requested
 * together with its script, so that they are there when it is rendered.
 * @param limit how many rows its view shows first
 */
export const viewOfFirstVisit = (rows: RowsQuery, limit = pageRows) =>
  queryOptions({
    queryKey: ['view of first visit', rows],
    queryFn: async ({ client, signal }) => {
      const query = { ...rows, limit }
      const first = await (import.meta.env.SSR ? readWindow(query, signal) : firstWindow(query, signal))
      if (first) rememberFirst(client, query, first)
      return null
    },
    ...eachVisit,
  })

const eachVisit = { staleTime: 0, gcTime: 0 }

/** Reads the rows that a view shows first, once, from the service for views. */
const viewWindow = (query: ViewQuery) => ({
  queryKey: ['view window', query],
  async queryFn({ client, signal }: QueryFunctionContext) {
    rememberFirst(client, query, await readWindow(query, signal))
    return null
  },
})

/** A view then begins with these rows, if they are all that it shows. */
function rememberFirst(client: QueryClient, query: ViewQuery, view: ClientView): void {
  const first: RememberedView = { view, limit: query.limit }
  if (isComplete(view)) client.setQueryData(memoryKey(query), first)
}

const arrivingMs = 50

const isComplete = (view: ClientView): boolean =>
  !isBeingRead(view) && view.denied.length === 0 && view.unknown.length === 0

/** A view that is open while a component shows it. Its freshness is that of a query of the cache, as for any list. */
function viewStore(
  first: ViewQuery,
  queryClient: QueryClient,
  queryKey: QueryKey,
): Store<ViewState> & { change(query: ViewQuery): void } {
  let wanted = first
  const given = givenWindow(first)
  let remembered =
    queryClient.getQueryData<RememberedView>(memoryKey(first))?.view ?? (given && isComplete(given) ? given : undefined)
  const sameRows = createRowSharing()
  let state: ViewState = remembered ? { ...initialViewState, view: remembered, isChanging: true } : initialViewState
  let opened: OpenedView | undefined

  function record({ view }: ViewState) {
    const live = liveStateOfView(state, Date.now())
    // No component observes it, so the cache would drop it while nothing changes. It is removed with the view.
    const query = queryClient.getQueryCache().build(queryClient, { queryKey, gcTime: Infinity })
    if (!view.isPending) queryClient.setQueryData(queryKey, view, { updatedAt: live.asOf })
    setLiveState(query, live)
  }

  /** What was shown before stays until all of it has been read again, or is denied. */
  function withMemory(current: ViewState): ViewState {
    const { host, view } = current
    if (!remembered) return { ...current, view: sameRows.shared(view) }
    const isRead = host && (!isBeingRead(view) || view.denied.length > 0 || view.unknown.length > 0)
    if (!isRead) {
      const { stale } = view
      const isFailing = Object.keys(stale).length > 0
      return { ...current, host: isFailing ? host : undefined, view: { ...remembered, stale }, isChanging: true }
    }
    sameRows.compare(remembered.rows, view.rows)
    remembered = undefined
    return { ...current, view: sameRows.shared(view) }
  }

  return {
    subscribe(onChange) {
      let arriving: ReturnType<typeof setTimeout> | undefined
      const update = () => {
        clearTimeout(arriving)
        arriving = undefined
        state = withMemory(own.state)
        record(state)
        onChange()
      }
      const own = openView(wanted, () => {
        // The lists of several namespaces arrive one after the other: each would render the page again.
        if (opened === own && isBeingRead(own.state.view)) arriving ??= setTimeout(update, arrivingMs)
        else update()
      })
      opened = own
      state = withMemory(own.state)
      record(state)
      return () => {
        if (!state.isChanging && !isBeingRead(state.view)) {
          const last: RememberedView = { view: state.view, limit: wanted.limit }
          queryClient.setQueryData(memoryKey(wanted), last)
        }
        clearTimeout(arriving)
        own.close()
        opened = undefined
        queryClient.removeQueries({ queryKey, exact: true })
      }
    },
    get: () => state,
    change(next) {
      if (hashKey([next]) === hashKey([wanted])) return
      wanted = next
      remembered = undefined
      opened?.change(next)
    },
  }
}

/** Rows that are equal to those shown before stay the same objects, so that they are not rendered again. */
function createRowSharing() {
  const before = new WeakMap<KubeObject, KubeObject>()
  let isEmpty = true
  let last: { view: ClientView; shared: ClientView } | undefined
  return {
    compare(shown: readonly KubeObject[], next: readonly KubeObject[]): void {
      const known = new Map(shown.map((row) => [uidOf(row), row]))
      for (const row of next) {
        const old = known.get(uidOf(row))
        if (old && replaceEqualDeep(old, row) === old) before.set(row, old)
      }
      isEmpty = known.size === 0
    },
    shared(view: ClientView): ClientView {
      if (isEmpty) return view
      if (last?.view !== view)
        last = { view, shared: { ...view, rows: view.rows.map((row) => before.get(row) ?? row) } }
      return last.shared
    },
  }
}

const isBeingRead = ({ isPending, loading }: ClientView): boolean => isPending || loading.length > 0
