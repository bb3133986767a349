import { parseTarget, type Target } from '../target'

/** A request in Kubernetes' terms, for the log and the metrics, which must not contain paths and queries. */
export interface ApiCall {
  /** The upstream that responds; absent if the gateway responds itself. */
  upstream?: 'kubernetes' | 'tekton-results' | 'kubearchive'
  /** Kubernetes' verb, or the method in lower case where there is none. */
  verb: string
  /** `group/plural` with its subresource: `apps/deployments/status`, and `pods` in the core group. */
  resource?: string
  namespace?: string
  name?: string
  /** Whether the response lasts until one side ends it: a watch or a followed log. */
  isStream: boolean
}

const plugins = { 'tekton-results': 'tekton-results', kubearchive: 'kubearchive' } as const
const verbs: Record<string, string> = { POST: 'create', PUT: 'update', PATCH: 'patch' }
/** No resource has a longer name. */
const maxNameLength = 253

/** @param target as received; a malformed target gives a call without a resource */
export function parseApiCall(method: string, target: string): ApiCall {
  const parsed = tryParseTarget(target)
  const [first, second, ...rest] = parsed?.segments ?? []
  if (!parsed || second !== 'k8s' || (first !== 'api' && first !== 'wss')) {
    return { verb: method.toLowerCase(), isStream: false }
  }
  if (rest[0] === 'plugins') {
    const name = rest[1] as keyof typeof plugins
    if (!Object.hasOwn(plugins, name)) return { verb: method.toLowerCase(), isStream: false }
    return { upstream: plugins[name], ...parseCall(method, rest.slice(2), parsed.query) }
  }
  return { upstream: 'kubernetes', ...parseCall(method, rest, parsed.query) }
}

function parseCall(method: string, segments: readonly string[], query: string): Omit<ApiCall, 'upstream'> {
  const parameters = new URLSearchParams(query)
  const plain = { verb: method.toLowerCase(), isStream: false }
  const group = segments[0] === 'apis' ? segments[1] : segments[0] === 'api' ? '' : undefined
  // Discovery and other paths that do not name a resource.
  let rest = segments.slice(group ? 3 : 2)
  if (group === undefined || rest.length === 0) return plain
  const isLegacyWatch = rest[0] === 'watch' && rest.length > 1
  if (isLegacyWatch) rest = rest.slice(1)
  let namespace: string | undefined
  // `namespaces/a/pods` is a collection in the namespace, `namespaces/a/status` a subresource of the namespace itself.
  const isPartOfNamespace = rest.length === 3 && (rest[2] === 'status' || rest[2] === 'finalize')
  if ((rest[0] === 'namespaces' || rest[0] === 'parents') && rest.length > 2 && !isPartOfNamespace) {
    namespace = rest[1]
    rest = rest.slice(2)
  } else if (rest[0] === 'namespaces') namespace = rest[1]
  const [plural = '', name, ...subresource] = rest
  const isWatch = method === 'GET' && (isLegacyWatch || isTrue(parameters.get('watch')))
  const isFollowed = method === 'GET' && subresource[0] === 'log' && isTrue(parameters.get('follow'))
  return {
    verb: isWatch ? 'watch' : verbOf(method, name !== undefined),
    resource: truncated([...(group ? [group] : []), plural, ...subresource.slice(0, 1)].join('/')),
    ...(namespace !== undefined && { namespace: truncated(namespace) }),
    ...(name !== undefined && { name: truncated(name) }),
    isStream: isWatch || isFollowed,
  }
}

function verbOf(method: string, isNamed: boolean): string {
  if (method === 'GET') return isNamed ? 'get' : 'list'
  if (method === 'DELETE') return isNamed ? 'delete' : 'deletecollection'
  return verbs[method] ?? method.toLowerCase()
}

/** The API server takes any value except these as true. */
const isTrue = (value: string | null): boolean => value !== null && !/^(false|0)$/i.test(value)

const truncated = (text: string): string => text.slice(0, maxNameLength)

function tryParseTarget(target: string): Target | undefined {
  try {
    return parseTarget(target)
  } catch {
    return undefined
  }
}
