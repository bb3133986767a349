import { decodeJwt } from 'jose'
import type { FastifyBaseLogger } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import { steady, type Clock } from '@slipway/kube/clock'
import { notSignedIn } from '../http-error'
import type { Provider } from './provider'
import { causeChain, ProviderFailure } from './provider-failure'
import { graceMs, type EncryptedSession, type Session, type Sessions } from './sessions'

/**
 * Keeps active sessions in sync with the identity provider.
 *
 * - A session with a refresh token is confirmed so often that no call of a user whom the provider no longer vouches for is
 *   allowed after `recheckMs`. Changes to the user take effect with the same call.
 * - If the provider cannot be reached, the session continues for as long again (the grace period). Then calls fail with
 *   503 and not 401: there is nothing against the user, and signing in again would not help.
 * - Providers accept a refresh token once, and a page makes many calls at the same time. So one call refreshes, the others
 *   wait for it, and those that arrive within 30 s with the old cookie get the same result, including cookies.
 * - A browser that is killed loses the cookies of its last half minute, as one does whose response was lost. Its old cookie
 *   continues with the session that replaced it for as long as the grace period. Sent to the provider, its token would look
 *   stolen, and the provider would revoke the whole session.
 * - Another replica may have refreshed with the same cookie. Its response, with the next refresh token, is on its way to
 *   the browser, while the provider tells this replica that the token was used. So the first such error does not end the
 *   session. Within the grace period the call is allowed, and the session only ends for a browser that still sends the
 *   old cookie 30 s later. After it, as after a pause, no call is allowed unconfirmed: it fails with 503, to be retried
 *   shortly with the new cookie.
 * - A stream cannot set a cookie, so it never causes a refresh. It ends when its session has been unconfirmed for the
 *   grace period (`streamsUntil`); the client comes back with a call, which refreshes.
 * - Without a refresh token the provider cannot be contacted: the session ends by idleness or age.
 */
export interface SessionRefresher {
  /**
   * The session after this call.
   * @throws HttpError 401 if it has ended, 503 if that is unknown
   */
  refresh(encrypted: EncryptedSession): Promise<RefreshResult>
  /**
   * Revokes the refresh token of a session that was ended, and the next one if a refresh has just brought it: its cookie may
   * still be on its way to the browser, and other replicas would accept it. Does not wait for a refresh under way.
   */
  revoke(encrypted: EncryptedSession): Promise<void>
}

export interface RefreshResult {
  session: Session
  /** The session and its `Set-Cookie` headers, if it has changed. */
  encrypted?: EncryptedSession
  cookies?: string[]
  /** The call fails with this error, but the cookies must reach the browser. */
  error?: HttpError
}

interface SessionRefresherParts {
  sessions: Sessions
  provider: Pick<Provider, 'refresh' | 'revoke'> | undefined
  recheckMs: number
  clock: Clock
  log: FastifyBaseLogger
  /** Called when the provider ended the session or its response cannot be accepted. */
  onEnd(session: Session): void
}

/** How long the result for one version of a session is cached for calls that still carry its cookie. */
const resultCacheMs = 30_000
/** How soon to retry the same session at a provider that could not be reached. */
const retryMs = 15_000
/** After the grace period: how long a rejected token may be one that another replica has just used. */
const pauseMs = 1_500
/** How long an error is cached for other calls of the same page. */
const failureCacheMs = 1_000
/** An ID token that an upstream needs is replaced this long before it expires. */
const idTokenMarginMs = 60_000

