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

/** The objects of one kind, parsed. */
interface Parsed {
  resource: ResourceInfo
  byKey: Map<string, KubeObject>
  /** In key order; `undefined` after a change. */
  list: readonly KubeObject[] | undefined
}

/** Current roles and bindings. An unchanged list keeps its identity, and so does each unchanged object of another. */
export function accessObjects(storage: Storage): () => AccessObjects {
  const collections = new Map<string, Parsed>()
  storage.subscribe((change) => {
    const parsed = collections.get(change.collection)
    if (!parsed) return
    parsed.list = undefined
    if (change.type === 'deleted') parsed.byKey.delete(change.key)
    else parsed.byKey.set(change.key, deserialize(parsed.resource, change))
  })

  function parse(resource: ResourceInfo): Parsed {
    const stored = storage.list(collectionOf(resource.type))
    return { resource, byKey: new Map(stored.map((each) => [each.key, deserialize(resource, each)])), list: undefined }
  }

  function listOf<T extends KubeObject>(resource: ResourceInfo): readonly T[] {
    const collection = collectionOf(resource.type)
    let parsed = collections.get(collection)
    if (!parsed) collections.set(collection, (parsed = parse(resource)))
    parsed.list ??= [...parsed.byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
    return parsed.list as readonly T[] // A collection contains objects of one kind.
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
