import type { ClusterRole, RoleBinding } from '@slipway/kube/core-types'

/** What every cluster starts with, to be created when absent. */
export declare const defaultClusterRoles: readonly ClusterRole[]
export declare const defaultClusterRoleBindings: readonly RoleBinding[]
