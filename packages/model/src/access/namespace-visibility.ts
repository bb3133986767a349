import { roleBindingType, type RoleBinding, type RoleRef, type Subject } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { GrantableRole } from '../platform/public-info'
import { grantedRole, hasSubject } from './user-access'

/** Every user who is signed in, whatever their roles. */
const everyone: Subject = { kind: 'Group', apiGroup: roleBindingType.group, name: 'system:authenticated' }

/** Konflux: the role that makes a namespace public, which no user is granted for themselves. */
const viewerRole: RoleRef = {
  apiGroup: roleBindingType.group,
  kind: 'ClusterRole',
  name: 'konflux-viewer-user-actions',
}
export const viewer: GrantableRole = { displayName: 'Viewer', description: '', roleRef: viewerRole }
const publicBindingName = 'konflux-public-viewer'

/** A binding that gives every signed-in user a role, with the display name of the role. */
export interface PublicGrant {
  binding: RoleBinding
  role: string
}

/**
 * The bindings that make a namespace public: a role of the platform for every signed-in user. None: it is private.
 * @param roles those that the platform configures, with which everyone may see even more
 */
export const publicGrants = (bindings: readonly RoleBinding[], roles: readonly GrantableRole[]): PublicGrant[] =>
  bindings.flatMap((binding) => {
    const role = hasSubject(binding, everyone) && grantedRole([...roles, viewer], binding)
    return role ? [{ binding, role: role.displayName }] : []
  })

/**
 * The binding that makes a namespace public: the existing one of its name with everyone added, or else a new one.
 * @param existing all bindings of the namespace
 */
export function publicBinding(
  namespace: string,
  existing: readonly RoleBinding[],
): { binding: RoleBinding; isNew: boolean } {
  const found = existing.find((each) => nameOf(each) === publicBindingName && grantedRole([viewer], each))
  if (found) return { binding: { ...found, subjects: [...(found.subjects ?? []), everyone] }, isNew: false }
  return {
    binding: {
      apiVersion: apiVersionOf(roleBindingType),
      kind: roleBindingType.kind,
      metadata: { name: publicBindingName, namespace },
      roleRef: viewerRole,
      subjects: [everyone],
    },
    isNew: true,
  }
}

/** The subjects of a binding without every signed-in user. */
export const withoutEveryone = ({ subjects = [] }: RoleBinding): Subject[] =>
  subjects.filter(({ kind, name }) => kind !== everyone.kind || name !== everyone.name)
