import { createHash } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { Clock } from '@slipway/kube/clock'
import { cookiesOf } from './chunked-cookie'
import type { Attempt } from './provider'
import { createCookieCipher } from './encrypted-cookie'

/**
 * Pending sign-ins, each in an encrypted cookie of its own, so that several tabs can sign in at once. The `state` that the
 * provider sends back identifies the cookie, so that a response is useless in another browser and cannot be used twice.
 */
export interface SignInAttempts {
  /** @returns the `Set-Cookie` headers, including those that remove the oldest attempts to make room */
  start(returnTo: string, header: string | undefined): Promise<{ attempt: Attempt; cookies: string[] }>
  /** The attempt that a response belongs to, and the `Set-Cookie` headers that remove it. */
  consume(state: string, header: string | undefined): Promise<{ attempt: Attempt | undefined; cookies: string[] }>
}

const attemptMs = 10 * 60_000
/** Limit for all attempts together, to leave room in the header for the session. */
const maxLength = 3_000

export function createSignInAttempts(
  {
    keys,
    cookieName,
    isHttps,
    path,
  }: { keys: readonly Uint8Array[]; cookieName: string; isHttps: boolean; path: string },
  clock: Clock,
): SignInAttempts {
  const cipher = createCookieCipher<Attempt>(keys, 'sign-in')
  const prefix = `${cookieName}-attempt-`
  const attributes = { httpOnly: true, sameSite: 'lax', path: path || '/', secure: isHttps } as const
  const nameOf = (state: string) => `${prefix}${createHash('sha256').update(state).digest('base64url').slice(0, 16)}`
  const removal = (name: string) => fastifyCookie.serialize(name, '', { ...attributes, maxAge: 0 })
  const isExpired = ({ startedAt }: Attempt) => clock.now() >= startedAt + attemptMs

  /** Removes expired and invalid attempts, and then the oldest until the new one fits. */
  async function makeRoom(length: number, header: string | undefined): Promise<string[]> {
    const sent = Object.entries(cookiesOf(header)).filter(([name]) => name.startsWith(prefix))
    const pending = await Promise.all(
      sent.map(async ([name, value = '']) => ({ name, length: value.length, attempt: await cipher.decrypt(value) })),
    )
    pending.sort((a, b) => (b.attempt?.startedAt ?? 0) - (a.attempt?.startedAt ?? 0))
    let used = length
    return pending.flatMap(({ name, length, attempt }) => {
      used += length
      return !attempt || isExpired(attempt) || used > maxLength ? [removal(name)] : []
    })
  }

  return {
    async start(returnTo, header) {
      const attempt: Attempt = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        // Returning to a page with such a long URL is not worth a failed sign-in.
        returnTo: returnTo.length > 1_500 ? `${path}/` : returnTo,
        startedAt: clock.now(),
      }
      const value = await cipher.encrypt(attempt)
      const cookie = fastifyCookie.serialize(nameOf(attempt.state), value, { ...attributes, maxAge: attemptMs / 1000 })
      return { attempt, cookies: [cookie, ...(await makeRoom(value.length, header))] }
    },

    async consume(state, header) {
      const name = nameOf(state)
      const value = cookiesOf(header)[name]
      if (value === undefined) return { attempt: undefined, cookies: [] }
      const attempt = await cipher.decrypt(value)
      const isValid = attempt !== undefined && attempt.state === state && !isExpired(attempt)
      return { attempt: isValid ? attempt : undefined, cookies: [removal(name)] }
    },
  }
}
