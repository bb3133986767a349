import type { ListWatchState } from '@slipway/kube/list-watch-machine'
import type { Query } from '@tanstack/react-query'
import { createEmitter } from '../../lib/store'

/** The state of each query's live connection; a query without a watch has none. */
const states = new WeakMap<object, ListWatchState>()
const { emit, subscribe } = createEmitter<[query: Query, state: ListWatchState | undefined]>()

export const liveStateOf = (query: Query): ListWatchState | undefined => states.get(query)

export const isLive = (query: object): boolean => states.get(query)?.connection === 'open'

export function setLiveState(query: Query, state: ListWatchState | undefined): void {
  if (state) states.set(query, state)
  else states.delete(query)
  emit(query, state)
}

export const onLiveState = subscribe
