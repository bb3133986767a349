import type { ResourceType } from '@slipway/kube/resource-type'
import type { JsonSchema } from '../schema/json-schema'

/** Schema of a kind that Kubernetes itself defines; `undefined` for any other. */
export declare function builtinSchema(type: Pick<ResourceType, 'group' | 'version' | 'kind'>): JsonSchema | undefined
