import type { AggregatedApi } from '../aggregated-api'
import { methodNotAllowedOnPath, notAcceptable, unknownPath } from '../errors'
import { encodeBody, jsonType, wantsYaml } from '../http/negotiation'
import { createOpenApi, type OpenApi } from '../openapi/documents'
import { v2ContentType } from '../openapi/v2-protobuf'
import type { Catalog } from '../registry/catalog'
import type { ResourceInfo } from '../resource'
import { representationOf } from '../table/representation'
import { aggregatedDiscovery, aggregatedType, prefersAggregated } from './aggregated'
import {
  aggregatedResourceList,
  aggregatedVersions,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  groupVersions,
  type GroupVersion,
} from './documents'
import { isRouted } from './routes'
import { storageVersionHashes } from './storage-version-hash'
import { version } from './version'

/** Non-resource paths that may be read without a token. */
export const publicPaths = ['/healthz', '/livez', '/readyz', '/version']

/** The only health check: a server that responds is healthy. */
const healthCheck = 'ping'

/** Cached documents for a set of kinds, until it changes. */
interface Cached {
  resources: readonly ResourceInfo[]
  all: GroupVersion[]
  openApi: OpenApi | undefined
  hashes: Promise<ReadonlyMap<ResourceInfo, string>> | undefined
}

/** Serves discovery in every form that clients request. @throws StatusError */
export function createDiscovery(
  catalog: Catalog,
  aggregated: readonly AggregatedApi[] = [],
): (request: Request, url: URL) => Promise<Response> {
  let cached: Cached | undefined

  function current(): Cached {
    const resources = catalog.resources()
    if (cached?.resources !== resources)
      cached = {
        resources,
        all: groupVersions(resources, aggregatedVersions(aggregated)),
        openApi: undefined,
        hashes: undefined,
      }
    return cached
  }

  function openApi(): OpenApi {
    const { resources } = current()
    return (current().openApi ??= createOpenApi(resources, version.gitVersion))
  }

  const resourceList = async (group: string, version: string) =>
    aggregatedResourceList(aggregated, group, version) ??
    apiResourceList(
      current().all,
      group,
      version,
      await (current().hashes ??= storageVersionHashes(current().resources)),
    )

  return async function discover(request, url) {
    const path = url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : url.pathname
    const [, first, second, third, ...rest] = path.split('/')
    const accept = request.headers.get('accept')
    if (request.method !== 'GET' && isRouted(path)) throw methodNotAllowedOnPath()
    switch (first) {
      case '':
        return second === undefined ? json(request, { paths: pathsOf(current().all) }) : missing()
      case 'healthz':
      case 'livez':
      case 'readyz':
        if (third !== undefined || (second !== undefined && second !== healthCheck)) return missing()
        return new Response(url.searchParams.has('verbose') ? `[+]${healthCheck} ok\n${first} check passed\n` : 'ok', {
          headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
        })
      case 'version':
        return second === undefined ? json(request, version) : missing()
      case 'openapi':
        return documents(request, url, second, [third, ...rest].filter((part) => part !== undefined).join('/'))
      case 'api':
      case 'apis': {
        const { all } = current()
        if (second === undefined) return roots(request, url, first, accept)
        if (rest.length > 0) return missing()
        if (first === 'api')
          return third === undefined ? negotiated(request, await resourceList('', second)) : missing()
        return negotiated(request, third === undefined ? apiGroup(all, second) : await resourceList(second, third))
      }
      default:
        return missing()
    }
  }

  function roots(request: Request, url: URL, root: 'api' | 'apis', accept: string | null): Response {
    const { all } = current()
    if (!prefersAggregated(accept))
      return negotiated(
        request,
        root === 'api' ? apiVersions(request.headers.get('host') ?? url.host) : apiGroupList(all),
      )
    const selected = all.filter(({ group }) => (group === '') === (root === 'api'))
    const text = JSON.stringify(aggregatedDiscovery(selected, aggregated))
    const etag = `"${hashOf(text)}"`
    const headers = {
      'content-type': aggregatedType,
      'cache-control': 'public',
      vary: 'Accept',
      etag,
    }
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    return new Response(text, { headers })
  }

  function documents(request: Request, url: URL, form: string | undefined, key: string): Response {
    const accept = request.headers.get('accept') ?? ''
    if (form === 'v2' && !key) {
      if (/proto-openapi\.spec\.v2/.test(accept)) {
        return new Response(openApi().v2Protobuf(), { headers: { 'content-type': v2ContentType } })
      }
      if (!takesJson(accept)) throw notAcceptable(`${jsonType}, ${v2ContentType}`)
      return json(request, openApi().v2())
    }
    if (form !== 'v3') return missing()
    // Always JSON, but labeled as plain text, as in the real server; kubectl accepts that.
    if (!key) return json(request, openApi().index(), { 'content-type': 'text/plain; charset=utf-8' })
    if (!takesJson(accept)) throw notAcceptable(jsonType)
    const found = openApi().v3(key)
    if (!found) return missing()
    const hash = url.searchParams.get('hash')
    if (hash && hash !== found.hash) {
      return new Response(null, { status: 301, headers: { location: `${url.pathname}?hash=${found.hash}` } })
    }
    const headers = { etag: `"${found.hash}"`, vary: 'Accept', ...(hash && { 'cache-control': 'public, immutable' }) }
    return json(request, found.document, headers)
  }
}

const pathsOf = (all: readonly GroupVersion[]): string[] =>
  [
    ...all.flatMap(({ group, version }) =>
      group ? [`/apis/${group}`, `/apis/${group}/${version}`] : [`/api/${version}`],
    ),
    ...publicPaths.flatMap((path) => (path === '/version' ? path : [path, `${path}/${healthCheck}`])),
    ...['/.well-known/openid-configuration', '/api', '/apis', '/openapi/v2', '/openapi/v3', '/openid/v1/jwks'],
  ]
    .filter((path, index, list) => list.indexOf(path) === index)
    .sort()

function missing(): never {
  throw unknownPath()
}

const takesJson = (accept: string | null): boolean => representationOf(accept) === 'Object'

/** Responds in JSON or YAML, as requested. @throws StatusError 404, 406 */
function negotiated(request: Request, body: object | undefined): Response {
  if (!body) return missing()
  const accept = request.headers.get('accept')
  if (!takesJson(accept) && !wantsYaml(accept)) throw notAcceptable()
  const { content, mediaType } = encodeBody(body, accept)
  return new Response(request.method === 'HEAD' ? null : content, { headers: { 'content-type': mediaType } })
}

function json(request: Request, body: object | undefined, headers: Record<string, string> = {}): Response {
  if (!body) return missing()
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(body), {
    headers: { 'content-type': jsonType, ...headers },
  })
}

/** FNV-1a: distinguishes texts, but is not secure. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
