import type { Clock } from '@slipway/kube/clock'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { shownUser } from '../authorization/user'
import { serviceAccounts } from '../builtin/serviceaccounts'
import { badRequest, conflict, invalidObject, notFound } from '../errors'
import { objectOf } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../registry/resource'
import { invalid } from '../schema/field-error'
import type { Storage } from '../storage/storage'
import { timestamp } from '../timestamp'
import { apiAudiences, type Authenticate } from './authenticator'
import { boundKinds, type BoundKind, type ServiceAccountTokens, type TokenGrant } from './service-account-tokens'

/** The review kinds that are about tokens: posted, answered and not stored. */
export type TokenReviewKind = 'TokenReview' | 'TokenRequest'

/** Who a token stands for. @param body decoded by its schema */
export async function answerTokenReview(body: AnyObject, authenticate: Authenticate): Promise<AnyObject> {
  const { token, audiences } = specOf(body)
  if (typeof token !== 'string' || !token) throw badRequest('token is required for TokenReview in authentication')
  const wanted = textsOf(audiences)
  const found = await authenticate(token, wanted.length > 0 ? wanted : apiAudiences)
  const status =
    'user' in found
      ? { authenticated: true, user: shownUser(found.user), audiences: found.audiences }
      : { user: {}, error: found.error }
  return { ...body, status }
}

export interface TokenRequestParts {
  storage: Storage
  clock: Clock
  tokens: ServiceAccountTokens
}

/** Source: pkg/apis/authentication/validation of Kubernetes. */
const seconds = { least: 600, most: 2 ** 32, default: 3600 }

/**
 * A token for the service account in the path. Source: pkg/registry/core/serviceaccount/storage/token.go.
 * @param body decoded by its schema
 * @throws StatusError
 */
export async function answerTokenRequest(
  info: ResourceInfo,
  body: AnyObject,
  place: { namespace: string; name: string },
  { storage, clock, tokens }: TokenRequestParts,
): Promise<AnyObject> {
  const { namespace, name } = place
  const refuse = (...causes: StatusCause[]) => {
    if (causes.length > 0) throw invalidObject(info.type, name, causes)
  }
  for (const part of ['name', 'namespace'] as const) {
    const given = body.metadata[part]
    if (!given || given === place[part]) continue
    refuse(invalid(`metadata.${part}`, given, `must match the service account ${part} if specified`))
  }
  const account = read(storage, serviceAccounts, namespace, name)
  const { audiences: asked, expirationSeconds = seconds.default, boundObjectRef } = specOf(body)
  const audiences = textsOf(asked).length > 0 ? textsOf(asked) : [...apiAudiences]
  const lasts = Number(expirationSeconds)
  const limit =
    lasts < seconds.least
      ? 'may not specify a duration less than 10 minutes'
      : lasts > seconds.most
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined
  if (limit) throw invalidObject(info.type, '', [invalid('spec.expirationSeconds', lasts, limit)])
  const bound = isRecord(boundObjectRef) ? boundTo(storage, boundObjectRef, place) : undefined
  const grant: TokenGrant = {
    namespace,
    account: { name, uid: account.metadata.uid ?? '' },
    audiences,
    expirationSeconds: lasts,
    ...(bound && { bound }),
  }
  const status = await tokens.issue(grant)
  return {
    ...body,
    metadata: { ...body.metadata, name, namespace, creationTimestamp: timestamp(clock) },
    spec: { audiences, expirationSeconds: lasts, boundObjectRef: boundObjectRef ?? null },
    status,
  }
}

function boundTo(
  storage: Storage,
  { apiVersion = '', kind = '', name = '', uid }: Record<string, unknown>,
  account: { namespace: string; name: string },
): TokenGrant['bound'] {
  const known = (Object.entries(boundKinds) as [BoundKind, ResourceInfo][]) // A literal, with no other keys.
    .find(([, { type }]) => kind === type.kind && apiVersion === type.version)
  if (!known) {
    const groupVersion = String(apiVersion).includes('/') ? String(apiVersion) : `/${String(apiVersion)}`
    throw badRequest(`cannot bind token to object of type ${groupVersion}, Kind=${String(kind)}`)
  }
  const [boundKind, info] = known
  const object = read(storage, info, account.namespace, String(name))
  // A pod that names none runs as the account that every namespace has.
  if (boundKind === 'pod' && (specOf(object)['serviceAccountName'] || 'default') !== account.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.name)} to pod running with different serviceaccount name.`,
    )
  }
  const actual = object.metadata.uid ?? ''
  if (uid && uid !== actual) {
    const detail = `the UID in the bound object reference (${String(uid)}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group: '', plural: info.type.kind }, String(name), detail)
  }
  return { kind: boundKind, to: { name: String(name), uid: actual } }
}

function read(storage: Storage, info: ResourceInfo, namespace: string, name: string): AnyObject {
  const stored = storage.get(collectionOf(info.type), keyOf(namespace, name))
  if (!stored) throw notFound(info.type, name)
  return objectOf(info, stored)
}

const specOf = (object: AnyObject): Record<string, unknown> => (isRecord(object['spec']) ? object['spec'] : {})
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
