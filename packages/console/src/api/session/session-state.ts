import { createStore, useStore } from '../../lib/store'

/**
 * The state of the session, as far as this tab knows.
 * - `active`: a user is signed in, or the gateway has not been asked yet.
 * - `ended`: expired, or ended by the gateway. The user may still be here, and can continue after signing in again.
 * - `signed-out`: the user signed out in another tab, so that the page must be covered.
 */
export type SessionState = 'active' | 'ended' | 'signed-out'

const state = createStore<SessionState>('active')
export const { get: sessionState, set: setSessionState, subscribe: onSessionState } = state
export const useSessionState = (): SessionState => useStore(state)
