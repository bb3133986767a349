import {
  clusterRoleBindingType,
  clusterRoleType,
  roleBindingType,
  roleType,
  type Role,
  type RoleBinding,
} from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import type { Authorizer } from '../authorization/authorizer'
import { checkBindingWrite, checkRoleWrite, type Denial } from '../authorization/escalation'
import { detailsOf, StatusError } from '../errors'
import { collectionOf } from '../resource'
import type { Validation } from '../registry/writer'

const roles = [roleType, clusterRoleType].map(collectionOf)
const bindings = [roleBindingType, clusterRoleBindingType].map(collectionOf)

/** Users may grant only permissions that they hold; the server itself is exempt. */
export const roleEscalation =
  (authorizer: Authorizer): Validation =>
  ({ resource, object, old, user }) => {
    if (!user) return
    const collection = collectionOf(resource.type)
    const write = { authorizer, user, type: resource.type }
    // A collection contains objects of one kind.
    const as = <T extends KubeObject>() => ({
      ...write,
      object: object as KubeObject as T,
      old: old as KubeObject as T,
    })
    let denial: Denial | undefined
    if (roles.includes(collection)) denial = checkRoleWrite(as<Role>())
    else if (bindings.includes(collection)) denial = checkBindingWrite(as<RoleBinding>())
    if (!denial) return
    const { code, reason, message } = denial
    throw new StatusError(code, reason, message, detailsOf(resource.type, object.metadata.name))
  }
