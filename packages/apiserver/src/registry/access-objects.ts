import type { AccessObjects } from '../access/authorizer'
import { clusterRoleBindings } from '../builtin/clusterrolebindings'
import { clusterRoles } from '../builtin/clusterroles'
import { roleBindings } from '../builtin/rolebindings'
import { roles } from '../builtin/roles'
import type { KubeObject } from '@slipway/kube/object'
import type { Storage } from '../storage/storage'
import { objectOf } from './objects'
import { collectionOf, type ResourceInfo } from './resource'

/** Roles and bindings as they are now; a list that did not change stays the same one. */
export function accessObjects(storage: Storage): () => AccessObjects {
  const lists = new Map<string, readonly KubeObject[]>()
  storage.subscribe(({ collection }) => void lists.delete(collection))

  function listOf<T extends KubeObject>(info: ResourceInfo): readonly T[] {
    const collection = collectionOf(info.type)
    let list = lists.get(collection)
    if (!list) lists.set(collection, (list = storage.list(collection).map((stored) => objectOf(info, stored))))
    return list as readonly T[] // The collection tells the kind of what is in it.
  }

  return () => ({
    roles: listOf(roles),
    clusterRoles: listOf(clusterRoles),
    roleBindings: listOf(roleBindings),
    clusterRoleBindings: listOf(clusterRoleBindings),
  })
}
