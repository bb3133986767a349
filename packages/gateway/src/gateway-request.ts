import { isStream, parseApiRequest, type ApiRequest } from '@slipway/kube/api-request'
import { parseTarget, targetUnder, type Target } from './target'

/** A request, parsed once when it arrives and carried along. */
export interface GatewayRequest {
  /** The error for a malformed or ambiguous target, which must not be routed. */
  error?: unknown
  /** Where to forward it; absent if the gateway responds itself. */
  route?: Route
  call: ApiCall
}

export interface Route {
  upstream: 'kubernetes' | (typeof plugins)[number]
  isSocket: boolean
  /** The target at the upstream. */
  target: ApiTarget
}

/** A target in an API with Kubernetes' paths. */
export interface ApiTarget extends Target {
  readonly request: ApiRequest
  readonly parameters: URLSearchParams
}

/** A request in Kubernetes' terms, for the log and the metrics, which must not contain paths and queries. */
export interface ApiCall {
  upstream?: Route['upstream']
  /** Kubernetes' verb, or the method in lower case where there is none. */
  verb: string
  /** `group/plural` with its subresource: `apps/deployments/status`, and `pods` in the core group. */
  resource?: string
  namespace?: string
  name?: string
  /** Whether the response lasts until one side ends it: a watch or a followed log. */
  isStream: boolean
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set before the request is routed. */
    parsed?: GatewayRequest
  }
}

const plugins = ['tekton-results', 'kubearchive'] as const
/** No resource has a longer name. */
const maxNameLength = 253

/** @param received the target as received */
export function parseGatewayRequest(method: string, received: string): GatewayRequest {
  const plain = { verb: method.toLowerCase(), isStream: false }
  try {
    const route = parseRoute(method, parseTarget(received))
    return { route, call: route ? { ...plain, ...callOf(route) } : plain }
  } catch (error) {
    return { error, call: plain }
  }
}

function parseRoute(method: string, received: Target): Route | undefined {
  const target = targetUnder('/api/k8s', received) ?? targetUnder('/wss/k8s', received)
  if (!target) return undefined
  const isSocket = received.segments[0] === 'wss'
  if (target.segments[0] !== 'plugins') {
    return { upstream: 'kubernetes', isSocket, target: parseApiTarget(method, target) }
  }
  const upstream = plugins.find((name) => name === target.segments[1])
  const inner = upstream && targetUnder(`/plugins/${upstream}`, target)
  return inner && { upstream, isSocket, target: parseApiTarget(method, inner) }
}

function parseApiTarget(method: string, target: Target): ApiTarget {
  const parameters = new URLSearchParams(target.query)
  // Tekton Results calls namespaces parents.
  const isResults = target.segments[1] === 'results.tekton.dev' && target.segments[3] === 'parents'
  const segments = isResults ? target.segments.with(3, 'namespaces') : target.segments
  return { ...target, parameters, request: parseApiRequest(method, segments, parameters) }
}

function callOf({ upstream, target: { request, parameters } }: Route): Partial<ApiCall> {
  const { verb, resource } = request
  if (!resource) return { upstream }
  const { group, plural, namespace, name, below } = resource
  return {
    upstream,
    ...(verb && { verb }),
    resource: truncated([group, plural, below[0]].filter(Boolean).join('/')),
    ...(namespace !== undefined && { namespace: truncated(namespace) }),
    ...(name !== undefined && { name: truncated(name) }),
    isStream: isStream(request, parameters),
  }
}

const truncated = (text: string): string => text.slice(0, maxNameLength)