export function createSessionRefresher({
  sessions,
  provider,
  recheckMs,
  clock,
  log,
  onEnd,
}: SessionRefresherParts): SessionRefresher {
  /** By version. A result of which `cachedUntil` has passed says which session has replaced that version. */
  const recent = new Map<string, { cachedUntil: number; until: number; result: Promise<RefreshResult> }>()
  /** When the provider first rejected the token of a version of a session. */
  const rejectedSince = new Map<string, number>()
  const { now: steadyNow } = steady(clock)

  function isDue({ session, refreshToken }: EncryptedSession): boolean {
    if (!provider || refreshToken === undefined) return false
    const now = clock.now()
    // Also due if it was confirmed in the future, because the clock was set back.
    if (Math.abs(now - session.checkedAt) >= recheckMs - leadMs(recheckMs)) return true
    // Not within a minute, or a provider of short-lived tokens would be called for each request.
    const { exp } = session.idToken === undefined ? {} : decodeJwt(session.idToken)
    return exp !== undefined && now >= exp * 1000 - idTokenMarginMs && now - session.checkedAt >= idTokenMarginMs
  }

  const isInGrace = ({ session }: EncryptedSession) => clock.now() - session.checkedAt < graceMs(recheckMs)

  async function confirm(encrypted: EncryptedSession, refreshTokens: Provider['refresh']): Promise<RefreshResult> {
    const { session, version } = encrypted
    try {
      const confirmation = await refreshTokens({ ...encrypted, identity: session.identity })
      if (sessions.hasEnded(session)) {
        // The sign-out revoked the old token; other replicas would accept a cookie with the new one.
        const { refreshToken } = confirmation.tokens
        if (refreshToken !== undefined) await provider?.revoke(refreshToken)
        throw notSignedIn()
      }
      const renewal = await sessions.renew(encrypted, confirmation)
      return confirmation.isUnconfirmed && !isInGrace(encrypted)
        ? { ...renewal, error: providerUnreachable() }
        : renewal
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      // The sign-out revoked the token before the provider used it.
      if (sessions.hasEnded(session)) throw notSignedIn()
      const since = rejectedSince.get(version) ?? steadyNow()
      log.warn(
        { who: session.identity.user, kind: error.kind, cause: causeChain(error) },
        'could not confirm a session',
      )
      if (error.kind === 'unreachable') {
        if (isInGrace(encrypted)) return { session }
        throw providerUnreachable()
      }
      if (error.kind === 'ended' && steadyNow() - since < (isInGrace(encrypted) ? resultCacheMs : pauseMs)) {
        rejectedSince.set(version, since)
        if (isInGrace(encrypted)) return { session }
        throw confirmationPending()
      }
      await sessions.end(encrypted)
      onEnd(session)
      throw notSignedIn()
    }
  }

  function evictExpired() {
    const now = steadyNow()
    for (const [version, { until }] of recent) if (until <= now) recent.delete(version)
    for (const [version, since] of rejectedSince) {
      if (now - since > graceMs(recheckMs) + resultCacheMs) rejectedSince.delete(version)
    }
  }

  async function revoke({ version, refreshToken }: EncryptedSession): Promise<void> {
    const revokeNext = async ({ encrypted: next }: RefreshResult) => {
      if (next && next.refreshToken !== refreshToken) await revoke(next)
    }
    // A refresh that fails brings no token that a cookie carries.
    void recent.get(version)?.result.then(revokeNext, () => {})
    if (refreshToken !== undefined) await provider?.revoke(refreshToken)
  }

  async function refresh(encrypted: EncryptedSession): Promise<RefreshResult> {
    const refreshTokens = isDue(encrypted) ? provider?.refresh : undefined
    if (!refreshTokens && !sessions.isDueForRenewal(encrypted.session)) return { session: encrypted.session }
    evictExpired()
    const cached = recent.get(encrypted.version)
    if (cached) {
      const replaced = await cached.result
      if (!replaced.encrypted || steadyNow() < cached.cachedUntil) return replaced
      const latest = await refresh(replaced.encrypted)
      return latest.cookies ? latest : replaced
    }
    const result = refreshTokens ? confirm(encrypted, refreshTokens) : sessions.renew(encrypted)
    const entry = { cachedUntil: Infinity, until: Infinity, result }
    recent.set(encrypted.version, entry)
    const cacheFor = (ms: number, replacedForMs = ms) => {
      entry.cachedUntil = steadyNow() + ms
      entry.until = steadyNow() + Math.max(ms, replacedForMs)
    }
    result.then(
      ({ encrypted: next }) => {
        // The clock was set back: an older version must not seem to replace this one.
        if (next) recent.delete(next.version)
        cacheFor(next ? resultCacheMs : retryMs, next && graceMs(recheckMs))
      },
      () => cacheFor(failureCacheMs),
    )
    return result
  }

  return { revoke, refresh }
}

/** Open tabs make a call at least once a minute, and the first rejection may be due to another replica. */
const leadMs = (recheckMs: number): number => Math.min(120_000, 0.4 * recheckMs)

const providerUnreachable = () =>
  new HttpError(503, 'The session cannot be confirmed because the identity provider cannot be reached.')
const confirmationPending = () =>
  new HttpError(503, 'The session is being confirmed by another replica.', { 'retry-after': '2' })
