import type { ClusterRole, PolicyRule } from '@slipway/kube/core-types'

/** Rules of a ClusterRole with an aggregationRule; `undefined` for one without: its rules are its own. */
export declare function aggregatedRules(
  role: ClusterRole,
  clusterRoles: readonly ClusterRole[],
): PolicyRule[] | undefined
