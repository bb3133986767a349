import { asRecord } from '@slipway/kube/parse'
import { ApiError } from '@slipway/kube/status'
import { queryOptions } from '@tanstack/react-query'
import { stored } from '../../lib/stored'
import { gateway, navigate, onRefusal, send } from '../client'
import { queryClient } from '../query-client'
import { sessionState, setSessionState } from './session-state'

export interface User {
  email: string
  preferredUsername: string
}

/** Who was signed in last, for what must name the user before the gateway has answered. */
export const storedUser = stored<User | undefined>('__user_session__', userOf)

function userOf(value: unknown): User | undefined {
  const { email, preferredUsername } = asRecord(value)
  if (typeof email !== 'string' || !email) return undefined
  return { email, preferredUsername: typeof preferredUsername === 'string' ? preferredUsername : '' }
}

const userKey = ['session', 'user'] as const

/** Who is signed in now. @throws ApiError with `isSessionEnd` for nobody */
async function fetchUser(signal?: AbortSignal): Promise<User> {
  const url = '/oauth2/userinfo'
  const user = userOf(await gateway.request(url, { signal }))
  if (!user) throw new ApiError({ code: 200, reason: 'InvalidAnswer', url, message: 'The session names no user.' })
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
  // Asked again, when the tab is looked at, at most once a minute.
  staleTime: 60_000,
})

/**
 * Somebody else has signed in from another tab: nothing here was read with their rights. Without the fragment, to which
 * a browser would only scroll.
 */
const reloadForNewUser = () => navigate(location.pathname + location.search)

/** Where to sign in so as to come back to this very page, its query and fragment included. */
export const signInUrl = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  `/oauth2/sign_in?rd=${encodeURIComponent(pathname + search + hash)}`

/** What tabs tell each other. */
type Message = { kind: 'ended' } | { kind: 'signed-out' } | { kind: 'signed-in'; email: string }

let channel: BroadcastChannel | undefined

/** `undefined` in a browser that forbids it. */
function channelOfTabs(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('slipway-session')
  } catch {
    return undefined
  }
}

function notifyTabs(message: Message): void {
  // Without a channel (a server that is going, a browser that forbids it) the other tabs find out by themselves.
  channel?.postMessage(message)
}

/**
 * Minds that somebody is signed in; answers how to stop. A tab that is just being opened leaves for the sign-in page. A
 * tab that is in use keeps what it shows and what was typed: all tabs learn that the session is over, stop calling, and
 * go on once the same person has signed in again in whichever of them.
 */
export function startSession(): () => void {
  let isLeaving = false
  let isAsking = false
  const ownChannel = channelOfTabs()
  channel = ownChannel

  /** Asks the gateway itself, since a 401 may be the late answer to a call of before signing in again. */
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    const user = await fetchUser()
      .catch(() => undefined)
      .finally(() => (isAsking = false))
    if (user) goOn(user)
    else if (sessionState() === 'active') {
      setSessionState('ended')
      notifyTabs({ kind: 'ended' })
    }
  }

  const goOn = (user: User) => {
    if (knownUser()?.email !== user.email) return reloadForNewUser()
    storedUser.set(user)
    if (sessionState() === 'active') return
    setSessionState('active')
    void queryClient.invalidateQueries()
  }

  const stopListening = onRefusal(({ kind }) => {
    if (kind !== 'session-end' || isLeaving || isAsking || sessionState() !== 'active') return
    if (knownUser()) return void ask()
    isLeaving = true
    navigate(signInUrl(globalThis.location))
  })

  // Another tab may be of another version, with other messages.
  const hear = ({ data }: MessageEvent<Partial<Message> | null>) => {
    const known = knownUser()
    if (!known) return
    if (data?.kind === 'signed-out') setSessionState('signed-out')
    // A tab that finds the session gone may not have heard yet that its user has ended it.
    else if (data?.kind === 'ended' && sessionState() === 'active') setSessionState('ended')
    else if (data?.kind === 'signed-in' && (sessionState() !== 'active' || data.email !== known.email)) void ask()
  }

  ownChannel?.addEventListener('message', hear)

  const look = () => {
    if (document.visibilityState === 'visible' && sessionState() !== 'active') void ask()
  }
  const listening = new AbortController()
  document.addEventListener('visibilitychange', look, listening)
  globalThis.addEventListener('focus', look, listening)
  return () => {
    stopListening()
    listening.abort()
    ownChannel?.close()
    if (channel === ownChannel) channel = undefined
    setSessionState('active')
  }
}

const signOutTimeoutMs = 60_000

/** @throws ApiError when the gateway refuses or cannot be reached: the user is then still signed in */
export async function signOut(): Promise<void> {
  const url = '/oauth2/sign_out'
  const failed = (code: number, cause?: unknown) =>
    new ApiError({ code, url, cause, message: 'Signing out failed. You are still signed in.' })
  const response = await send(url, { redirect: 'manual', signal: AbortSignal.timeout(signOutTimeoutMs) }).catch(
    (cause: unknown) => {
      throw failed(0, cause)
    },
  )
  // A proxy in front may answer with a redirect, which only the address bar needs to follow.
  if (response.status >= 400) throw failed(response.status)
  notifyTabs({ kind: 'signed-out' })
  storedUser.clear()
  queryClient.clear()
  navigate(signInUrl(globalThis.location))
}
