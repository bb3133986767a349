import { parseResourcePath } from '@slipway/kube/api-request'
import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { Pod, ResourceAttributes } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { ApiError } from '@slipway/kube/status'
import { clientMessageOf } from '@slipway/sqlite/errors'
import { expiringCache } from '@slipway/kube/expiring-cache'
import { createBuckets, type Rate } from '@slipway/kube/token-buckets'
import type { UserInfo } from '@slipway/kube/user'
import { AccessError, type Access, type AccessProblem } from '@slipway/kube/access'
import { continueTokenOf, listRequestOf, QueryError } from './query'
import { logResponse } from '../log-response'
import type { ArchiveStore, ArchivedObject, TypeName } from '../store/store'

export interface KubeArchiveOptions {
  client: KubeClient
  store: ArchiveStore
  access: Access
  clock: Clock
  rateLimits: RateLimits
}

/** Limits per user. */
export interface RateLimits {
  requests: Rate
  /** For requests of logs, which count as requests too. */
  logs: Rate
}

/** An error response with the code and message of KubeArchive. */
class HttpError extends Error {
  readonly code: number
  /** How long the client should wait; 0 if waiting does not help. */
  readonly retryAfterS: number

  constructor(code: number, message: string, retryAfterS = 0) {
    super(message)
    this.code = code
    this.retryAfterS = retryAfterS
  }
}

/** The target of a path. Source: kubearchive, cmd/api/main.go. */
interface Target extends TypeName {
  namespace?: string
  name?: string
  uid?: string
  isLog: boolean
}

const discoveryLastsMs = 600_000

/** The HTTP API of KubeArchive for the archived objects. */
export function createKubeArchive(options: KubeArchiveOptions): (request: Request) => Promise<Response> {
  const { client, store, access, clock } = options
  const requests = createBuckets(options.rateLimits.requests, clock)
  const logs = createBuckets(options.rateLimits.logs, clock)
  const discovered = expiringCache<string[]>(clock, discoveryLastsMs)

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (request.method !== 'GET') return noSuchPage()
    if (url.pathname === '/livez') return Response.json({ code: 200, message: 'healthy' })
    if (url.pathname === '/readyz') return ready()
    const target = targetOf(url.pathname)
    if (!target) return noSuchPage()
    const caller = await callerOf(request.headers)
    limitRate(caller, target)
    for (const attributes of requiredPermissions(target)) {
      // Like the real API: a user without permission gets the same response as an unauthenticated one.
      if (!(await access.isAllowed(caller, attributes))) throw new HttpError(401, 'Unauthorized')
    }
    await assertServed(target)
    assertOneName(target, url.searchParams)
    if (target.isLog) return logOf(target, url.searchParams)
    if (target.name === undefined && target.uid === undefined) return list(target, url.searchParams, request.signal)
    return objectResponse(one(target))
  }

  function limitRate({ name, uid }: UserInfo, { isLog }: Target) {
    const key = JSON.stringify([name, uid])
    const waitS = requests.take(key) || (isLog ? logs.take(key) : 0)
    if (waitS > 0) throw new HttpError(429, 'too many requests', waitS)
  }

  async function callerOf(headers: Headers): Promise<UserInfo> {
    try {
      return await access.callerOf(headers)
    } catch (error) {
      if (error instanceof AccessError) throw new HttpError(...problems[error.problem])
      throw error
    }
  }

  function ready(): Response {
    try {
      store.get('')
    } catch (error) {
      throw new HttpError(503, clientMessageOf(error))
    }
    return Response.json({ message: 'ready' })
  }

  /** @throws HttpError for a kind that the cluster does not serve */
  async function assertServed({ group, version, plural }: Target) {
    const path = group ? `/apis/${group}/${version}` : `/api/${version}`
    const plurals = await discovered(path, async () => {
      const { resources = [] } = await client.request<{ resources?: { name: string }[] }>(path)
      return resources.map(({ name }) => name)
    }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code < 400) throw error
      throw new HttpError(error.code, `unable to retrieve information from '${path}', error: ${error.message}`)
    })
    if (!plurals.includes(plural)) {
      throw new HttpError(400, `unable to find the API resource ${plural} in the Kubernetes cluster`)
    }
  }

  async function list(target: Target, query: URLSearchParams, signal: AbortSignal): Promise<Response> {
    const request = listRequestOf(query)
    const isExact = request.name !== undefined
    const { items, next } = await store.page({
      ...request,
      ...(isExact && { limit: 1 }),
      types: [target],
      namespace: target.namespace,
      signal,
    })
    if (isExact) return objectResponse(items[0])
    const token = next ? continueTokenOf(next) : ''
    // The objects are already JSON.
    const body = `{"kind":"List","apiVersion":"v1","metadata":{"continue":"${token}"},"items":[${items.map(({ json }) => json).join(',')}]}`
    return jsonResponse(body)
  }

  function one(target: Target): ArchivedObject {
    const { namespace = '', name, uid } = target
    const found = uid === undefined ? store.newest(target, namespace, name ?? '') : store.get(uid)
    const isMeant =
      found?.namespace === namespace && found.plural === target.plural && apiVersionOf(found) === apiVersionOf(target)
    if (!isMeant) throw new HttpError(404, 'resource not found')
    return found
  }

  /** The log of a pod, or of the newest pod that the object owns. */
  function logOf(target: Target, query: URLSearchParams): Response {
    const container = query.get('container') || undefined
    const tail = query.get('tailLines') ?? ''
    if (!/^\d*$/.test(tail)) throw new HttpError(400, `tailLines '${tail}' could not be converted to integer`)
    for (const pod of podsBelow(one(target))) {
      const name = container ?? defaultContainerOf(JSON.parse(pod.json) as Pod) // Archived as this kind.
      const chunks = name && store.logs.read(pod.uid, name, tail === '' ? undefined : Number(tail))
      if (chunks)
        return logResponse(chunks, { 'x-pod-name': pod.name, 'x-pod-uuid': pod.uid, 'x-container-name': name })
    }
    throw new HttpError(404, container ? `no logs found for container ${container}` : 'no logs found')
  }

  /** Newest first. */
  function* podsBelow(archived: ArchivedObject): Generator<ArchivedObject> {
    if (archived.kind === 'Pod') yield archived
    else for (const owned of store.ownedBy(archived.uid).reverse()) yield* podsBelow(owned)
  }

  return async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      if (error instanceof HttpError) return refused(error.code, error.message, error.retryAfterS)
      if (error instanceof QueryError) return refused(400, error.message)
      return refused(500, clientMessageOf(error))
    }
  }
}

