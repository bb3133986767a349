import { systemClock, type Clock } from '@slipway/kube/clock'
import { anonymous, type UserInfo } from '@slipway/kube/user'
import type { AggregatedApi } from './aggregated-api'
import { createAuthorizer } from './authorization/authorizer'
import type { Attributes } from './authorization/rules'
import { forbiddenMessage } from './authorization/forbidden'
import { reviewAccess } from './authorization/reviews'
import { namespaceDeletion, namespaceLifecycle } from './admission/namespace-lifecycle'
import { podAdmission } from './admission/pod-admission'
import { roleEscalation } from './admission/role-escalation'
import { createAuthenticator } from './authentication/authenticator'
import { issuerDocument } from './authentication/issuer-documents'
import { createServiceAccountTokens } from './authentication/service-account-tokens'
import { requestToken, reviewToken } from './authentication/token-reviews'
import { bootstrap } from './bootstrap'
import { clusterRoleAggregation } from './controllers/cluster-role-aggregation'
import { runControllers } from './controllers/controllers'
import { claimProtection } from './controllers/claim-protection'
import { definitionCleanup } from './controllers/definition-cleanup'
import { definitionNames } from './controllers/definition-names'
import { eventExpiry } from './controllers/event-expiry'
import { garbageCollector } from './controllers/garbage-collector'
import { namespaceController } from './controllers/namespaces'
import { podLogCleanup } from './controllers/pod-log-cleanup'
import { rootCertificates } from './controllers/root-certificates'
import { createDiscovery, publicPaths } from './discovery/handler'
import { isRouted } from './discovery/routes'
import {
  forbidden,
  insufficientStorage,
  internalError,
  methodNotAllowedOnPath,
  StatusError,
  unauthorized,
  unknownPath,
  UnknownPathError,
} from './errors'
import { inlineYamlReader, type YamlReader } from './http/body'
import { impersonatedUser } from './authentication/impersonation'
import { encodeBody, responseOf } from './http/negotiation'
import { requestInfoOf, type RequestInfo, type ResourceRequest } from './http/request-info'
import { TextResponse } from './http/text-response'
import { createPodLogs } from './kubelet/pod-logs'
import { randomUid, systemRandom, type Random } from './random'
import { accessObjects } from './registry/access-objects'
import { createCatalog } from './registry/catalog'
import { createHandler, type RunReview } from './endpoints/handlers/handler'
import { createWatches } from './endpoints/handlers/watch'
import { createWriter } from './registry/writer'
import { printableError, StorageDamagedError, StorageFullError, type Storage } from './storage/storage'

export interface ApiServerOptions {
  storage: Storage
  /** The user of a bearer token; `undefined` if the token is unknown. */
  authenticate(bearerToken: string): UserInfo | undefined | Promise<UserInfo | undefined>
  /** By which clients trust the API, in PEM: published to every namespace. Without it none is. */
  rootCertificate?: string
  /** How long events are retained after their last write; default: an hour, as in Kubernetes. */
  eventTtlMs?: number
  /** Approximate memory for the last changes, from which watches resume; default: 192 MiB. Older ones are read from the storage. */
  watchLogBytes?: number
  /** APIs that other programs serve in a real cluster; none by default. */
  aggregatedApis?: readonly AggregatedApi[]
  clock?: Clock
  random?: Random
  /** Closed with the server. By default, YAML is parsed in this thread, which suits trusted clients. */
  yaml?: YamlReader
  /** Reports internal errors; by default they are written to the console. */
  report?(error: unknown): void
}

export interface ApiServer {
  fetch(request: Request): Promise<Response>
  /** Resolves when the controllers have handled all writes so far: garbage collected, namespaces emptied. */
  settled(): Promise<void>
  /** Ends all watches and closes the storage. */
  close(): Promise<void>
}

