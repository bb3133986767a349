import { isSameJson } from '@slipway/kube/json'
import type { ClusterRole } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { aggregatedRules } from '../authorization/aggregation'
import type { AccessObjects } from '../authorization/authorizer'
import { clusterRoleBindings } from '../builtin/clusterrolebindings'
import { clusterRoles } from '../builtin/clusterroles'
import { roleBindings } from '../builtin/rolebindings'
import { roles } from '../builtin/roles'
import type { Storage } from '../storage/storage'
import { deserialize } from './objects'
import { collectionOf, type ResourceInfo } from '../resource'

/** Current roles and bindings. An unchanged list keeps its identity. */
export function accessObjects(storage: Storage): () => AccessObjects {
  const lists = new Map<string, readonly KubeObject[]>()
  storage.subscribe(({ collection }) => void lists.delete(collection))

  function listOf<T extends KubeObject>(resource: ResourceInfo): readonly T[] {
    const collection = collectionOf(resource.type)
    let list = lists.get(collection)
    if (!list) lists.set(collection, (list = storage.list(collection).map((stored) => deserialize(resource, stored))))
    return list as readonly T[] // A collection contains objects of one kind.
  }

  let aggregated: { from: readonly ClusterRole[]; to: readonly ClusterRole[] } | undefined
  /** A role takes effect as soon as it is written, before the controller has stored the aggregated rules. */
  function aggregatedRoles(): readonly ClusterRole[] {
    const from = listOf<ClusterRole>(clusterRoles)
    if (aggregated?.from !== from) aggregated = { from, to: withAggregation(from) }
    return aggregated.to
  }

  return () => ({
    roles: listOf(roles),
    clusterRoles: aggregatedRoles(),
    roleBindings: listOf(roleBindings),
    clusterRoleBindings: listOf(clusterRoleBindings),
  })
}

/** Maximum depth of aggregated roles that select other aggregated roles. */
const maxDepth = 8

function withAggregation(roles: readonly ClusterRole[]): readonly ClusterRole[] {
  let current = roles
  for (let depth = 0; depth < maxDepth; depth++) {
    const next = current.map((role) => {
      const rules = aggregatedRules(role, current)
      return rules && !isSameJson(rules, role.rules ?? []) ? { ...role, rules } : role
    })
    if (next.every((role, index) => role === current[index])) break
    current = next
  }
  return current
}
