import { useSyncExternalStore } from 'react'

/**
 * Of this tab's session, as far as it knows.
 * - `active`: somebody is signed in, or nobody has been asked yet.
 * - `ended`: by time or by the gateway; whoever was signed in is still in front of the screen, and may go on.
 * - `signed-out`: by the user, in another tab; what is on the screen is nobody's business any more.
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
