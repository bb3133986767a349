import { randomUUID } from 'node:crypto'
import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import { chunkedCookie } from './chunked-cookie'
import { checkAdmission, type Identity } from './identity'
import { createCookieCipher, withDecryptionCache } from './encrypted-cookie'
import type { SessionSettings } from './settings'
import {
  hashedKey,
  memorySignOuts,
  providerSessionKey,
  providerUserKey,
  userSessionsKey,
  type SignOuts,
  type SignOutTarget,
} from './sign-outs'

/**
 * The user who makes a call, and how long the session lasts. Times are milliseconds since 1970. Its id is a hash, so that
 * it can be shared: knowing it does not give access to the session.
 */
export interface Session extends SignOutTarget {
  identity: Identity
  seenAt: number
  expiresAt: number
  /** When the identity provider last confirmed it. */
  checkedAt: number
  /** When streams end, unless the session is used or confirmed before. */
  streamsUntil: number
  /** The identity provider's ID token, if an upstream needs it. */
  idToken?: string
  via: 'cookie' | 'bearer' | 'front-proxy'
}

/** A session with its secrets, which only this folder may see. */
export interface EncryptedSession {
  session: Session
  /** The user's subject at the identity provider. */
  subject?: string
  /** The session at the identity provider, if it names one. */
  sid?: string
  refreshToken?: string
  idToken?: string
  /** Version of the session in the cookie: each renewal and each confirmation creates a new one. */
  version: string
}

export interface Tokens {
  subject?: string
  sid?: string
  refreshToken?: string
  idToken?: string
}

/** The result of confirming a session with the identity provider. */
export interface Confirmation {
  identity: Identity
  tokens: Tokens
  /** The provider issued new tokens, but the identity could not be confirmed. */
  isUnconfirmed?: boolean
}

export interface Renewal {
  session: Session
  /** The session in the new cookies. */
  encrypted: EncryptedSession
  cookies: string[]
}

/** What the identity provider has ended: one of its sessions if it names one, or else all of a user. */
export interface ProviderLogout {
  sid?: string
  subject?: string
  /** Sessions that started later are not concerned, in ms since 1970. */
  startedBy: number
}

/** Sessions are stored in the browser, in encrypted cookies; the gateway only remembers which ones were signed out. */
export interface Sessions {
  /**
   * Starts a session with a new id.
   * @param header the `Cookie` header of the request; obsolete parts of its session are removed
   * @returns the `Set-Cookie` headers of the session
   * @throws HttpError for an identity that must not be impersonated or does not fit into cookies
   */
  start(identity: Identity, tokens?: Tokens, header?: string): Promise<string[]>
  /** The session of a `Cookie` header; `undefined` if it is missing, incomplete, forged, expired or signed out. */
  read(header: string | undefined): Promise<EncryptedSession | undefined>
  /** Marks the session as used now, and as confirmed now if there is a confirmation. */
  renew(encrypted: EncryptedSession, confirmed?: Confirmation): Promise<Renewal>
  /** Whether the last renewal is so old that the next call should write the cookie again. */
  isDueForRenewal(session: Session): boolean
  /** Whether the session has been ended since it was read. */
  hasEnded(session: Session): boolean
  /** Ends a session for every holder of its cookie, on every replica. */
  end(encrypted: EncryptedSession): Promise<void>
  /** Likewise ends those that began in a session at the identity provider, or all of a user that have started until then. */
  endAtProvider(logout: ProviderLogout): Promise<void>
  /** The `Set-Cookie` headers that remove the session. */
  remove(header: string | undefined): string[]
}

/** The encrypted content. Times are in whole seconds and names short, since it is sent with every call. */
interface Content {
  id: string
  who: Identity
  began: number
  seen: number
  checked: number
  sub?: string
  sid?: string
  refresh?: string
  token?: string
}

/** Request headers may have 16 KiB; the rest is for other cookies and headers. */
const maxLength = 11_000
/** A few megabytes at most: each of a thousand concurrent users has one, and briefly two. */
const maxCachedCookies = 2_000

