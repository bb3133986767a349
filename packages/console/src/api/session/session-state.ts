import { useSyncExternalStore } from 'react'

/**
 * The state of the session, as far as this tab knows.
 * - `active`: a user is signed in, or the gateway has not been asked yet.
 * - `ended`: expired, or ended by the gateway. The user may still be here, and can continue after signing in again.
 * - `signed-out`: the user signed out in another tab, so that the page must be covered.
 */
export type SessionState = 'active' | 'ended' | 'signed-out'

let state: SessionState = 'active'
const listeners = new Set<(state: SessionState) => void>()

export const sessionState = (): SessionState => state

export function setSessionState(next: SessionState): void {
  if (state === next) return
  state = next
  for (const listener of listeners) listener(state)
}

export function onSessionState(listener: (state: SessionState) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSessionState = (): SessionState => useSyncExternalStore(onSessionState, sessionState)
