import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import { steady, type Clock } from '@slipway/kube/clock'
import { ProviderFailure } from './provider-failure'

/** The claims of a verified token. */
export type IdToken = JWTPayload & { sub: string; iat: number; exp: number }

export interface IdTokenVerifier {
  /**
   * @param isFromClient an untrusted client sent it, so that an unknown key must not make the gateway refetch the keys
   * each time
   * @throws ProviderFailure `untrusted`, or `unreachable` if the keys cannot be read
   */
  verify(token: string, options?: { isFromClient?: boolean }): Promise<IdToken>
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
const toleranceSeconds = 30
const keysMs = 10 * 60_000
const unknownKeyMs = 30_000
/** How soon to retry after refetching the keys has failed. */
const retryMs = 30_000

/** The only place that verifies ID tokens: at sign-in, at each refresh, and as the bearer token of a call. */
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

  async function verifyWithKeys(token: string): Promise<JWTPayload> {
    const { find } = await currentKeys()
    const { payload, protectedHeader } = await jwtVerify(token, find, {
      algorithms,
      issuer,
      audience: clientId,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'iat', 'exp'],
    })
    // Access and logout tokens of the same provider have another type.
    if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== 'JWT') throw new errors.JWTInvalid()
    return payload
  }

  async function verifyRefreshingKeys(token: string, isFromClient: boolean): Promise<JWTPayload> {
    try {
      return await verifyWithKeys(token)
    } catch (error) {
      const areKeysRecent = isFromClient && keys !== undefined && steadyNow() - keys.readAt < unknownKeyMs
      if (!(error instanceof errors.JWKSNoMatchingKey) || areKeysRecent) throw error
      await read()
      return verifyWithKeys(token)
    }
  }

  return {
    async verify(token, { isFromClient = false } = {}) {
      const payload = await verifyRefreshingKeys(token, isFromClient).catch((error: unknown) => {
        if (!(error instanceof errors.JOSEError)) throw error
        throw new ProviderFailure('untrusted', `the ID token is not valid: ${error.message}`, { cause: error })
      })
      const { aud, azp, iat } = payload
      const others = Array.isArray(aud) && aud.length > 1
      if ((azp !== undefined || others) && azp !== clientId) {
        throw new ProviderFailure('untrusted', 'the ID token is not valid: it was issued to another client')
      }
      if (Number(iat) * 1000 > clock.now() + toleranceSeconds * 1000) {
        throw new ProviderFailure('untrusted', 'the ID token is not valid: it was issued in the future')
      }
      // Required above, and verified to be of these types.
      return payload as IdToken
    },
    ready: async () => void (await currentKeys()),
  }
}
