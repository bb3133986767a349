import type { ResourceAttributes } from '@slipway/kube/core-types'
import type { ApiTarget } from '../target'

/** What is known of a service: whether it exists, or that it has not answered. */
export type Presence = 'present' | 'missing' | 'unreached'

/** What tells one optional service next to the cluster from another. */
export interface PluginKind {
  /** Its path is `/api/k8s/plugins/{name}`. */
  readonly name: string
  /** Its member of `GatewayConfig`. */
  readonly setting: string
  /** Requested without credentials to see whether the service exists. */
  readonly probePath: string
  /** What a status code of the probe says of it. */
  presenceOf(statusCode: number): Presence
  /** The segments of a path as Kubernetes would spell them. */
  toKubernetesPath(segments: readonly string[]): readonly string[]
  /** Whether a path may be requested over HTTP. @throws HttpError for a blocked subresource */
  isServed(target: ApiTarget): boolean
  /** Whether a path may be opened as a websocket; absent for a service without websockets. */
  isSocket?(target: ApiTarget): boolean
  /** Whether it responds 401 to what a user may not see. From any other service, a 401 rejects the gateway's token. */
  readonly rejectsUsersWith401: boolean
  /** What the service checks before it responds. The cluster decides about all of it. */
  permissions(target: ApiTarget): ResourceAttributes[]
}

/** For a service with `/livez`, which responds 200 if it exists. */
export function presenceOfLivez(statusCode: number): Presence {
  if (statusCode === 200) return 'present'
  // One that is overloaded, or limits the rate of its probes, exists.
  return statusCode >= 500 || statusCode === 408 || statusCode === 429 ? 'unreached' : 'missing'
}
