import type { ResourceType } from '@slipway/kube/resource-type'
import type { JsonSchema } from '../schema/json-schema'

/** One served kind, as far as the documents tell of it. */
export interface OpenApiKind {
  type: ResourceType
  schema: JsonSchema
  /** Of the resource itself: `get`, `list`, `create`, … */
  verbs: readonly string[]
  subresources?: readonly string[]
}

export interface OpenApi {
  /** `/openapi/v3`. */
  index(): object
  /** `/openapi/v3/{key}`, key as in the index (`api/v1`, `apis/g/v`); `undefined` for a group version without kinds. */
  v3(key: string): { document: object; hash: string } | undefined
  v2(): object
  v2Protobuf(): Uint8Array<ArrayBuffer>
}

/** Documents are built when asked for and kept. Make a new one when the kinds change. */
export declare function createOpenApi(kinds: readonly OpenApiKind[], version: string): OpenApi
