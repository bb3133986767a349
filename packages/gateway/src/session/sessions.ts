import { randomUUID } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { Clock } from '@slipway/kube/clock'
import type { SessionConfig } from '../config'
import { identityProblem, type Identity } from './identity'

export interface Session {
  id: string
  identity: Identity
  /** Milliseconds since 1970, whole seconds. */
  startedAt: number
  seenAt: number
  expiresAt: number
}

/** Sessions live in the browser, sealed in a cookie; the gateway only remembers which ones were signed out. */
export interface Sessions {
  /** Begins a session; answers the `Set-Cookie` that carries it. */
  start(identity: Identity): Promise<string>
  /** The session of a cookie's value; nothing when it is missing, forged, expired or signed out. */
  read(cookie: string | undefined): Promise<Session | undefined>
  /** The session as used just now, with the `Set-Cookie` for it; nothing while the last renewal is young. */
  renew(session: Session): Promise<{ session: Session; cookie: string } | undefined>
  /** Ends a session for every holder of its cookie; answers the `Set-Cookie` that removes it. */
  end(session: Session | undefined): string
}

const encryption = { alg: 'dir', enc: 'A256GCM' } as const

/** Browsers drop a larger cookie without a word. */
const maxCookieBytes = 4096

export function createSessions(config: Required<SessionConfig> & { isHttps: boolean }, clock: Clock): Sessions {
  const { keys, idleMs, absoluteMs, cookieName, isHttps } = config
  const [sealingKey] = keys
  if (!sealingKey) throw new Error('A session key is needed.')
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps } as const
  const signedOut = new Map<string, number>()

  const expiryOf = (startedAt: number, seenAt: number) => Math.min(seenAt + idleMs, startedAt + absoluteMs)
  /** Tokens tell time in whole seconds. */
  const nowInSeconds = () => Math.floor(clock.now() / 1000)

  async function seal({ id, identity, startedAt, seenAt, expiresAt }: Session): Promise<string> {
    const token = await new EncryptJWT({ identity, auth_time: startedAt / 1000 })
      .setProtectedHeader(encryption)
      .setJti(id)
      .setIssuedAt(seenAt / 1000)
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .encrypt(sealingKey!) // checked above; the closure forgets it
    const cookie = fastifyCookie.serialize(cookieName, token, {
      ...attributes,
      maxAge: Math.floor((expiresAt - seenAt) / 1000),
    })
    if (cookie.length > maxCookieBytes) throw new Error('The session does not fit into a cookie: too many groups.')
    return cookie
  }

  async function unseal(token: string, key: Uint8Array) {
    try {
      const { payload } = await jwtDecrypt(token, key, {
        keyManagementAlgorithms: [encryption.alg],
        contentEncryptionAlgorithms: [encryption.enc],
        currentDate: new Date(clock.now()),
        requiredClaims: ['jti', 'iat', 'exp', 'auth_time'],
      })
      return payload
    } catch (error) {
      // Another key's, forged, damaged or expired: all the same to us.
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  return {
    async start(identity) {
      const problem = identityProblem(identity)
      if (problem) throw new Error(`Sign-in refused: ${problem}.`)
      const now = nowInSeconds() * 1000
      return seal({ id: randomUUID(), identity, startedAt: now, seenAt: now, expiresAt: expiryOf(now, now) })
    },

    async read(cookie) {
      if (!cookie) return undefined
      for (const key of keys) {
        const payload = await unseal(cookie, key)
        if (!payload) continue
        // What this gateway sealed has this shape.
        const claims = payload as { jti: string; iat: number; auth_time: number; identity: Identity }
        const startedAt = claims.auth_time * 1000
        const seenAt = claims.iat * 1000
        // Computed from now's settings: shorter times take effect at once.
        const expiresAt = expiryOf(startedAt, seenAt)
        if (clock.now() >= expiresAt || signedOut.has(claims.jti)) return undefined
        return { id: claims.jti, identity: claims.identity, startedAt, seenAt, expiresAt }
      }
      return undefined
    },

    async renew(session) {
      if (clock.now() - session.seenAt < idleMs / 10) return undefined
      const seenAt = nowInSeconds() * 1000
      const renewed = { ...session, seenAt, expiresAt: expiryOf(session.startedAt, seenAt) }
      return { session: renewed, cookie: await seal(renewed) }
    },

    end(session) {
      for (const [id, until] of signedOut) if (until <= clock.now()) signedOut.delete(id)
      if (session) signedOut.set(session.id, session.startedAt + absoluteMs)
      return fastifyCookie.serialize(cookieName, '', { ...attributes, maxAge: 0 })
    },
  }
}
