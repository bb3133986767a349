/**
 * What a request to a Kubernetes API is about, by its method, path and query alone.
 * Source: k8s.io/apiserver, endpoints/request/requestinfo.go.
 */

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

/** What a path addresses: a collection, an object, or something below an object. */
export interface ResourcePath {
  /** Empty for the core group. */
  group: string
  version: string
  plural: string
  /** The namespace of a namespaced kind; for a namespace its own name, since access to it is decided there. */
  namespace?: string
  name?: string
  /** The segments after the name: `['log']`, or more of them behind a proxy. */
  below: readonly string[]
  /** Whether this is the deprecated form of a watch, `/api/v1/watch/pods`. */
  isLegacyWatch: boolean
}

export interface ApiRequest {
  /** Absent if the request names no resource, like discovery, or has a method that no resource supports. */
  verb?: Verb
  /** Whatever the method is. */
  resource?: ResourcePath
}

/** `namespaces/a/pods` is a collection in a namespace; these belong to the namespace itself. */
const namespaceSubresources = ['status', 'finalize']

/** @param segments of the path from the API's root, decoded and without a trailing slash: `['api', 'v1', 'pods']` */
export function parseResourcePath([root, ...segments]: readonly string[]): ResourcePath | undefined {
  const group = root === 'apis' ? segments.shift() : root === 'api' ? '' : undefined
  const [version, ...parts] = segments
  if (group === undefined || version === undefined || segments.includes('')) return undefined
  const isLegacyWatch = parts[0] === 'watch'
  if (isLegacyWatch) parts.shift()
  const isInNamespace = parts[0] === 'namespaces' && parts.length > 2 && !namespaceSubresources.includes(parts[2] ?? '')
  const namespace = parts[0] === 'namespaces' ? parts[1] : undefined
  const [plural, name, ...below] = isInNamespace ? parts.slice(2) : parts
  if (plural === undefined || (root === 'apis' && group === '')) return undefined
  return { group, version, plural, namespace, name, below, isLegacyWatch }
}

/** @param segments as for `parseResourcePath` */
export function parseApiRequest(method: string, segments: readonly string[], query: URLSearchParams): ApiRequest {
  const resource = parseResourcePath(segments)
  return { verb: resource && verbOf(method, resource, query), resource }
}

function verbOf(method: string, { name, isLegacyWatch }: ResourcePath, query: URLSearchParams): Verb | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (isLegacyWatch) return 'watch'
      return name !== undefined ? 'get' : isTrue(query.get('watch')) ? 'watch' : 'list'
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

/** Whether the response lasts until one side ends it: a watch or a followed log. */
export const isStream = ({ verb, resource }: ApiRequest, query: URLSearchParams): boolean =>
  verb === 'watch' || (verb === 'get' && resource?.below[0] === 'log' && isTrue(query.get('follow')))

/**
 * The first value of a query parameter as a boolean: everything but `false` and `0` is true, even an empty value.
 * Source: k8s.io/apimachinery, runtime/conversion.go, Convert_Slice_string_To_bool.
 */
export const isTrue = (value: string | null): boolean => value !== null && !/^(false|0)$/i.test(value)