/** Creates a Kubernetes API server on a storage. Time, randomness and authentication are injected. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { storage, clock = systemClock, random = systemRandom, yaml = inlineYamlReader } = options
  const report = options.report ?? ((error: unknown) => console.error(printableError(error)))
  const authorizer = createAuthorizer(accessObjects(storage))
  const catalog = createCatalog(storage)
  const checkNamespace = namespaceLifecycle(storage)
  const checkEscalation = roleEscalation(authorizer)
  // The controllers need the writer, and so are created after it.
  const admitPod = podAdmission({ storage, random, settled: () => controllers.settled() })
  const writer = createWriter({
    storage,
    clock,
    random,
    catalog,
    admit(write) {
      // Without a namespace there is no service account to look up.
      checkNamespace(write)
      return admitPod(write)
    },
    validate(write) {
      checkNamespace(write)
      checkEscalation(write)
    },
    validateDelete: namespaceDeletion,
  })
  let isClosed = false
  /** Reports an error, and returns its description for a client. */
  function statusOf(error: unknown): StatusError {
    // Requests still pending when the storage is closed fail for that reason only.
    if (!isClosed) report(error)
    return storageStatus(error) ?? internalError('see the server log')
  }
  const watches = createWatches({ storage, clock, random, catalog, statusOf, logBytes: options.watchLogBytes })
  const podLogs = createPodLogs({ storage, clock })
  const tokens = createServiceAccountTokens({ storage, clock, random })
  const authenticate = createAuthenticator(options.authenticate, tokens)
  const review: RunReview = async (resource, body, { user, namespace, name = '' }) => {
    switch (resource.review) {
      case undefined:
        throw unknownPath()
      case 'TokenReview':
        return reviewToken(body, authenticate)
      case 'TokenRequest':
        return requestToken(resource, body, { namespace: namespace ?? '', name }, { storage, clock, tokens })
      default:
        return reviewAccess(resource, resource.review, body, { authorizer, clock, user, namespace })
    }
  }
  const handle = createHandler({ storage, clock, writer, watches, podLogs, authorizer, runReview: review, yaml })
  const { aggregatedApis = [] } = options
  const discover = createDiscovery(catalog, aggregatedApis)
  await bootstrap(writer)
  const parts = { storage, catalog, writer, clock }
  const controllers = runControllers(
    parts,
    [
      clusterRoleAggregation(parts),
      namespaceController(parts),
      definitionNames(parts),
      definitionCleanup(parts),
      claimProtection(parts),
      garbageCollector(parts),
      podLogCleanup(parts),
      eventExpiry(parts, options.eventTtlMs),
      ...(options.rootCertificate ? [rootCertificates(parts, options.rootCertificate)] : []),
    ],
    report,
  )
  await controllers.settled()

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const requestInfo = parseRequestInfo(request.method, url)
    if (!requestInfo) return malformedRequest()
    const user = await userOf(request, requestInfo)
    const { allowed, reason } = authorizer.authorize(attributesOf(requestInfo, user))
    if (!allowed) throw withNosniff(forbiddenError(requestInfo, user, reason))
    if (requestInfo.kind === 'path') return (await issuerDocument(request, url, tokens)) ?? discover(request, url)
    const aggregated = aggregatedApis.find(({ group }) => group === requestInfo.group)
    if (aggregated) return respondAggregated(aggregated, request, url, requestInfo)
    const resource = catalog.find(requestInfo.group, requestInfo.version, requestInfo.plural)
    if (!resource) throw unknownPath()
    if (request.method === 'HEAD') throw methodNotAllowedOnPath()
    if (!resource.type.namespaced && requestInfo.namespace !== undefined && requestInfo.plural !== 'namespaces')
      throw unknownPath()
    if (resource.type.namespaced && requestInfo.namespace === undefined && concernsOneObject(requestInfo))
      throw unknownPath()
    return handle({ request, url, resource, requestInfo, user })
  }

  /** Requests without a token are anonymous on the few public paths. @throws StatusError 401 */
  async function userOf(request: Request, requestInfo: RequestInfo): Promise<UserInfo> {
    const header = request.headers.get('authorization')
    const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
    const found = token === undefined ? undefined : await authenticate(token)
    if (found && 'user' in found) return actingUser(request, found.user)
    if (header === null && requestInfo.kind === 'path' && isPublic(requestInfo.path))
      return actingUser(request, anonymous)
    throw unauthorized()
  }

  function actingUser({ headers }: Request, sender: UserInfo): UserInfo {
    try {
      return impersonatedUser(headers, sender, authorizer)
    } catch (error) {
      throw error instanceof StatusError ? withNosniff(error) : error
    }
  }

  return {
    async fetch(request) {
      const auditId = request.headers.get('audit-id') ?? randomUid(random)
      const response = await respond(request).catch((error: unknown) => {
        if (error instanceof UnknownPathError && !isRouted(new URL(request.url).pathname)) return pageNotFound()
        if (error instanceof StatusError) return errorResponse(request, error)
        return errorResponse(request, statusOf(error))
      })
      response.headers.set('audit-id', auditId)
      if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-cache, private')
      return response
    },
    settled: () => controllers.settled(),
    async close() {
      isClosed = true
      controllers.close()
      watches.close()
      podLogs.close()
      await yaml.close()
      storage.close()
    },
  }
}

