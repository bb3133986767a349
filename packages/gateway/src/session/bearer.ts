import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import type { Provider } from './provider'
import { ProviderFailure } from './provider-failure'
import type { Session } from './sessions'
import { hashedKey, providerSessionKey, providerUserKey } from './sign-outs'

/**
 * The session of a call by a program with an ID token of our own client; it lasts as long as the token.
 * @throws HttpError 401 for any other token, 503 if the provider's keys cannot be read
 */
export async function bearerSession(
  authorization: string,
  provider: Pick<Provider, 'verifyBearerToken'>,
  clock: Clock,
): Promise<Session> {
  const [, token] = /^bearer +([\w.-]+)$/i.exec(authorization) ?? []
  if (token === undefined) throw invalidToken()
  try {
    const { identity, issuedAt, expiresAt, subject, sid } = await provider.verifyBearerToken(token)
    // The tolerance for clock skew does not extend a session.
    if (clock.now() >= expiresAt) throw invalidToken()
    return {
      id: hashedKey(token),
      providerUser: providerUserKey(subject),
      ...(sid !== undefined && { providerSession: providerSessionKey(sid) }),
      identity,
      startedAt: issuedAt,
      seenAt: clock.now(),
      checkedAt: issuedAt,
      expiresAt,
      streamsUntil: expiresAt,
      idToken: token,
      via: 'bearer',
    }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.kind === 'unreachable') throw new HttpError(503, 'The identity provider cannot be reached.')
    throw invalidToken()
  }
}

/** Without the header that means "sign in again": there is no session, and no user to send to sign-in. */
export const invalidToken = () =>
  new HttpError(401, 'The bearer token is not valid.', { 'www-authenticate': 'Bearer error="invalid_token"' })
