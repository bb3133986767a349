import { decodeJwt } from 'jose'
import type { FastifyBaseLogger } from 'fastify'
import { steady, type Clock } from '@slipway/kube/clock'
import { notSignedIn, HttpError } from '../http-error'
import { causeOf, type Provider } from './provider'
import { ProviderFailure } from './provider-failure'
import { graceOf, type EncryptedSession, type Session, type Sessions } from './sessions'

/**
 * Keeps sessions in step with the identity provider, while they are used.
 *
 * - A session with a refresh token is confirmed every `recheckMs` of activity. What the provider now says of the user
 *   takes effect with the same call; when it no longer vouches for the user the session ends, streams and all.
 * - A provider that cannot be reached changes nothing for as long again (the grace). Then calls get a 503 and not a 401:
 *   nothing is known against the user, and signing in again would not help.
 * - Providers take a refresh token once, and a page makes many calls at the same time. So one call asks, the others
 *   wait for it, and those that come within 30 s with the cookie of before get the same answer, cookies included.
 * - Another replica may have asked with the same cookie. Its answer, with the next refresh token, is on its way to the
 *   browser; to this replica the provider says that the token was used. So the first such answer ends nothing. Within
 *   the grace the call passes, and only a browser that still has the old cookie 30 s later has a session that ended.
 *   Later, as after a pause, no call passes unconfirmed: it gets a 503, to be made again in a moment with the new cookie.
 * - A stream cannot bring the browser a cookie, so it is never a reason to ask. It ends when its session has gone
 *   unconfirmed for the grace (`streamsUntil`); the client comes back with a call, which asks.
 * - Without a refresh token there is nothing to ask with: the session ends by idleness or age.
 */
export interface SessionRefresher {
  /**
   * What a session has become by this call.
   * @throws Refusal 401 when it has ended, 503 when that is not known
   */
  advance(encrypted: EncryptedSession): Promise<Outcome>
}

export interface Outcome {
  session: Session
  /** The `Set-Cookie` headers, if the session changed. */
  cookies?: string[]
  /** The call gets no further, but the cookies must reach the browser. */
  refusal?: HttpError
}

interface SessionRefresherParts {
  sessions: Sessions
  provider: Pick<Provider, 'refresh'> | undefined
  recheckMs: number
  clock: Clock
  log: FastifyBaseLogger
  /** The provider said so, or what it said cannot be taken. */
  onEnd(session: Session): void
}

/** How long the answer for one state of a session is kept for calls that still carry it. */
const keepMs = 30_000
/** How soon a provider that could not be reached is asked again about the same session. */
const retryMs = 15_000
/** How long a refused token of a session that nobody confirmed lately may still be one that another replica used. */
const pauseMs = 1_500
/** How long a failed answer is kept for other calls of the same page. */
const failureMs = 1_000
/** An ID token that an upstream wants is replaced this long before it expires. */
const idTokenMarginMs = 60_000

export function createSessionRefresher({
  sessions,
  provider,
  recheckMs,
  clock,
  log,
  onEnd,
}: SessionRefresherParts): SessionRefresher {
  const kept = new Map<string, { until: number; outcome: Promise<Outcome> }>()
  /** Since when the provider has refused the token of a state of a session. */
  const refusedSince = new Map<string, number>()
  const { now: steadyNow } = steady(clock)

  function isDue({ session, refreshToken }: EncryptedSession): boolean {
    if (!provider || refreshToken === undefined) return false
    const now = clock.now()
    // Also when it was confirmed at a time that is yet to come, since the clock was set back.
    if (Math.abs(now - session.checkedAt) >= recheckMs) return true
    // Not younger than a minute, lest a provider of short-lived tokens is asked at each call.
    const { exp } = session.idToken === undefined ? {} : decodeJwt(session.idToken)
    return exp !== undefined && now >= exp * 1000 - idTokenMarginMs && now - session.checkedAt >= idTokenMarginMs
  }

  const isInGrace = ({ session }: EncryptedSession) => clock.now() - session.checkedAt < graceOf(recheckMs)

  async function confirm(encrypted: EncryptedSession, ask: Provider['refresh']): Promise<Outcome> {
    const { session, version } = encrypted
    try {
      const confirmation = await ask({ ...encrypted, identity: session.identity })
      const renewal = await sessions.renew(encrypted, confirmation)
      return confirmation.isUnconfirmed && !isInGrace(encrypted) ? { ...renewal, refusal: unknown() } : renewal
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      const since = refusedSince.get(version) ?? steadyNow()
      log.warn({ who: session.identity.user, kind: error.kind, cause: causeOf(error) }, 'a session was not confirmed')
      if (error.kind === 'unreachable') {
        if (isInGrace(encrypted)) return { session }
        throw unknown()
      }
      if (error.kind === 'ended' && steadyNow() - since < (isInGrace(encrypted) ? keepMs : pauseMs)) {
        refusedSince.set(version, since)
        if (isInGrace(encrypted)) return { session }
        throw unsettled()
      }
      await sessions.end(encrypted)
      onEnd(session)
      throw notSignedIn()
    }
  }

  function forget() {
    const now = steadyNow()
    for (const [version, { until }] of kept) if (until <= now) kept.delete(version)
    for (const [version, since] of refusedSince) {
      if (now - since > graceOf(recheckMs) + keepMs) refusedSince.delete(version)
    }
  }

  return {
    async advance(encrypted) {
      const ask = isDue(encrypted) ? provider?.refresh : undefined
      if (!ask && !sessions.isDueForRenewal(encrypted.session)) return { session: encrypted.session }
      forget()
      const known = kept.get(encrypted.version)
      if (known) return known.outcome
      const outcome = ask ? confirm(encrypted, ask) : sessions.renew(encrypted)
      const entry = { until: Infinity, outcome }
      kept.set(encrypted.version, entry)
      const keepFor = (ms: number) => void (entry.until = steadyNow() + ms)
      outcome.then(
        ({ cookies }) => keepFor(cookies ? keepMs : retryMs),
        () => keepFor(failureMs),
      )
      return outcome
    },
  }
}

const unknown = () => new HttpError(503, 'The identity provider cannot be reached to confirm the session.')
const unsettled = () => new HttpError(503, 'The session is being confirmed elsewhere.', { 'retry-after': '2' })
