import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import { steady, type Clock } from '@slipway/kube/clock'
import { ProviderFailure } from './provider-failure'

/** The claims of a token that was found good. */
export type IdToken = JWTPayload & { sub: string; iat: number; exp: number }

export interface IdTokenVerifier {
  /**
   * @param isFromClient it may be anything, so that an unknown key is no reason to ask the provider again and again
   * @throws ProviderFailure `untrusted`, or `unreachable` when the keys cannot be read
   */
  verify(token: string, options?: { isFromClient?: boolean }): Promise<IdToken>
  /** Rejects unless there are keys. */
  ready(): Promise<void>
}

interface VerifierParts {
  issuer: string
  clientId: string
  /** @throws ProviderFailure `unreachable` */
  readKeys(): Promise<JSONWebKeySet>
  clock: Clock
}

/** Public keys only: with these a token can be checked by whoever cannot make one. */
const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519']
const toleranceSeconds = 30
const keysMs = 10 * 60_000
const unknownKeyMs = 30_000
/** How soon a provider whose keys could not be read again is asked again. */
const retryMs = 30_000

/** The one place where an ID token is found good: at sign-in, at each refresh, and as the bearer token of a call. */
export function createIdTokenVerifier({ issuer, clientId, readKeys, clock }: VerifierParts): IdTokenVerifier {
  let keys: { find: ReturnType<typeof createLocalJWKSet>; readAt: number } | undefined
  let reading: Promise<void> | undefined
  let triedAt = -Infinity
  const { now: steadyNow } = steady(clock)

  /** One at a time; keys that were read before go on when the provider cannot be reached. */
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
    // Either was read just now, or the reading threw.
    return keys!
  }

  async function checked(token: string): Promise<JWTPayload> {
    const { find } = await currentKeys()
    const { payload, protectedHeader } = await jwtVerify(token, find, {
      algorithms,
      issuer,
      audience: clientId,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'iat', 'exp'],
    })
    // Access and logout tokens of the same provider say what they are.
    if (protectedHeader.typ !== undefined && protectedHeader.typ.toUpperCase() !== 'JWT') throw new errors.JWTInvalid()
    return payload
  }

  async function withFreshKeys(token: string, isFromClient: boolean): Promise<JWTPayload> {
    try {
      return await checked(token)
    } catch (error) {
      const isYoung = isFromClient && keys !== undefined && steadyNow() - keys.readAt < unknownKeyMs
      if (!(error instanceof errors.JWKSNoMatchingKey) || isYoung) throw error
      await read()
      return checked(token)
    }
  }

  return {
    async verify(token, { isFromClient = false } = {}) {
      const payload = await withFreshKeys(token, isFromClient).catch((error: unknown) => {
        if (!(error instanceof errors.JOSEError)) throw error
        throw new ProviderFailure('untrusted', `the ID token is not good: ${error.message}`, { cause: error })
      })
      const { aud, azp, iat } = payload
      const others = Array.isArray(aud) && aud.length > 1
      if ((azp !== undefined || others) && azp !== clientId) {
        throw new ProviderFailure('untrusted', 'the ID token is not good: it was issued to another client')
      }
      if (Number(iat) * 1000 > clock.now() + toleranceSeconds * 1000) {
        throw new ProviderFailure('untrusted', 'the ID token is not good: it is from the future')
      }
      // Required above, and found to be of these types.
      return payload as IdToken
    },
    ready: async () => void (await currentKeys()),
  }
}
