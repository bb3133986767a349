import type { Clock } from '@slipway/kube/clock'
import { isRecord } from '@slipway/kube/object'
import { JWTExpired, JWTClaimValidationFailed, JOSEError } from 'jose/errors'
import { decodeJwt } from 'jose/jwt/decode'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { JWK, JWTPayload } from 'jose'
import { serviceAccountGroups, serviceAccountUser, type UserInfo } from '@slipway/kube/user'
import { pods } from '../builtin/pods'
import { secrets } from '../builtin/secrets'
import { serviceAccounts } from '../builtin/serviceaccounts'
import { randomUid, type Random } from '../random'
import { deserialize } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../resource'
import type { Storage } from '../storage/storage'
import { algorithm, signingKeyOf } from './signing-key'

/** The issuer, and the default audience, of the tokens. Source: kubeadm's default. */
export const issuer = 'https://kubernetes.default.svc.cluster.local'

/** A reference to an object in a token. The uid distinguishes it from another object of the same name. */
export interface Reference {
  name: string
  uid: string
}

export interface TokenGrant {
  namespace: string
  account: Reference
  audiences: readonly string[]
  expirationSeconds: number
  /** The token is valid only while this object exists. */
  bound?: { kind: BoundKind; to: Reference }
}

/** Kinds that a token may be bound to, by the names of their claims. */
export const boundKinds = { pod: pods, secret: secrets } as const
export type BoundKind = keyof typeof boundKinds

/** The user of a token and its valid audiences among the requested ones; or why the token is invalid. */
export type Authentication = { user: UserInfo; audiences: string[] } | { error: string }

export interface ServiceAccountTokens {
  issue(grant: TokenGrant): Promise<{ token: string; expirationTimestamp: string }>
  /** `undefined` for a token of another issuer. */
  authenticate(token: string, audiences: readonly string[]): Promise<Authentication | undefined>
  /** The public keys of the issuer, with which other parties verify tokens. */
  publishedKeys(): Promise<JWK[]>
}

/** Source: pkg/serviceaccount of Kubernetes, claims.go and jwt.go. */
export function createServiceAccountTokens(parts: {
  storage: Storage
  clock: Clock
  random: Random
}): ServiceAccountTokens {
  const { storage, clock, random } = parts
  const signingKey = signingKeyOf(storage)
  const verifiedTokens = createVerifiedTokens()

  const find = (resource: ResourceInfo, namespace: string, name: string): AnyObject | undefined => {
    const stored = storage.get(collectionOf(resource.type), keyOf(namespace, name))
    return stored && deserialize(resource, stored)
  }

  /** Why the objects that the token names invalidate it; `undefined` if they are unchanged. */
  function staleReason({ namespace, account, bound }: Pick<TokenGrant, 'namespace' | 'account' | 'bound'>) {
    const found = find(serviceAccounts, namespace, account.name)
    if (!found) return `serviceaccounts ${JSON.stringify(account.name)} not found`
    if (found.metadata.deletionTimestamp) return `service account ${namespace}/${account.name} has been deleted`
    if (found.metadata.uid !== account.uid) {
      return `service account UID (${found.metadata.uid}) does not match claim (${account.uid})`
    }
    if (!bound) return undefined
    const { kind, to } = bound
    const object = find(boundKinds[kind], namespace, to.name)
    if (!object || object.metadata.deletionTimestamp) return 'service account token has been invalidated'
    return object.metadata.uid === to.uid
      ? undefined
      : `${kind} UID (${object.metadata.uid}) does not match service account ${kind} ref claim (${to.uid})`
  }

  return {
    async issue({ namespace, account, audiences, expirationSeconds, bound }) {
      const { id, sign } = await signingKey()
      const now = Math.floor(clock.now() / 1000)
      const until = now + expirationSeconds
      const token = await new SignJWT({
        'kubernetes.io': { namespace, serviceaccount: account, ...(bound && { [bound.kind]: bound.to }) },
      })
        .setProtectedHeader({ alg: algorithm, kid: id })
        .setIssuer(issuer)
        .setSubject(serviceAccountUser(namespace, account.name))
        .setAudience([...audiences])
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(until)
        .setJti(randomUid(random))
        .sign(sign)
      return { token, expirationTimestamp: `${new Date(until * 1000).toISOString().slice(0, 19)}Z` }
    },

    async authenticate(token, audiences) {
      if (!isOurs(token)) return undefined
      const { verify } = await signingKey()
      let payload = verifiedTokens.get(token, clock.now())
      if (!payload) {
        try {
          const currentDate = new Date(clock.now())
          ;({ payload } = await jwtVerify(token, verify, { algorithms: [algorithm], issuer, currentDate }))
        } catch (error) {
          if (error instanceof JOSEError) return { error: describeTokenError(error) }
          throw error
        }
        verifiedTokens.add(token, payload)
      }
      const claims = claimsOf(payload)
      if (!claims) return { error: 'service account token claims could not be validated' }
      const common = claims.audiences.filter((audience) => audiences.includes(audience))
      if (common.length === 0) {
        const texts = [claims.audiences, audiences].map(quotedList)
        return { error: `token audiences ${texts[0]} is invalid for the target audiences ${texts[1]}` }
      }
      const error = staleReason(claims)
      return error === undefined ? { user: userOf(claims), audiences: common } : { error }
    },

    publishedKeys: async () => [(await signingKey()).published],
  }
}

