import { parseFieldSelector } from '@slipway/kube/selector'
import type { Verb } from '../registry/resource'

/** Describes a request, based only on its method, path and query. Source: k8s.io/apiserver, request/requestinfo.go. */
export type RequestInfo = ResourceRequest | PathRequest

export interface ResourceRequest {
  kind: 'resource'
  verb: Verb
  group: string
  version: string
  plural: string
  namespace?: string
  name?: string
  subresource?: string
}

export interface PathRequest {
  kind: 'path'
  /** The HTTP method in lower case. */
  verb: string
  path: string
}

/** @throws URIError for a percent sign in the path that is not followed by two hexadecimal digits */
export function requestInfoOf(method: string, url: URL): RequestInfo {
  const pathInfo: PathRequest = { kind: 'path', verb: method.toLowerCase(), path: url.pathname }
  // An encoded slash separates segments like any other slash.
  const parts = url.pathname.slice(1).split('/').map(decodePart).join('/').split('/')
  if (parts.at(-1) === '') parts.pop()
  let group = ''
  if (parts[0] === 'apis') group = parts.splice(1, 1)[0] ?? ''
  else if (parts[0] !== 'api') return pathInfo
  const [, version, ...rest] = parts
  if (!version || !rest[0] || rest.includes('')) return pathInfo
  const location = parseLocation(rest)
  if (!location) return pathInfo
  const verb = verbOf(method, location.name, url)
  if (!verb) return pathInfo
  const name = verb === 'list' || verb === 'watch' ? nameInSelector(url) : location.name
  return { kind: 'resource', verb, group, version, ...location, name }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (/%(?![0-9a-f]{2})/i.test(part)) throw error
    // Bytes that are not UTF-8 cannot name an object, but do not make the request invalid.
    const bytes = part.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
  }
}

type ResourceLocation = Pick<ResourceRequest, 'plural' | 'namespace' | 'name' | 'subresource'>

function parseLocation(parts: string[]): ResourceLocation | undefined {
  const isNamespaced = parts[0] === 'namespaces' && parts.length > 2 && parts[2] !== 'status' && parts[2] !== 'finalize'
  const [plural = '', name, subresource, ...more] = isNamespaced ? parts.slice(2) : parts
  if (more.length > 0) return undefined
  if (isNamespaced) return { plural, namespace: parts[1], name, subresource }
  // Access to a namespace is authorized within that namespace.
  return { plural, namespace: plural === 'namespaces' ? name : undefined, name, subresource }
}

function verbOf(method: string, name: string | undefined, url: URL): Verb | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return name !== undefined ? 'get' : isTrue(url.searchParams.get('watch')) ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return name !== undefined ? 'delete' : 'deletecollection'
    default:
      return undefined
  }
}

/** A list or watch of a single name is allowed if the user may access that name. */
function nameInSelector(url: URL): string | undefined {
  const selector = url.searchParams.get('fieldSelector')
  if (!selector) return undefined
  try {
    const [only, ...others] = parseFieldSelector(selector).filter(
      ({ field, operator }) => field === 'metadata.name' && operator === 'Equals',
    )
    return others.length === 0 ? only?.value : undefined
  } catch {
    return undefined // Invalid selectors are rejected later, after authorization.
  }
}

export const isTrue = (value: string | null): boolean => value !== null && !/^(false|0)$/i.test(value)
