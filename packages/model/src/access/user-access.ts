import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { GrantableRole } from '../platform/public-info'

/** The roles that the console can grant, the least privileged first. Specification 1, section 6. */
export const accessRoles = ['Contributor', 'Maintainer', 'Admin'] as const
export type AccessRole = (typeof accessRoles)[number]

/** Name prefix of the bindings that the console creates. Other consoles of this kind recognise their bindings by it. */
const prefix = 'konflux'

/** `Ann.Lee@Example.com` as part of an object's name: `ann-lee-example-com`. */
export const sanitisedUsername = (username: string): string =>
  username
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .replace(/^-+|-+$/g, '')

/** @param suffix distinguishes users whose names sanitise to the same text */
export const accessBindingName = (role: AccessRole, username: string, suffix = ''): string =>
  [prefix, role.toLowerCase(), sanitisedUsername(username) + (suffix && `-${suffix}`), 'user-actions'].join('-')

/** The role as the platform configures it; `undefined` if the platform does not define it. */
export const configuredRole = (roles: readonly GrantableRole[], role: AccessRole): GrantableRole | undefined =>
  roles.find(({ roleRef }) => roleRef.name.toLowerCase().includes(role.toLowerCase()))

/** The configured role that a binding grants; `undefined` for bindings unrelated to the platform's roles. */
export const grantedRole = (roles: readonly GrantableRole[], { roleRef }: RoleBinding): GrantableRole | undefined =>
  roles.find((role) => role.roleRef.name === roleRef.name && role.roleRef.kind === roleRef.kind)

/** Like `grantedRole`, as one of the roles that the form offers. */
export const accessRoleOf = (roles: readonly GrantableRole[], binding: RoleBinding): AccessRole | undefined => {
  const granted = grantedRole(roles, binding)
  return granted && accessRoles.find((role) => configuredRole(roles, role) === granted)
}

/** The users of a binding, without its groups and service accounts. */
export const usernamesOf = ({ subjects = [] }: RoleBinding): string[] =>
  subjects.filter(({ kind }) => kind === 'User').map(({ name }) => name)

/** All subjects of a binding as text. Subjects other than users include their kind. */
export const subjectTexts = ({ subjects = [] }: RoleBinding): string[] => [
  ...new Set(
    subjects.map(({ kind, namespace, name }) => {
      if (kind === 'User') return name
      return `${namespace ? `${namespace}/` : ''}${name} (${kind})`
    }),
  ),
]

/**
 * The bindings that grant users a role in a namespace, one per user.
 * @param existing bindings of the namespace: names used for another user (`a.b`, `a_b`) or role are not reused
 */
export function accessBindings(
  namespace: string,
  role: AccessRole,
  configured: GrantableRole,
  usernames: readonly string[],
  existing: readonly RoleBinding[] = [],
): RoleBinding[] {
  const taken = new Map(existing.map((binding) => [nameOf(binding), binding]))
  return usernames.map((username) => {
    const plain = accessBindingName(role, username)
    const holder = taken.get(plain)
    const isOfAnother = holder && !(isFor(holder, username) && grantedRole([configured], holder))
    const name = isOfAnother ? accessBindingName(role, username, fingerprint(username)) : plain
    const binding = bindingOf(namespace, name, configured, username)
    taken.set(name, binding)
    return binding
  })
}

const isFor = (binding: RoleBinding, username: string): boolean => usernamesOf(binding).includes(username)

const bindingOf = (namespace: string, name: string, { roleRef }: GrantableRole, username: string): RoleBinding => ({
  apiVersion: apiVersionOf(roleBindingType),
  kind: roleBindingType.kind,
  metadata: { name, namespace },
  roleRef: { ...roleRef },
  subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: username }],
})

/** Seven characters that depend only on the text (FNV-1a). Avoids accidental collisions, not deliberate ones. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}
