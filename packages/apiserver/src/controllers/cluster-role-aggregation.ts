import { isSameJson } from '@slipway/kube/json'
import { clusterRoleType, type ClusterRole } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { aggregatedRules } from '../authorization/aggregation'
import { clusterRoles } from '../builtin/clusterroles'
import { deserialize } from '../registry/objects'
import { collectionOf, type AnyObject } from '../resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'

/** Copies the rules of the selected roles to each role with an aggregationRule. */
export function clusterRoleAggregation({ storage, writer }: ControllerParts): Controller {
  const collection = collectionOf(clusterRoleType)
  return {
    observe: (change) => change.collection === collection,
    async reconcile() {
      // The collection of ClusterRoles.
      const roles = storage
        .list(collection)
        .map((stored) => deserialize(clusterRoles, stored) as unknown as ClusterRole)
      for (const role of roles) {
        const rules = aggregatedRules(role, roles)
        if (!rules || isSameJson(rules, role.rules ?? [])) continue
        const target = { resource: clusterRoles, namespace: undefined, name: nameOf(role) }
        const change = (current: () => AnyObject) => ({ ...current(), rules })
        await writer.write(target, { type: 'update', change }, serverWriteOptions)
        // The write triggers another run, which updates the roles that select this one.
      }
    },
  }
}
