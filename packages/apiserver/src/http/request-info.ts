import { parseFieldSelector } from '@slipway/kube/selector'
import type { Verb } from '../registry/resource'

/** What a request is about, from its method, path and query alone. Source: k8s.io/apiserver, request/requestinfo.go. */
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

/** @throws URIError for a path with a percent sign that does not begin two hexadecimal digits */
export function requestInfoOf(method: string, url: URL): RequestInfo {
  const pathInfo: PathRequest = { kind: 'path', verb: method.toLowerCase(), path: url.pathname }
  // An encoded slash parts the path as any other does.
  const parts = url.pathname.slice(1).split('/').map(decodedPart).join('/').split('/')
  if (parts.at(-1) === '') parts.pop()
  let group = ''
  if (parts[0] === 'apis') group = parts.splice(1, 1)[0] ?? ''
  else if (parts[0] !== 'api') return pathInfo
  const [, version, ...rest] = parts
  if (!version || !rest[0] || rest.includes('')) return pathInfo
  const place = placeOf(rest)
  if (!place) return pathInfo
  const verb = verbOf(method, place.name, url)
  if (!verb) return pathInfo
  const name = verb === 'list' || verb === 'watch' ? nameInSelector(url) : place.name
  return { kind: 'resource', verb, group, version, ...place, name }
}

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (/%(?![0-9a-f]{2})/i.test(part)) throw error
    // Bytes that are not UTF-8 name nothing, but are no reason to refuse the request.
    const bytes = part.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
  }
}

type Place = Pick<ResourceRequest, 'plural' | 'namespace' | 'name' | 'subresource'>

function placeOf(parts: string[]): Place | undefined {
  const isNamespaced = parts[0] === 'namespaces' && parts.length > 2 && parts[2] !== 'status' && parts[2] !== 'finalize'
  const [plural = '', name, subresource, ...more] = isNamespaced ? parts.slice(2) : parts
  if (more.length > 0) return undefined
  if (isNamespaced) return { plural, namespace: parts[1], name, subresource }
  // The name of a namespace is also the namespace in which access to it is decided.
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

/** A list or watch of one name is allowed to those who may read that name. */
function nameInSelector(url: URL): string | undefined {
  const selector = url.searchParams.get('fieldSelector')
  if (!selector) return undefined
  try {
    const [only, ...others] = parseFieldSelector(selector).filter(
      ({ field, operator }) => field === 'metadata.name' && operator === 'Equals',
    )
    return others.length === 0 ? only?.value : undefined
  } catch {
    return undefined // Unreadable selectors are refused where they are used, after access is decided.
  }
}

export const isTrue = (value: string | null): boolean => value !== null && !/^(false|0)$/i.test(value)
