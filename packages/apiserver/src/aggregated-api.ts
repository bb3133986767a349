import type { Verb } from '@slipway/kube/api-request'

/**
 * An API that another program serves in a real cluster (an APIService). Here it is a function that is given to the server
 * (ADR 72), which authenticates and authorizes its requests, and lists it in discovery. Its objects are not stored.
 */
export interface AggregatedApi {
  group: string
  versions: readonly string[]
  resources: readonly AggregatedResource[]
  /** Responds with an object, which is sent as JSON or YAML; `undefined` for 404. @throws StatusError */
  respond(request: AggregatedRequest): Promise<object | undefined>
}

/** As in discovery. */
export interface AggregatedResource {
  /** Plural, or `{plural}/{subresource}`. */
  name: string
  kind: string
  namespaced: boolean
  /** The requests to respond to. */
  verbs: readonly Verb[]
}

export interface AggregatedRequest {
  version: string
  /** As in its name. */
  resource: string
  verb: Verb
  namespace: string | undefined
  name: string | undefined
  query: URLSearchParams
}
