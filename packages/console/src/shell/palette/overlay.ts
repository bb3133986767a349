import { useSyncExternalStore } from 'react'

/** What a key has opened over the page. */
export type Overlay = 'palette' | 'keys'

let shown: Overlay | undefined
const listeners = new Set<() => void>()

export function show(next: Overlay | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useOverlay = (): Overlay | undefined => useSyncExternalStore(subscribe, () => shown)