/** @throws StatusError 404, 405 */
async function respondAggregated(
  api: AggregatedApi,
  request: Request,
  url: URL,
  { version, plural, subresource, verb, namespace, name }: ResourceRequest,
): Promise<Response> {
  const path = subresource === undefined ? plural : `${plural}/${subresource}`
  const resource = api.resources.find((each) => each.name === path && each.namespaced === (namespace !== undefined))
  if (!resource || !api.versions.includes(version)) throw unknownPath()
  if (!resource.verbs.includes(verb)) throw methodNotAllowedOnPath()
  const body = await api.respond({ version, resource: path, verb, namespace, name, query: url.searchParams })
  if (!body) throw unknownPath()
  const { content, mediaType } = encodeBody(body, request.headers.get('accept'))
  return responseOf(content, { headers: { 'content-type': mediaType } })
}

/** @returns `undefined` for a badly encoded path */
function parseRequestInfo(method: string, url: URL): RequestInfo | undefined {
  try {
    return requestInfoOf(method, url)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

const pageNotFound = (): Response =>
  new TextResponse('404 page not found\n', {
    status: 404,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache, private',
      'x-content-type-options': 'nosniff',
    },
  })

/** The response of Go's HTTP server to a request that it cannot parse. */
const malformedRequest = (): Response =>
  new TextResponse('400 Bad Request', { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' } })

const isPublic = (path: string): boolean => publicPaths.some((known) => path === known || path === `${known}/`)

/** Namespaced objects cannot be addressed at the cluster scope: only lists and watches span all namespaces. */
const concernsOneObject = (requestInfo: RequestInfo): boolean => !['list', 'watch'].includes(requestInfo.verb)

function attributesOf(requestInfo: RequestInfo, user: UserInfo): Attributes {
  if (requestInfo.kind === 'path') return { user, verb: requestInfo.verb, path: requestInfo.path }
  const { verb, group, plural: resource, subresource, namespace, name } = requestInfo
  return { user, verb, group, resource, subresource, namespace, name }
}

function forbiddenError(requestInfo: RequestInfo, user: UserInfo, reason: string): StatusError {
  const message = forbiddenMessage(attributesOf(requestInfo, user), reason)
  if (requestInfo.kind === 'path') return forbidden(message)
  return forbidden(message, { group: requestInfo.group, plural: requestInfo.plural }, requestInfo.name)
}

/** The filters of the real server add this header to their errors. */
function withNosniff(error: StatusError): StatusError {
  error.headers['x-content-type-options'] = 'nosniff'
  return error
}

/** The storage errors that clients may see, without the path, which is on the terminal. */
function storageStatus(error: unknown): StatusError | undefined {
  if (error instanceof StorageFullError) return insufficientStorage(error.clientMessage)
  if (error instanceof StorageDamagedError) return internalError(error.clientMessage)
  return undefined
}

function errorResponse(request: Request, { status, headers }: StatusError): Response {
  const { content, mediaType } = encodeBody(status, request.headers.get('accept'))
  return responseOf(content, {
    status: status.code,
    headers: { 'content-type': mediaType, ...headers },
  })
}
