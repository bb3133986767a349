import { useSyncExternalStore } from 'react'

export interface Emitter<Args extends unknown[]> {
  /** Returns an unsubscribe function. */
  subscribe: (listener: (...args: Args) => void) => () => void
  emit: (...args: Args) => void
  hasListeners: () => boolean
}

export function createEmitter<Args extends unknown[] = []>(): Emitter<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit: (...args) => {
      for (const listener of listeners) listener(...args)
    },
    hasListeners: () => listeners.size > 0,
  }
}

export interface Store<T> {
  get: () => T
  /** Returns an unsubscribe function. */
  subscribe: (onChange: () => void) => () => void
}

/** A value outside React. Setting it to its current value does not notify listeners. */
export function createStore<T>(initial: T): Store<T> & { set: (value: T) => void } {
  const { subscribe, emit } = createEmitter()
  let value = initial
  return {
    get: () => value,
    subscribe,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      emit()
    },
  }
}

export const useStore = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get, get)
