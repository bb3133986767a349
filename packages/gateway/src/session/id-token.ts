import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import { steady, type Clock } from '@slipway/kube/clock'
import { ProviderFailure } from './provider-failure'

/** The claims of a verified token. */
export type IdToken = JWTPayload & { sub: string; iat: number; exp: number }

/** Names a session at the provider, a user, or both. OpenID Connect Back-Channel Logout 1.0, section 2.4. */
export interface LogoutToken {
  iat: number
  sub?: string
  sid?: string
}

export interface IdTokenVerifier {
  /**
   * @param isFromClient an untrusted client sent it, so that an unknown key must not make the gateway refetch the keys
   * each time
   * @throws ProviderFailure `untrusted`, or `unreachable` if the keys cannot be read
   */
  verify(token: string, options?: { isFromClient?: boolean }): Promise<IdToken>
  /**
   * The claims of a logout token, which anyone may have sent.
   * @throws ProviderFailure as above
   */
  verifyLogoutToken(token: string): Promise<LogoutToken>
  /** Rejects unless the keys are loaded. */
  ready(): Promise<void>
}

interface VerifierParts {
  issuer: string
  clientId: string
  /** @throws ProviderFailure `unreachable` */
  readKeys(): Promise<JSONWebKeySet>
  clock: Clock
}

/** Only public-key algorithms: a party that can verify a token cannot create one. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519']
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** Access tokens of the same provider have another type. Logout tokens need not have one. */
const types = { 'ID token': ['JWT'], 'logout token': ['JWT', 'LOGOUT+JWT', 'APPLICATION/LOGOUT+JWT'] }
const requiredClaims = { 'ID token': ['sub', 'iat', 'exp'], 'logout token': ['jti', 'iat', 'exp'] }
type Kind = keyof typeof types

const toleranceSeconds = 30
const keysMs = 10 * 60_000
const unknownKeyMs = 30_000
/** How soon to retry after refetching the keys has failed. */
const retryMs = 30_000

/** The only place that verifies ID tokens, at sign-in, at each refresh and as the bearer token of a call, and logout tokens. */
export function createIdTokenVerifier({ issuer, clientId, readKeys, clock }: VerifierParts): IdTokenVerifier {
  let keys: { find: ReturnType<typeof createLocalJWKSet>; readAt: number } | undefined
  let reading: Promise<void> | undefined
  let triedAt = -Infinity
  const { now: steadyNow } = steady(clock)

  /** Fetches the keys, one request at a time; the previous keys stay in use while the provider cannot be reached. */
  async function read(): Promise<void> {
    if (!reading) triedAt = steadyNow()
    reading ??= readKeys()
      .then((set) => void (keys = { find: createLocalJWKSet(set), readAt: steadyNow() }))
      .finally(() => (reading = undefined))
    await reading
  }

  async function currentKeys() {
    if (!keys) await read()
    else if (steadyNow() - Math.max(keys.readAt + keysMs, triedAt + retryMs) > 0) await read().catch(() => {})
    // Either the keys were just read, or reading them threw.
    return keys!
  }

  async function verifyWithKeys(token: string, kind: Kind): Promise<JWTPayload> {
    const { find } = await currentKeys()
    const { payload, protectedHeader } = await jwtVerify(token, find, {
      algorithms,
      issuer,
      audience: clientId,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(clock.now()),
      requiredClaims: requiredClaims[kind],
    })
    const { typ } = protectedHeader
    if (typ !== undefined && !types[kind].includes(typ.toUpperCase())) throw new errors.JWTInvalid()
    return payload
  }

  async function verifyRefreshingKeys(token: string, kind: Kind, isFromClient: boolean): Promise<JWTPayload> {
    try {
      return await verifyWithKeys(token, kind)
    } catch (error) {
      const areKeysRecent = isFromClient && keys !== undefined && steadyNow() - keys.readAt < unknownKeyMs
      if (!(error instanceof errors.JWKSNoMatchingKey) || areKeysRecent) throw error
      await read()
      return verifyWithKeys(token, kind)
    }
  }

  async function verify(token: string, kind: Kind, isFromClient: boolean): Promise<JWTPayload> {
    const payload = await verifyRefreshingKeys(token, kind, isFromClient).catch((error: unknown) => {
      if (!(error instanceof errors.JOSEError)) throw error
      throw invalid(kind, error.message, error)
    })
    const { aud, azp, iat } = payload
    const others = Array.isArray(aud) && aud.length > 1
    if ((azp !== undefined || others) && azp !== clientId) throw invalid(kind, 'it was issued to another client')
    if (Number(iat) * 1000 > clock.now() + toleranceSeconds * 1000) throw invalid(kind, 'it was issued in the future')
    return payload
  }

  return {
    // The claims are required above, and verified to be of these types.
    verify: async (token, { isFromClient = false } = {}) => (await verify(token, 'ID token', isFromClient)) as IdToken,

    async verifyLogoutToken(token) {
      const { sub, sid, iat, events, nonce } = await verify(token, 'logout token', true)
      if (!isObject(events) || !isObject(events[logoutEvent])) throw invalid('logout token', 'it is not about a logout')
      // With one it could be an ID token.
      if (nonce !== undefined) throw invalid('logout token', 'it has a nonce')
      if (!isNameOrAbsent(sub) || !isNameOrAbsent(sid) || (sub ?? sid) === undefined) {
        throw invalid('logout token', 'it names neither a session nor a user')
      }
      return { iat: Number(iat), ...(sub !== undefined && { sub }), ...(sid !== undefined && { sid }) }
    },
    ready: async () => void (await currentKeys()),
  }
}

const invalid = (kind: Kind, why: string, cause?: unknown) =>
  new ProviderFailure('untrusted', `the ${kind} is not valid: ${why}`, { cause })

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isNameOrAbsent = (claim: unknown): claim is string | undefined =>
  claim === undefined || (typeof claim === 'string' && claim !== '')
