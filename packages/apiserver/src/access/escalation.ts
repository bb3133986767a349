import type { ClusterRole, PolicyRule, Role, RoleBinding } from '@slipway/kube/core-types'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Authorizer, Subject } from './authorizer'

/** Why a role or binding may not be written; `message` is the whole sentence of the Status. */
export interface Refusal {
  code: 403 | 404
  reason: 'Forbidden' | 'NotFound'
  message: string
}

export interface RoleWrite<T extends Role | ClusterRole | RoleBinding> {
  authorizer: Authorizer
  user: Subject
  /** roleType, clusterRoleType, roleBindingType or clusterRoleBindingType. */
  type: ResourceType
  object: T
  /** The stored object, on an update. */
  old?: T
}

export declare function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[]
export declare function refuseRoleWrite(write: RoleWrite<Role | ClusterRole>): Refusal | undefined
export declare function refuseBindingWrite(write: RoleWrite<RoleBinding>): Refusal | undefined
