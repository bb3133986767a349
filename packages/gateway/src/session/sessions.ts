import { createHash, randomUUID } from 'node:crypto'
import type { Clock } from '@slipway/kube/clock'
import { HttpError } from '../http-error'
import { chunkedCookie } from './chunked-cookie'
import { admission, type Identity } from './identity'
import { createCookieCipher, remembering } from './encrypted-cookie'
import type { SessionSettings } from './settings'
import { memorySignOuts, type SignOuts } from './sign-outs'

/** Who makes a call, and for how long that is known. Times are milliseconds since 1970. */
export interface Session {
  /** A hash, so that it may be told to others: whoever knows it cannot act as the session. */
  id: string
  identity: Identity
  startedAt: number
  seenAt: number
  expiresAt: number
  /** When the identity provider last confirmed it. */
  checkedAt: number
  /** Streams end then, unless the session was used or checked since. */
  streamsUntil: number
  /** As the identity provider issued it, for upstreams that want it; absent where nobody needs it. */
  idToken?: string
  via: 'cookie' | 'bearer' | 'front-proxy'
}

/** What only this folder may know of a session. */
export interface EncryptedSession {
  session: Session
  /** Of the user at the identity provider. */
  subject?: string
  refreshToken?: string
  idToken?: string
  /** Which state of the session the cookie held: each renewal and each check makes another. */
  version: string
}

export interface Tokens {
  subject?: string
  refreshToken?: string
  idToken?: string
}

/** What the identity provider said when it was asked again. */
export interface Confirmation {
  identity: Identity
  tokens: Tokens
  /** It gave new tokens, but could not say who the user is. */
  isUnconfirmed?: boolean
}

export interface Renewal {
  session: Session
  cookies: string[]
}

/** Sessions live in the browser, sealed in cookies; the gateway only remembers which ones were signed out. */
export interface Sessions {
  /**
   * Begins a session with an id of its own.
   * @param header the `Cookie` header of the request, of which no part may be left over
   * @returns the `Set-Cookie` headers that carry it
   * @throws Refusal for an identity that must not be impersonated, or that fits into no cookie
   */
  start(identity: Identity, tokens?: Tokens, header?: string): Promise<string[]>
  /** The session of a `Cookie` header; nothing when it is missing, incomplete, forged, expired or signed out. */
  read(header: string | undefined): Promise<EncryptedSession | undefined>
  /** The session as used just now, and confirmed just now when there are tokens. */
  renew(encrypted: EncryptedSession, confirmed?: Confirmation): Promise<Renewal>
  /** Is the last renewal so old that the next call should write the cookie again? */
  isDueForRenewal(session: Session): boolean
  /** Ends a session for every holder of its cookie, on every replica. */
  end(encrypted: EncryptedSession): Promise<void>
  /** The `Set-Cookie` headers that remove it. */
  remove(header: string | undefined): string[]
}

/** What is sealed; times in whole seconds, names short: all of it travels with every call. */
interface Content {
  id: string
  who: Identity
  began: number
  seen: number
  checked: number
  sub?: string
  refresh?: string
  token?: string
}

/** The header of a request may have 16 KiB; what other cookies and headers need is left free. */
const maxLength = 11_000
/** Some megabytes at most: of a thousand people at once each has one, and for a moment two. */
const rememberedCookies = 2_000

export function createSessions(
  settings: SessionSettings & { isHttps: boolean },
  clock: Clock,
  signOuts: SignOuts = memorySignOuts(clock),
): Sessions {
  const { keys, idleMs, absoluteMs, recheckMs, cookieName, isHttps, keepsIdToken, allowedSystemNames } = settings
  const cipher = remembering(createCookieCipher<Content>(keys, 'session'), rememberedCookies)
  const cookie = chunkedCookie(cookieName, isHttps)
  const nowInSeconds = () => Math.floor(clock.now() / 1000)

  /** Computed from now's settings: shorter times take effect at once. */
  function sealedOf(content: Content): EncryptedSession {
    const [startedAt, seenAt, checkedAt] = [content.began * 1000, content.seen * 1000, content.checked * 1000]
    const expiresAt = Math.min(seenAt + idleMs, startedAt + absoluteMs)
    return {
      session: {
        id: idOf(content.id),
        identity: content.who,
        startedAt,
        seenAt,
        expiresAt,
        checkedAt,
        // A stream cannot carry a fresher cookie back, so it only lives as long as an unconfirmed session may.
        streamsUntil: content.refresh === undefined ? expiresAt : Math.min(expiresAt, checkedAt + graceOf(recheckMs)),
        ...(keepsIdToken && content.token !== undefined && { idToken: content.token }),
        via: 'cookie',
      },
      ...(content.sub !== undefined && { subject: content.sub }),
      ...(content.refresh !== undefined && { refreshToken: content.refresh }),
      ...(content.token !== undefined && { idToken: content.token }),
      version: `${content.id}/${content.checked}/${content.seen}`,
    }
  }

  async function seal(content: Content): Promise<string> {
    const whole = await cipher.encrypt(content)
    if (whole.length <= maxLength) return whole
    const { token, ...rest } = content
    // Only signing out at the provider misses it, where no upstream wants it.
    const smaller = token === undefined || keepsIdToken ? whole : await cipher.encrypt(rest)
    if (smaller.length <= maxLength) return smaller
    throw new HttpError(403, 'Your session does not fit into cookies: you are a member of too many groups.')
  }

  async function cookies(content: Content, header: string | undefined): Promise<string[]> {
    const { expiresAt, seenAt } = sealedOf(content).session
    return cookie.write(await seal(content), expiresAt - seenAt, header)
  }

  const tokensOf = ({ subject, refreshToken, idToken }: Tokens) => ({
    ...(subject !== undefined && { sub: subject }),
    ...(refreshToken !== undefined && { refresh: refreshToken }),
    ...(idToken !== undefined && { token: idToken }),
  })

  /** The secret id is the first part of the version. */
  const secretOf = ({ version }: EncryptedSession) => version.slice(0, version.indexOf('/'))

  return {
    async start(identity, tokens = {}, header) {
      const admitted = admission(identity, allowedSystemNames)
      if ('problem' in admitted) throw new HttpError(403, `Sign-in refused: ${admitted.problem}.`)
      const now = nowInSeconds()
      const content = {
        id: randomUUID(),
        who: admitted.identity,
        began: now,
        seen: now,
        checked: now,
        ...tokensOf(tokens),
      }
      return cookies(content, header)
    },

    async read(header) {
      const value = cookie.read(header)
      const content = value === undefined ? undefined : await cipher.decrypt(value)
      if (!content) return undefined
      const encrypted = sealedOf(content)
      if (clock.now() >= encrypted.session.expiresAt || signOuts.has(encrypted.session.id)) return undefined
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
        ...tokensOf({ ...encrypted, ...confirmed?.tokens }),
      }
      return { session: sealedOf(content).session, cookies: await cookies(content, undefined) }
    },

    isDueForRenewal: (session) => clock.now() - session.seenAt >= idleMs / 10,
    end: ({ session }) => signOuts.add(session.id, session.startedAt + absoluteMs),
    remove: (header) => cookie.remove(header),
  }
}

/** How long a session goes on without a word from the identity provider, from the last one. */
export const graceOf = (recheckMs: number): number => 2 * recheckMs

/** Letters that may stand in a key of a ConfigMap. */
const idOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url').slice(0, 22)
