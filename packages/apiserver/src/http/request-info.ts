import { parseApiRequest, type ResourcePath, type Verb } from '@slipway/kube/api-request'
import { parseFieldSelector } from '@slipway/kube/parse-selector'

/** Describes a request, based only on its method, path and query. */
export type RequestInfo = ResourceRequest | PathRequest

export interface ResourceRequest extends Omit<ResourcePath, 'below' | 'isLegacyWatch'> {
  kind: 'resource'
  verb: Verb
  subresource?: string
}

export interface PathRequest {
  kind: 'path'
  /** The HTTP method in lower case. */
  verb: string
  path: string
}

/** @throws URIError for a percent sign in the path that is not followed by two hexadecimal digits */
export function requestInfoOf(method: string, { pathname, searchParams }: URL): RequestInfo {
  // An encoded slash separates segments like any other slash.
  const segments = pathname.slice(1).split('/').map(decodePart).join('/').split('/')
  if (segments.at(-1) === '') segments.pop()
  const { verb, resource } = parseApiRequest(method, segments, searchParams)
  if (!verb || !resource || resource.below.length > 1 || resource.isLegacyWatch) {
    return { kind: 'path', verb: method.toLowerCase(), path: pathname }
  }
  const { below, isLegacyWatch: _, ...location } = resource
  const name = verb === 'list' || verb === 'watch' ? nameInSelector(searchParams) : resource.name
  return { kind: 'resource', verb, ...location, name, subresource: below[0] }
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

/** A list or watch of a single name is allowed if the user may access that name. */
function nameInSelector(query: URLSearchParams): string | undefined {
  const selector = query.get('fieldSelector')
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
