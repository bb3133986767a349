import { ApiError } from '@slipway/kube/status'
import { queryOptions } from '@tanstack/react-query'
import { stored } from '../lib/stored'
import { gateway, navigate, onRefusal, send } from './client'
import { queryClient } from './query-client'

export interface User {
  email: string
  preferredUsername: string
}

/** Who was signed in last, for what must name the user before the gateway has answered. */
export const storedUser = stored<User | undefined>('__user_session__', userOf)

function userOf(value: unknown): User | undefined {
  const { email, preferredUsername } = (value ?? {}) as Partial<Record<keyof User, unknown>>
  if (typeof email !== 'string' || !email) return undefined
  return { email, preferredUsername: typeof preferredUsername === 'string' ? preferredUsername : '' }
}

const userKey = ['session', 'user'] as const

export const userQuery = queryOptions({
  queryKey: userKey,
  queryFn: async ({ signal }) => {
    const url = '/oauth2/userinfo'
    const user = userOf(await gateway.request(url, { signal }))
    if (!user) throw new ApiError({ code: 200, reason: 'InvalidAnswer', url, message: 'The session names no user.' })
    const known = queryClient.getQueryData<User>(userKey)
    storedUser.set(user)
    // Somebody else has signed in from another tab: nothing here was read with their rights.
    if (known && known.email !== user.email) navigate(location.pathname + location.search)
    return user
  },
  // Asked again, when the tab is looked at, at most once a minute.
  staleTime: 60_000,
})

/** Where to sign in so as to come back to this very page, its query and fragment included. */
export const signInUrl = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  `/oauth2/sign_in?rd=${encodeURIComponent(pathname + search + hash)}`

/** Leaves for the sign-in page, once, when the gateway says that nobody is signed in; answers how to stop. */
export function startSession(): () => void {
  let isLeaving = false
  return onRefusal(({ kind }) => {
    if (kind !== 'session-end' || isLeaving) return
    isLeaving = true
    navigate(signInUrl(globalThis.location))
  })
}

/** @throws ApiError when the gateway refuses or cannot be reached: the user is then still signed in */
export async function signOut(): Promise<void> {
  const url = '/oauth2/sign_out'
  const failed = (code: number, cause?: unknown) =>
    new ApiError({ code, url, cause, message: 'Signing out failed. You are still signed in.' })
  const response = await send(url, { redirect: 'manual' }).catch((cause: unknown) => {
    throw failed(0, cause)
  })
  // A proxy in front may answer with a redirect, which only the address bar needs to follow.
  if (!response.ok && response.type !== 'opaqueredirect' && response.status >= 400) throw failed(response.status)
  storedUser.clear()
  queryClient.clear()
  navigate(signInUrl(globalThis.location))
}
