import { parseTarget, type Target } from '../target'

/** What a request is, in the words of Kubernetes: for the log and the metrics, where no path and no query may stand. */
export interface ApiCall {
  /** Whose answer it is; absent for what the gateway answers by itself. */
  upstream?: 'kubernetes' | 'tekton-results' | 'kubearchive'
  /** Kubernetes' verb, or the method in lower case for what has none. */
  verb: string
  /** `group/plural` with its subresource: `apps/deployments/status`, and `pods` in the core group. */
  resource?: string
  namespace?: string
  name?: string
  /** Its answer lasts until somebody ends it: a watch, or a log that is followed. */
  isStream: boolean
}

const plugins = { 'tekton-results': 'tekton-results', kubearchive: 'kubearchive' } as const
const verbs: Record<string, string> = { POST: 'create', PUT: 'update', PATCH: 'patch' }
/** Longer names are of no resource that exists. */
const maxNameLength = 253

/** @param target as it came; one that cannot be read is a call of nothing */
export function apiCallOf(method: string, target: string): ApiCall {
  const parsed = parsedOf(target)
  const [first, second, ...rest] = parsed?.segments ?? []
  if (!parsed || second !== 'k8s' || (first !== 'api' && first !== 'wss')) {
    return { verb: method.toLowerCase(), isStream: false }
  }
  if (rest[0] === 'plugins') {
    const name = rest[1] as keyof typeof plugins
    if (!Object.hasOwn(plugins, name)) return { verb: method.toLowerCase(), isStream: false }
    return { upstream: plugins[name], ...callOf(method, rest.slice(2), parsed.query) }
  }
  return { upstream: 'kubernetes', ...callOf(method, rest, parsed.query) }
}

function callOf(method: string, segments: readonly string[], query: string): Omit<ApiCall, 'upstream'> {
  const asked = new URLSearchParams(query)
  const plain = { verb: method.toLowerCase(), isStream: false }
  const group = segments[0] === 'apis' ? segments[1] : segments[0] === 'api' ? '' : undefined
  // Discovery, and other paths that name no resource.
  let rest = segments.slice(group ? 3 : 2)
  if (group === undefined || rest.length === 0) return plain
  const isOldWatch = rest[0] === 'watch' && rest.length > 1
  if (isOldWatch) rest = rest.slice(1)
  let namespace: string | undefined
  // `namespaces/a/pods` is a collection in it, `namespaces/a/status` a part of the namespace itself.
  const isPartOfNamespace = rest.length === 3 && (rest[2] === 'status' || rest[2] === 'finalize')
  if ((rest[0] === 'namespaces' || rest[0] === 'parents') && rest.length > 2 && !isPartOfNamespace) {
    namespace = rest[1]
    rest = rest.slice(2)
  } else if (rest[0] === 'namespaces') namespace = rest[1]
  const [plural = '', name, ...subresource] = rest
  const isWatch = method === 'GET' && (isOldWatch || isTrue(asked.get('watch')))
  const isFollowed = method === 'GET' && subresource[0] === 'log' && isTrue(asked.get('follow'))
  return {
    verb: isWatch ? 'watch' : verbOf(method, name !== undefined),
    resource: shortened([...(group ? [group] : []), plural, ...subresource.slice(0, 1)].join('/')),
    ...(namespace !== undefined && { namespace: shortened(namespace) }),
    ...(name !== undefined && { name: shortened(name) }),
    isStream: isWatch || isFollowed,
  }
}

function verbOf(method: string, isNamed: boolean): string {
  if (method === 'GET') return isNamed ? 'get' : 'list'
  if (method === 'DELETE') return isNamed ? 'delete' : 'deletecollection'
  return verbs[method] ?? method.toLowerCase()
}

/** The API server takes any value but these for true. */
const isTrue = (value: string | null): boolean => value !== null && !/^(false|0)$/i.test(value)

const shortened = (text: string): string => text.slice(0, maxNameLength)

function parsedOf(target: string): Target | undefined {
  try {
    return parseTarget(target)
  } catch {
    return undefined
  }
}
