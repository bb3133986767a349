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
  /** Whether a path may be requested. @throws HttpError for a blocked subresource */
  isServed(target: ApiTarget): boolean
  /** What the service checks before it responds. The cluster decides about all of it. */
  permissions(target: ApiTarget): ResourceAttributes[]
}
