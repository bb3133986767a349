import { isStream, parseApiRequest } from '@slipway/kube/api-request'
import { pluginKinds, type PluginName } from './plugins/plugin-kinds'
import { parseTarget, targetUnder, type ApiTarget, type Target } from './target'

/** A request, parsed once when it arrives and carried along. */
export interface GatewayRequest {
  /** The error for a malformed or ambiguous target, which must not be routed. */
  error?: unknown
  /** Where to forward it; absent if the gateway responds itself. */
  route?: Route
  call: ApiCall
}

export interface Route {
  upstream: 'kubernetes' | PluginName
  isSocket: boolean
  /** The target at the upstream. */
  target: ApiTarget
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
    return { upstream: 'kubernetes', isSocket, target: parseApiTarget(method, target, target.segments) }
  }
  const plugin = pluginKinds.find(({ name }) => name === target.segments[1])
  const inner = plugin && targetUnder(`/plugins/${plugin.name}`, target)
  if (!inner) return undefined
  const kubernetesPath = plugin.toKubernetesPath(inner.segments)
  return { upstream: plugin.name, isSocket, target: parseApiTarget(method, inner, kubernetesPath) }
}

function parseApiTarget(method: string, target: Target, segments: readonly string[]): ApiTarget {
  const parameters = new URLSearchParams(target.query)
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
