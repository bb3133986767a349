import { asRecord } from '@slipway/kube/parse'
import { ApiError } from '@slipway/kube/status'
import { queryOptions } from '@tanstack/react-query'
import { basePath } from '../../lib/base-path'
import { createStore } from '../../lib/store'
import { stored } from '../../lib/stored'
import { gateway, navigate, onRefusal, send } from '../client'
import { queryClient } from '../query-client'
import { sessionState, setSessionState } from './session-state'

export interface User {
  email: string
  preferredUsername: string
}

/** The user who was signed in last, for what must name the user before the gateway has responded. */
export const storedUser = stored<User | undefined>('__user_session__', userOf)

/** Ends the keys of what each user of a browser has chosen: `@jane@example.com`. */
export function userSuffix(): string {
  const email = storedUser.get()?.email
  return email ? `@${email}` : ''
}

function userOf(value: unknown): User | undefined {
  const { email, preferredUsername } = asRecord(value)
  if (typeof email !== 'string' || !email) return undefined
  return { email, preferredUsername: typeof preferredUsername === 'string' ? preferredUsername : '' }
}

const userKey = ['session', 'user'] as const

/** Fetches the user who is signed in. @throws ApiError with `isSessionEnd` if there is none */
async function fetchUser(signal?: AbortSignal): Promise<User> {
  const url = '/oauth2/userinfo'
  const user = userOf(await gateway.request(url, { signal }))
  if (!user)
    throw new ApiError({ code: 200, reason: 'InvalidAnswer', url, message: 'The session does not name a user.' })
  return user
}

const knownUser = () => queryClient.getQueryData<User>(userKey)

export const userQuery = queryOptions({
  queryKey: userKey,
  queryFn: async ({ signal }) => {
    const user = await fetchUser(signal)
    const known = knownUser()
    storedUser.set(user)
    if (!known) notifyTabs({ kind: 'signed-in', email: user.email })
    else if (known.email !== user.email) reloadForNewUser()
    return user
  },
  // Refetched when the tab gets the focus, at most once a minute.
  staleTime: 60_000,
})

/**
 * Another user has signed in from another tab: everything here was read as the previous user. The fragment is dropped,
 * since a browser would only scroll to it.
 */
const reloadForNewUser = () => navigate(location.pathname + location.search)

/** The sign-in URL that leads back to a location of the browser, including its query and fragment. */
export const signInUrl = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  `${basePath}/oauth2/sign_in?rd=${encodeURIComponent(pathname + search + hash)}`

/** The messages that tabs exchange. */
type Message = { kind: 'ended' } | { kind: 'signed-out' } | { kind: 'signed-in'; email: string }

let channel: BroadcastChannel | undefined

/** `undefined` in a browser that forbids it. */
function channelOfTabs(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(`slipway-session${basePath}`)
  } catch {
    return undefined
  }
}

function notifyTabs(message: Message): void {
  // Without a channel (not started, or forbidden by the browser) the other tabs find out by themselves.
  channel?.postMessage(message)
}

/**
 * Watches over the session. Returns a function that stops it. Without a session, a tab that is just being opened goes
 * to the sign-in page. A tab in use keeps its content and input: all tabs learn that the session is over, stop sending
 * requests, and resume once the same user has signed in again in any of them.
 */
export function startSession(): () => void {
  let isLeaving = false
  let isChecking = false
  let mustCheckAgain = false
  const ownChannel = channelOfTabs()
  channel = ownChannel

  /** Asks the gateway, since a 401 may be a late response to a request from before the user signed in again. */
  const checkSession = async () => {
    // The gateway may have answered before the user signed in.
    if (isChecking) return void (mustCheckAgain = true)
    isChecking = true
    const user = await fetchUser()
      .catch(() => undefined)
      .finally(() => (isChecking = false))
    const isOutdated = mustCheckAgain
    mustCheckAgain = false
    if (user) resume(user)
    else if (isOutdated) await checkSession()
    else if (sessionState() === 'active') {
      setSessionState('ended')
      notifyTabs({ kind: 'ended' })
    }
  }

  const resume = (user: User) => {
    if (knownUser()?.email !== user.email) return reloadForNewUser()
    storedUser.set(user)
    if (sessionState() === 'active') return
    setSessionState('active')
    void queryClient.invalidateQueries()
  }

  const stopListening = onRefusal(({ kind }) => {
    if (kind !== 'session-end' || isLeaving || isChecking || sessionState() !== 'active') return
    if (knownUser()) return void checkSession()
    isLeaving = true
    navigate(signInUrl(globalThis.location))
  })

  // Another tab may run another version of the console, with other messages.
  const onMessage = ({ data }: MessageEvent<Partial<Message> | null>) => {
    const known = knownUser()
    if (!known) return
    if (data?.kind === 'signed-out') setSessionState('signed-out')
    // A tab that finds the session ended may not know yet that the user signed out.
    else if (data?.kind === 'ended' && sessionState() === 'active') setSessionState('ended')
    else if (data?.kind === 'signed-in' && (isChecking || sessionState() !== 'active' || data.email !== known.email))
      void checkSession()
  }

  ownChannel?.addEventListener('message', onMessage)

  const checkWhenVisible = () => {
    if (document.visibilityState === 'visible' && sessionState() !== 'active') void checkSession()
  }
  const listening = new AbortController()
  document.addEventListener('visibilitychange', checkWhenVisible, listening)
  globalThis.addEventListener('focus', checkWhenVisible, listening)
  return () => {
    stopListening()
    listening.abort()
    ownChannel?.close()
    if (channel === ownChannel) channel = undefined
    setSessionState('active')
  }
}

const signOutTimeoutMs = 60_000

/** @throws ApiError when the gateway rejects it or cannot be reached: the user is then still signed in */
export async function signOut(): Promise<void> {
  const url = '/oauth2/sign_out'
  const failed = (code: number, cause?: unknown) =>
    new ApiError({ code, url, cause, message: 'Signing out failed. You are still signed in.' })
  const response = await send(url, { redirect: 'manual', signal: AbortSignal.timeout(signOutTimeoutMs) }).catch(
    (cause: unknown) => {
      throw failed(0, cause)
    },
  )
  // A proxy in front may respond with a redirect, which there is no need to follow.
  if (response.status >= 400) throw failed(response.status)
  notifyTabs({ kind: 'signed-out' })
  storedUser.clear()
  queryClient.clear()
  navigate(signInUrl(globalThis.location))
}

/** Why the user could not be logged out, until the user closes the message. */
export const signOutFailure = createStore<Error | undefined>(undefined)

/** Signs the user out, or sets `signOutFailure`. */
export function logOut(): Promise<void> {
  signOutFailure.set(undefined)
  return signOut().catch(signOutFailure.set)
}
