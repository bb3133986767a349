import { createStore, useStore } from '../../lib/store'

/**
 * Of this tab's session, as far as it knows.
 * - `active`: somebody is signed in, or nobody has been asked yet.
 * - `ended`: by time or by the gateway; whoever was signed in is still in front of the screen, and may go on.
 * - `signed-out`: by the user, in another tab; what is on the screen is nobody's business any more.
 */
export type SessionState = 'active' | 'ended' | 'signed-out'

const state = createStore<SessionState>('active')
export const { get: sessionState, set: setSessionState, subscribe: onSessionState } = state
export const useSessionState = (): SessionState => useStore(state)
