import type { ResourceType } from '@slipway/kube/resource-type'
import type { AccessCheck, AccessVerb } from './access-review'

/** The rights that an action or a page needs in a namespace, and the text for users without them. */
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
