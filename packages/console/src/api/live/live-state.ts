import type { ListWatchState } from '@slipway/kube/list-watch'
import type { Query } from '@tanstack/react-query'

/** The state of each query's live connection; a query without a watch has none. */
const states = new WeakMap<object, ListWatchState>()
type Listener = (query: Query, state: ListWatchState | undefined) => void
const listeners = new Set<Listener>()

export const liveStateOf = (query: Query): ListWatchState | undefined => states.get(query)

export const isLive = (query: object): boolean => states.get(query)?.connection === 'open'

export function setLiveState(query: Query, state: ListWatchState | undefined): void {
  if (state) states.set(query, state)
  else states.delete(query)
  for (const listener of listeners) listener(query, state)
}

export function onLiveState(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
