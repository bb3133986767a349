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
import { refuseBindingWrite, refuseRoleWrite, type Refusal } from '../authorization/escalation'
import { detailsOf, StatusError } from '../errors'
import { collectionOf } from '../registry/resource'
import type { Validation } from '../registry/writer'

const roles = [roleType, clusterRoleType].map(collectionOf)
const bindings = [roleBindingType, clusterRoleBindingType].map(collectionOf)

/** Nobody but the server itself hands out rights that they do not hold. */
export const roleEscalation =
  (authorizer: Authorizer): Validation =>
  ({ info, object, old, user }) => {
    if (!user) return
    const collection = collectionOf(info.type)
    const write = { authorizer, user, type: info.type }
    // The collection tells the kind of what is in it.
    const as = <T extends KubeObject>() => ({
      ...write,
      object: object as KubeObject as T,
      old: old as KubeObject as T,
    })
    let refusal: Refusal | undefined
    if (roles.includes(collection)) refusal = refuseRoleWrite(as<Role>())
    else if (bindings.includes(collection)) refusal = refuseBindingWrite(as<RoleBinding>())
    if (!refusal) return
    const { code, reason, message } = refusal
    throw new StatusError(code, reason, message, detailsOf(info.type, object.metadata.name))
  }
