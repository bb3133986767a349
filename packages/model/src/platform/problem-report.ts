import { codeName } from '@slipway/kube/status'

/** What users paste into the report of a problem: nothing that names what they work on, and no content of any object. */
export interface ProblemFacts {
  /** Such as `0.1.0`; `undefined` if it could not be read. */
  versions: Readonly<Record<'console' | 'gateway' | 'cluster', string | undefined>>
  /** Path and query of the page. */
  page: string
  /** Values of the parameters in that path by their names: `{ namespace: 'team-a' }`. */
  params: Readonly<Record<string, string | undefined>>
  browser: string
  /** RFC 3339. */
  time: string
  /** Installed services and turned-on flags: `views`. */
  features: readonly string[]
  failures: readonly ProblemRequest[]
}

export interface ProblemRequest {
  /** Of the API, with its query. */
  path: string
  /** 0 without a response. */
  code: number
  requestId?: string | null | undefined
  /** RFC 3339. */
  time: string
}

export function problemReport(facts: ProblemFacts): string {
  const { versions, page, params, browser, time, features, failures } = facts
  return [
    ...Object.entries(versions).map(([part, version]) => `${part}: ${version ?? 'unknown'}`),
    `page: ${redactedPage(page, params)}`,
    `browser: ${browser}`,
    `time: ${time}`,
    `features: ${features.join(', ') || 'none'}`,
    failures.length === 0 ? 'failed requests: none' : 'failed requests, the newest first:',
    ...failures.map(
      ({ path, code, requestId, time: failedAt }) =>
        `  ${failedAt} ${code === 0 ? 'no response' : `${code} ${codeName(code)}`} ${redactedPath(path)}` +
        (requestId ? ` (request ${requestId})` : ''),
    ),
  ].join('\n')
}

/** The path of a page with the names of its parameters in place of their values, and without the values of its query. */
export function redactedPage(page: string, params: ProblemFacts['params']): string {
  const [path = '', query] = page.split('?', 2)
  const names = new Map(Object.entries(params).flatMap(([name, value]) => (value ? [[value, name] as const] : [])))
  const segments = path.split('/').map((segment) => {
    const name = names.get(decoded(segment))
    return name ? `{${name}}` : segment
  })
  return segments.join('/') + redactedQuery(query)
}

/** The path of an API call with what it is about: group, version, kind and subresource, but no names and no values. */
export function redactedPath(call: string): string {
  const [path = '', query] = call.split('?', 2)
  const segments = path.split('/')
  const start = segments.findIndex((segment) => segment === 'api' || segment === 'apis')
  const own = segments.indexOf('k8s')
  const root = own < 0 ? start : segments.findIndex((segment, at) => at > own && /^apis?$/.test(segment))
  return (root < 0 ? redactedGateway(segments) : redactedApi(segments, root)).join('/') + redactedQuery(query)
}

/** Paths of the gateway, and of its plugins that are not Kubernetes APIs. */
const redactedGateway = (segments: readonly string[]): string[] =>
  segments.map((segment, at) => (publicSegments.has(segment) || at === 0 ? segment : '{name}'))

const publicSegments = new Set(
  'api k8s wss oauth2 userinfo auth start sign_in sign_out plugins views kubearchive tekton-results livez health ready version windows openapi v2 v3'.split(
    ' ',
  ),
)

function redactedApi(segments: readonly string[], root: number): string[] {
  // The core group has no name of its own.
  const afterVersion = root + (segments[root] === 'api' ? 2 : 3)
  const isOfNamespace = segments[afterVersion] === 'namespaces' && segments.length > afterVersion + 2
  const plural = isOfNamespace ? afterVersion + 2 : afterVersion
  return segments.map((segment, at) => {
    if (isOfNamespace && at === afterVersion + 1) return '{namespace}'
    // The records of Tekton Results are deeper than objects.
    return at === plural + 1 || at > plural + 2 ? '{name}' : segment
  })
}

/** The names of its parameters: their values may name anything. */
function redactedQuery(query: string | undefined): string {
  const names = [...new Set(new URLSearchParams(query ?? '').keys())]
  return names.length > 0 ? `?${names.join('&')}` : ''
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // A stray percent sign.
  }
}
