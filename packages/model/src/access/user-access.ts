import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { GrantableRole } from '../platform/public-info'

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

/** @param tellingApart what tells the person from another one whose name becomes the same */
export const accessBindingName = (role: AccessRole, username: string, tellingApart = ''): string =>
  [prefix, role.toLowerCase(), sanitisedUsername(username) + (tellingApart && `-${tellingApart}`), 'user-actions'].join(
    '-',
  )

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

/** Everybody and everything that a binding gives its role, in words; what is no person with what it is. */
export const subjectTexts = ({ subjects = [] }: RoleBinding): string[] => [
  ...new Set(
    subjects.map(({ kind, namespace, name }) => {
      if (kind === 'User') return name
      return `${namespace ? `${namespace}/` : ''}${name} (${kind})`
    }),
  ),
]

/**
 * The bindings that give people a role in a namespace, one for each.
 * @param existing those of the namespace: a name that gives something else, to another person (`a.b`, `a_b`) or another
 *   role, is not theirs
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

/** Seven characters, always the same for the same text; against chance, not against intent. FNV-1a. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}
