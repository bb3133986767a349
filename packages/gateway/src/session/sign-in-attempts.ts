import { createHash } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import type { Clock } from '@slipway/kube/clock'
import { cookiesOf } from './chunked-cookie'
import type { Attempt } from './provider'
import { createCookieCipher } from './encrypted-cookie'

/**
 * Sign-ins under way, each in a sealed cookie of its own, so that several tabs may sign in at once. A cookie is found
 * by the `state` that comes back from the provider, so that the answer to one attempt is worth nothing to another
 * browser, and nothing twice.
 */
export interface SignInAttempts {
  /** @returns the `Set-Cookie` headers: those of the oldest attempts make room */
  begin(returnTo: string, header: string | undefined): Promise<{ attempt: Attempt; cookies: string[] }>
  /** The attempt that an answer belongs to, and the `Set-Cookie` headers that use it up. */
  take(state: string, header: string | undefined): Promise<{ attempt: Attempt | undefined; cookies: string[] }>
}

const attemptMs = 10 * 60_000
/** Together they must leave room in the header for the session. */
const maxLength = 3_000

export function createSignInAttempts(
  { keys, cookieName, isHttps }: { keys: readonly Uint8Array[]; cookieName: string; isHttps: boolean },
  clock: Clock,
): SignInAttempts {
  const cipher = createCookieCipher<Attempt>(keys, 'sign-in')
  const prefix = `${cookieName}-attempt-`
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps } as const
  const nameOf = (state: string) => `${prefix}${createHash('sha256').update(state).digest('base64url').slice(0, 16)}`
  const removal = (name: string) => fastifyCookie.serialize(name, '', { ...attributes, maxAge: 0 })
  const isOver = ({ startedAt }: Attempt) => clock.now() >= startedAt + attemptMs

  /** Removes what is over or is nothing, and then the oldest until the new one has room. */
  async function makeRoom(length: number, header: string | undefined): Promise<string[]> {
    const sent = Object.entries(cookiesOf(header)).filter(([name]) => name.startsWith(prefix))
    const pending = await Promise.all(
      sent.map(async ([name, value = '']) => ({ name, length: value.length, attempt: await cipher.decrypt(value) })),
    )
    pending.sort((a, b) => (b.attempt?.startedAt ?? 0) - (a.attempt?.startedAt ?? 0))
    let used = length
    return pending.flatMap(({ name, length, attempt }) => {
      used += length
      return !attempt || isOver(attempt) || used > maxLength ? [removal(name)] : []
    })
  }

  return {
    async begin(returnTo, header) {
      const attempt: Attempt = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        // A page whose address is that long is not worth a sign-in that fails.
        returnTo: returnTo.length > 1_500 ? '/' : returnTo,
        startedAt: clock.now(),
      }
      const value = await cipher.encrypt(attempt)
      const cookie = fastifyCookie.serialize(nameOf(attempt.state), value, { ...attributes, maxAge: attemptMs / 1000 })
      return { attempt, cookies: [cookie, ...(await makeRoom(value.length, header))] }
    },

    async take(state, header) {
      const name = nameOf(state)
      const value = cookiesOf(header)[name]
      if (value === undefined) return { attempt: undefined, cookies: [] }
      const attempt = await cipher.decrypt(value)
      const isGood = attempt !== undefined && attempt.state === state && !isOver(attempt)
      return { attempt: isGood ? attempt : undefined, cookies: [removal(name)] }
    },
  }
}
