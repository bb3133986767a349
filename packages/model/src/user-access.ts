import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { GrantableRole } from './public-info'

/** The roles that people are given by name, the least privileged first. Specification 1, section 6. */
export const accessRoles = ['Contributor', 'Maintainer', 'Admin'] as const
export type AccessRole = (typeof accessRoles)[number]

/** Begins the name of every binding of ours, as with other consoles of this kind, which know their bindings by it. */
const prefix = 'konflux'

/** `Ann.Lee@Example.com` as part of an object's name: `ann-lee-example-com`. */
export const sanitisedUsername = (username: string): string =>
  username
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+|-+$/g, '')

export const accessBindingName = (role: AccessRole, username: string): string =>
  `${prefix}-${role.toLowerCase()}-${sanitisedUsername(username)}-user-actions`

/** What the platform's configuration means by a role; `undefined` when it does not know it. */
export const configuredRole = (roles: readonly GrantableRole[], role: AccessRole): GrantableRole | undefined =>
  roles.find(({ roleRef }) => roleRef.name.toLowerCase().includes(role.toLowerCase()))

/** The configured role that a binding gives; `undefined` for a binding that is not about access to the platform. */
export const grantedRole = (roles: readonly GrantableRole[], { roleRef }: RoleBinding): GrantableRole | undefined =>
  roles.find((role) => role.roleRef.name === roleRef.name && role.roleRef.kind === roleRef.kind)

/** The same as one of the roles that a form offers. */
export const accessRoleOf = (roles: readonly GrantableRole[], binding: RoleBinding): AccessRole | undefined => {
  const granted = grantedRole(roles, binding)
  return granted && accessRoles.find((role) => configuredRole(roles, role) === granted)
}

/** The people of a binding, without its groups and service accounts. */
export const usernamesOf = ({ subjects = [] }: RoleBinding): string[] =>
  subjects.filter(({ kind }) => kind === 'User').map(({ name }) => name)

/** The binding that gives one person a role in a namespace. */
export const accessBinding = (
  namespace: string,
  role: AccessRole,
  { roleRef }: GrantableRole,
  username: string,
): RoleBinding => ({
  apiVersion: apiVersionOf(roleBindingType),
  kind: roleBindingType.kind,
  metadata: { name: accessBindingName(role, username), namespace },
  roleRef: { ...roleRef },
  subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: username }],
})
