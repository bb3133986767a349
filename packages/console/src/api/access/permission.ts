import type { ResourceType } from '@slipway/kube/resource-type'
import type { AccessCheck, AccessVerb } from './access-review'

/** What users must be allowed to do in a namespace for one thing, and what they are told if they are not. */
export interface Permission {
  /** Shown once the cluster has denied access, such as "You don't have access to delete a component". */
  denial: string
  checks: (namespace: string) => AccessCheck[]
}

/** @param rights that are all needed, such as `['delete', componentType]` */
export const permission = (
  denial: string,
  ...rights: readonly (readonly [verb: AccessVerb, type: ResourceType])[]
): Permission => ({
  denial,
  checks: (namespace) => rights.map(([verb, type]) => ({ verb, type, namespace })),
})