export function createSessions(
  settings: SessionSettings & { isHttps: boolean },
  clock: Clock,
  signOuts: SignOuts = memorySignOuts(clock),
): Sessions {
  const { keys, idleMs, absoluteMs, recheckMs, unconfirmedMs, cookieName, needsIdToken, allowedSystemNames } = settings
  const cipher = withDecryptionCache(createCookieCipher<Content>(keys, 'session'), maxCachedCookies)
  const cookie = chunkedCookie(cookieName, settings)
  const nowInSeconds = () => Math.floor(clock.now() / 1000)

  /** Computed from the current settings, so that shorter times take effect at once. */
  function toEncryptedSession(content: Content): EncryptedSession {
    const [startedAt, seenAt, checkedAt] = [content.began * 1000, content.seen * 1000, content.checked * 1000]
    const longestMs = content.refresh === undefined ? Math.min(absoluteMs, unconfirmedMs) : absoluteMs
    const expiresAt = Math.min(seenAt + idleMs, startedAt + longestMs)
    return {
      session: {
        id: hashedKey(content.id),
        ...(content.sid !== undefined && { providerSession: providerSessionKey(content.sid) }),
        ...(content.sub !== undefined && { providerUser: providerUserKey(content.sub) }),
        identity: content.who,
        startedAt,
        seenAt,
        expiresAt,
        checkedAt,
        // A stream cannot set a newer cookie, so it only lasts as long as an unconfirmed session may.
        streamsUntil: content.refresh === undefined ? expiresAt : Math.min(expiresAt, checkedAt + graceMs(recheckMs)),
        ...(needsIdToken && content.token !== undefined && { idToken: content.token }),
        via: 'cookie',
      },
      ...(content.sub !== undefined && { subject: content.sub }),
      ...(content.sid !== undefined && { sid: content.sid }),
      ...(content.refresh !== undefined && { refreshToken: content.refresh }),
      ...(content.token !== undefined && { idToken: content.token }),
      version: `${content.id}/${content.checked}/${content.seen}`,
    }
  }

  async function encryptContent(content: Content): Promise<string> {
    const full = await cipher.encrypt(content)
    if (full.length <= maxLength) return full
    const { token, ...rest } = content
    // If no upstream needs the ID token, only signing out at the provider would have used it.
    const smaller = token === undefined || needsIdToken ? full : await cipher.encrypt(rest)
    if (smaller.length <= maxLength) return smaller
    throw new HttpError(
      403,
      'Your session does not fit into cookies because you are a member of too many groups. Ask your administrator to keep only those that matter here.',
    )
  }

  async function cookies(content: Content, header: string | undefined): Promise<string[]> {
    const { expiresAt, seenAt } = toEncryptedSession(content).session
    return cookie.write(await encryptContent(content), expiresAt - seenAt, header)
  }

  const tokenFields = ({ subject, sid, refreshToken, idToken }: Tokens) => ({
    ...(subject !== undefined && { sub: subject }),
    ...(sid !== undefined && { sid }),
    ...(refreshToken !== undefined && { refresh: refreshToken }),
    ...(idToken !== undefined && { token: idToken }),
  })

  /** The secret id is the first part of the version. */
  const secretOf = ({ version }: EncryptedSession) => version.slice(0, version.indexOf('/'))

  return {
    async start(identity, tokens = {}, header) {
      const admitted = checkAdmission(identity, allowedSystemNames)
      if ('error' in admitted) throw new HttpError(403, `Sign-in denied: ${admitted.error}.`)
      const now = nowInSeconds()
      const content = {
        id: randomUUID(),
        who: admitted.identity,
        began: now,
        seen: now,
        checked: now,
        ...tokenFields(tokens),
      }
      return cookies(content, header)
    },

    async read(header) {
      const value = cookie.read(header)
      const content = value === undefined ? undefined : await cipher.decrypt(value)
      if (!content) return undefined
      const encrypted = toEncryptedSession(content)
      if (clock.now() >= encrypted.session.expiresAt || signOuts.has(encrypted.session)) return undefined
      return encrypted
    },

    async renew(encrypted, confirmed) {
      const { session } = encrypted
      const now = nowInSeconds()
      const content = {
        id: secretOf(encrypted),
        who: confirmed?.identity ?? session.identity,
        began: session.startedAt / 1000,
        seen: now,
        checked: confirmed && !confirmed.isUnconfirmed ? now : session.checkedAt / 1000,
        ...tokenFields({ ...encrypted, ...confirmed?.tokens }),
      }
      const renewed = toEncryptedSession(content)
      return { session: renewed.session, encrypted: renewed, cookies: await cookies(content, undefined) }
    },

    isDueForRenewal: (session) => clock.now() - session.seenAt >= idleMs / 10,
    hasEnded: (session) => signOuts.has(session),
    end: ({ session }) => signOuts.add(session.id, session.startedAt + absoluteMs),
    async endAtProvider({ sid, subject, startedBy }) {
      const until = clock.now() + absoluteMs
      if (sid !== undefined) await signOuts.add(providerSessionKey(sid), until)
      else if (subject !== undefined) await signOuts.add(userSessionsKey(subject, startedBy), until)
    },
    remove: (header) => cookie.remove(header),
  }
}

/** How long a session continues after its last confirmation while the identity provider cannot be reached. */
export const graceMs = (recheckMs: number): number => 2 * recheckMs