const refused = (status: number, message: string, retryAfterS = 0): Response =>
  Response.json({ message }, { status, headers: retryAfterS > 0 ? { 'retry-after': String(retryAfterS) } : {} })

const jsonResponse = (json: string): Response =>
  new Response(json, { headers: { 'content-type': 'application/json; charset=utf-8' } })

/** @throws HttpError if there is no object */
function objectResponse(object: ArchivedObject | undefined): Response {
  if (!object) throw new HttpError(404, 'resource not found')
  return jsonResponse(object.json)
}

/** @throws HttpError for a path whose name is a pattern, or is given twice */
function assertOneName({ name, uid }: Target, query: URLSearchParams): void {
  if (name?.includes('*')) {
    throw new HttpError(400, 'wildcard characters are not allowed in path parameters, use query parameters instead')
  }
  if ((name ?? uid) !== undefined && query.get('name')) {
    throw new HttpError(400, 'cannot specify both path name parameter and query name parameter')
  }
}

/** The container that `kubectl logs` chooses, too. */
const defaultContainerOf = ({ metadata, spec }: Pod): string | undefined =>
  metadata.annotations?.['kubectl.kubernetes.io/default-container'] || spec.containers[0]?.name

/** The response of its HTTP library for unknown routes. */
const noSuchPage = (): Response =>
  new Response('404 page not found', { status: 404, headers: { 'content-type': 'text/plain' } })

/** Source: kubearchive, cmd/api/auth. */
const problems: Record<AccessProblem, [code: number, message: string]> = {
  'no token': [400, 'empty authorization bearer token given'],
  'malformed header': [400, 'incorrectly formatted authorization header, expected two strings separated by a space'],
  'bad token': [401, 'Authentication failed'],
  'no user': [400, 'invalid impersonation data'],
  'may not impersonate': [
    401,
    "rpc error: code = Unauthenticated desc = the user don't have permission to impersonate",
  ],
}

/** `undefined` for an unknown path. */
function targetOf(pathname: string): Target | undefined {
  const path = parseResourcePath(decodedParts(pathname))
  // The archive serves neither watches nor single namespaces.
  if (!path || path.isLegacyWatch || (path.plural === 'namespaces' && path.name !== undefined)) return undefined
  const { group, version, plural, namespace, name, below } = path
  const target = { group, version, plural, namespace, isLog: below.at(-1) === 'log' }
  if (name === undefined) return target
  // A single object is always requested in its namespace.
  if (namespace === undefined) return undefined
  if (name === 'uid' && below[0] !== undefined && below[0] !== 'log') {
    return below.length === (target.isLog ? 2 : 1) ? { ...target, uid: below[0] } : undefined
  }
  return below.length === (target.isLog ? 1 : 0) ? { ...target, name } : undefined
}

function decodedParts(pathname: string): string[] {
  try {
    return pathname.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}

/** The required permissions: to read the object, and its logs if they are requested. */
function requiredPermissions({ group, version, plural, namespace, name, uid, isLog }: Target): ResourceAttributes[] {
  const resource = { group, version, resource: plural, namespace }
  if (!isLog)
    return [
      name === undefined && uid === undefined ? { ...resource, verb: 'list' } : { ...resource, name, verb: 'get' },
    ]
  const log: ResourceAttributes = {
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'log',
    namespace,
    verb: 'get',
  }
  return plural === 'pods' && group === '' ? [log] : [{ ...resource, name, verb: 'get' }, log]
}
