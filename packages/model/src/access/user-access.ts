import { roleBindingType, type RoleBinding, type Subject } from '@slipway/kube/core-types'
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
export const subjectTexts = ({ subjects = [] }: RoleBinding): string[] => [...new Set(subjects.map(subjectText))]

/** `ann`, `testers (Group)` or `team/pipeline (ServiceAccount)`. */
export const subjectText = ({ kind, namespace, name }: Subject): string =>
  kind === 'User' ? name : `${namespace ? `${namespace}/` : ''}${name} (${kind})`

/**
 * The bindings that grant users a role in a namespace, one per user.
 * @param existing bindings of the namespace: names used for another user (`a.b`, `a_b`) or role are not reused
 */
export const accessBindings = (
  namespace: string,
  role: AccessRole,
  configured: GrantableRole,
  usernames: readonly string[],
  existing: readonly RoleBinding[] = [],
): RoleBinding[] => subjectBindings(namespace, role, configured, usernames.map(userNamed), existing)

/** Like `accessBindings`, for groups too. */
export function subjectBindings(
  namespace: string,
  role: AccessRole,
  configured: GrantableRole,
  subjects: readonly Subject[],
  existing: readonly RoleBinding[] = [],
): RoleBinding[] {
  const taken = new Map(existing.map((binding) => [nameOf(binding), binding]))
  return subjects.map((subject) => {
    const plain = accessBindingName(role, subject.name)
    const holder = taken.get(plain)
    const isOfAnother = holder && !(hasSubject(holder, subject) && grantedRole([configured], holder))
    const name = isOfAnother ? accessBindingName(role, subject.name, fingerprint(subjectText(subject))) : plain
    const binding = bindingOf(namespace, name, configured, subject)
    taken.set(name, binding)
    return binding
  })
}

const userNamed = (name: string): Subject => ({ kind: 'User', apiGroup: roleBindingType.group, name })

/** Whether a binding is for a subject, perhaps among others. */
export const hasSubject = ({ subjects = [] }: RoleBinding, subject: Subject): boolean =>
  subjects.some((each) => subjectText(each) === subjectText(subject))

const bindingOf = (namespace: string, name: string, { roleRef }: GrantableRole, subject: Subject): RoleBinding => ({
  apiVersion: apiVersionOf(roleBindingType),
  kind: roleBindingType.kind,
  metadata: { name, namespace },
  roleRef: { ...roleRef },
  subjects: [subject],
})

/** Seven characters that depend only on the text (FNV-1a). Avoids accidental collisions, not deliberate ones. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}
