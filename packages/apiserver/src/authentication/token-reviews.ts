import type { Clock } from '@slipway/kube/clock'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { shownUser } from '@slipway/kube/user'
import { serviceAccounts } from '../builtin/serviceaccounts'
import { badRequest, conflict, invalidObject, notFound } from '../errors'
import { deserialize } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../resource'
import { invalid } from '../field-error'
import type { Storage } from '../storage/storage'
import { timestamp } from '../timestamp'
import { apiAudiences, type Authenticate } from './authenticator'
import { boundKinds, type BoundKind, type ServiceAccountTokens, type TokenGrant } from './service-account-tokens'

/** The review kinds for tokens, which are posted, evaluated and not stored. */

/** Identifies the user of a token. @param body decoded by its schema */
export async function reviewToken(body: AnyObject, authenticate: Authenticate): Promise<AnyObject> {
  const { token, audiences } = specOf(body)
  if (typeof token !== 'string' || !token) throw badRequest('token is required for TokenReview in authentication')
  const requested = textsOf(audiences)
  const found = await authenticate(token, requested.length > 0 ? requested : apiAudiences)
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
 * Issues a token for the service account in the path. Source: pkg/registry/core/serviceaccount/storage/token.go.
 * @param body decoded by its schema
 * @throws StatusError
 */
export async function requestToken(
  resource: ResourceInfo,
  body: AnyObject,
  target: { namespace: string; name: string },
  { storage, clock, tokens }: TokenRequestParts,
): Promise<AnyObject> {
  const { namespace, name } = target
  const throwIfAny = (...causes: StatusCause[]) => {
    if (causes.length > 0) throw invalidObject(resource.type, name, causes)
  }
  for (const part of ['name', 'namespace'] as const) {
    const given = body.metadata[part]
    if (!given || given === target[part]) continue
    throwIfAny(invalid(`metadata.${part}`, given, `must match the service account ${part} if specified`))
  }
  const account = read(storage, serviceAccounts, namespace, name)
  const { audiences: requested, expirationSeconds = seconds.default, boundObjectRef } = specOf(body)
  const audiences = textsOf(requested).length > 0 ? textsOf(requested) : [...apiAudiences]
  const lifetime = Number(expirationSeconds)
  const limit =
    lifetime < seconds.least
      ? 'may not specify a duration less than 10 minutes'
      : lifetime > seconds.most
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined
  if (limit) throw invalidObject(resource.type, '', [invalid('spec.expirationSeconds', lifetime, limit)])
  const bound = isRecord(boundObjectRef) ? boundTo(storage, boundObjectRef, target) : undefined
  const grant: TokenGrant = {
    namespace,
    account: { name, uid: account.metadata.uid ?? '' },
    audiences,
    expirationSeconds: lifetime,
    ...(bound && { bound }),
  }
  const status = await tokens.issue(grant)
  return {
    ...body,
    metadata: { ...body.metadata, name, namespace, creationTimestamp: timestamp(clock) },
    spec: { audiences, expirationSeconds: lifetime, boundObjectRef: boundObjectRef ?? null },
    status,
  }
}

function boundTo(
  storage: Storage,
  { apiVersion = '', kind = '', name = '', uid }: Record<string, unknown>,
  account: { namespace: string; name: string },
): TokenGrant['bound'] {
  const known = (Object.entries(boundKinds) as [BoundKind, ResourceInfo][]) // A literal without other keys.
    .find(([, { type }]) => kind === type.kind && apiVersion === type.version)
  if (!known) {
    const groupVersion = String(apiVersion).includes('/') ? String(apiVersion) : `/${String(apiVersion)}`
    throw badRequest(`cannot bind token to object of type ${groupVersion}, Kind=${String(kind)}`)
  }
  const [boundKind, resource] = known
  const object = read(storage, resource, account.namespace, String(name))
  // A pod without a service account runs as the default account of its namespace.
  if (boundKind === 'pod' && (specOf(object)['serviceAccountName'] || 'default') !== account.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.name)} to pod running with different serviceaccount name.`,
    )
  }
  const actual = object.metadata.uid ?? ''
  if (uid && uid !== actual) {
    const detail = `the UID in the bound object reference (${String(uid)}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group: '', plural: resource.type.kind }, String(name), detail)
  }
  return { kind: boundKind, to: { name: String(name), uid: actual } }
}

function read(storage: Storage, resource: ResourceInfo, namespace: string, name: string): AnyObject {
  const stored = storage.get(collectionOf(resource.type), keyOf(namespace, name))
  if (!stored) throw notFound(resource.type, name)
  return deserialize(resource, stored)
}

const specOf = (object: AnyObject): Record<string, unknown> => (isRecord(object['spec']) ? object['spec'] : {})
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