/** More than are in use at once. */
const rememberedTokens = 500

/**
 * Cache of tokens with a verified signature: clients send the same token with each request, and verifying it is the
 * most expensive part of a request. The claims and the account are still checked every time.
 */
function createVerifiedTokens() {
  const payloads = new Map<string, JWTPayload>()
  return {
    get(token: string, nowMs: number): JWTPayload | undefined {
      const payload = payloads.get(token)
      const now = Math.floor(nowMs / 1000)
      const { nbf = 0, exp = 0 } = payload ?? {}
      return nbf <= now && now < exp ? payload : undefined
    },
    add(token: string, payload: JWTPayload) {
      payloads.set(token, payload)
      const [oldest] = payloads.size > rememberedTokens ? payloads.keys() : []
      if (oldest !== undefined) payloads.delete(oldest)
    },
  }
}

/** True if the token claims this issuer. Only its signature proves it. */
function isOurs(token: string): boolean {
  try {
    return decodeJwt(token).iss === issuer
  } catch {
    return false
  }
}

function describeTokenError(error: JOSEError): string {
  if (error instanceof JWTExpired) return 'service account token has expired'
  if (error instanceof JWTClaimValidationFailed && error.claim === 'nbf')
    return 'service account token is not valid yet'
  return 'service account token could not be verified'
}

interface Claims extends Omit<TokenGrant, 'expirationSeconds'> {
  id: string
}

/** The claims of a token signed here. Another version may have signed other claims. */
function claimsOf({ aud, jti, 'kubernetes.io': own }: Record<string, unknown>): Claims | undefined {
  if (!isRecord(own) || typeof own['namespace'] !== 'string') return undefined
  const account = referenceOf(own['serviceaccount'])
  if (!account) return undefined
  const kinds = Object.keys(boundKinds) as BoundKind[] // A literal without other keys.
  const kind = kinds.find((known) => own[known] !== undefined)
  const to = kind && referenceOf(own[kind])
  if (kind && !to) return undefined
  return {
    id: typeof jti === 'string' ? jti : '',
    namespace: own['namespace'],
    account,
    audiences: [aud].flat().filter((audience) => typeof audience === 'string'),
    ...(kind && to && { bound: { kind, to } }),
  }
}

const referenceOf = (value: unknown): Reference | undefined =>
  isRecord(value) && typeof value['name'] === 'string' && typeof value['uid'] === 'string'
    ? { name: value['name'], uid: value['uid'] }
    : undefined

function userOf({ id, namespace, account, bound }: Claims): UserInfo {
  return {
    name: serviceAccountUser(namespace, account.name),
    uid: account.uid,
    groups: serviceAccountGroups(namespace),
    extra: {
      'authentication.kubernetes.io/credential-id': [`JTI=${id}`],
      ...(bound?.kind === 'pod' && {
        'authentication.kubernetes.io/pod-name': [bound.to.name],
        'authentication.kubernetes.io/pod-uid': [bound.to.uid],
      }),
    },
  }
}

/** As Go prints a list of strings: `["a" "b"]`. */
const quotedList = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`
