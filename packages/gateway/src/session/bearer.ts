import { createHash } from 'node:crypto'
import type { Clock } from '@slipway/kube/clock'
import { HttpError } from '../http-error'
import type { Provider } from './provider'
import { ProviderFailure } from './provider-failure'
import type { Session } from './sessions'

/**
 * The session of a call that carries an ID token of our own client, for programs: it lasts as long as the token.
 * @throws Refusal 401 for any other token, 503 when the provider's keys cannot be read
 */
export async function bearerSession(
  authorization: string,
  provider: Pick<Provider, 'bearer'>,
  clock: Clock,
): Promise<Session> {
  const [, token] = /^bearer +([\w.-]+)$/i.exec(authorization) ?? []
  if (token === undefined) throw badToken()
  try {
    const { identity, issuedAt, expiresAt } = await provider.bearer(token)
    // The clocks' tolerance does not lengthen a session.
    if (clock.now() >= expiresAt) throw badToken()
    return {
      id: createHash('sha256').update(token).digest('base64url').slice(0, 22),
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
    throw badToken()
  }
}

/** Not marked as the end of a session: there is none, and nobody to send to sign-in. */
const badToken = () =>
  new HttpError(401, 'The bearer token is not valid here.', { 'www-authenticate': 'Bearer error="invalid_token"' })
