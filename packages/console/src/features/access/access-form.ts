import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { userName } from '@slipway/model/resource-name'
import { accessBindings, accessRoles, configuredRole, usernamesOf } from '@slipway/model/access/user-access'
import * as z from 'zod/mini'
import { create, remove, replace, type Write } from '../../api/writes/writes'

export const schema = z.object({
  usernames: z.array(z.string(), { error: 'Required.' }).check(
    z.minLength(1, { error: 'Must have at least 1 username.' }),
    // One message for the whole field, however many of its entries are wrong.
    ({ value, issues }) => {
      const problem = value.map(usernameProblem).find(Boolean)
      if (problem) issues.push({ code: 'custom', message: problem, input: value })
    },
  ),
  role: z.enum(accessRoles, { error: ({ input }) => (input ? 'Invalid role.' : 'Required.') }),
})

export type AccessInput = z.input<typeof schema>
export type AccessValues = z.output<typeof schema>

/** The roles that the platform is configured with, in its own words. */
export const offeredRoles = (roles: readonly GrantableRole[]) =>
  accessRoles.flatMap((value) => {
    const role = configuredRole(roles, value)
    return role ? [{ value, label: role.displayName, description: role.description }] : []
  })

/** What is wrong with a username; `undefined` for a good one. */
export const usernameProblem = (username: string): string | undefined =>
  userName.safeParse(username).error?.issues[0]?.message

/** A binding for each person. @param existing the bindings of the namespace */
export const grantWrites = (
  namespace: string,
  { usernames, role }: AccessValues,
  roles: readonly GrantableRole[],
  existing: readonly RoleBinding[] = [],
): Write[] => {
  const configured = configuredRole(roles, role)
  // The form offers no role that is not configured.
  if (!configured) return []
  return accessBindings(namespace, role, configured, usernames, existing).map((binding) =>
    create(roleBindingType, binding),
  )
}

/**
 * A binding for each person in place of an old one, which goes last: so nobody is without access in between. What the
 * old one gives to groups and service accounts stays.
 */
export function editWrites(
  old: RoleBinding,
  values: AccessValues,
  roles: readonly GrantableRole[],
  existing: readonly RoleBinding[] = [],
): Write[] {
  const namespace = namespaceOf(old) ?? ''
  const others = existing.filter((binding) => nameOf(binding) !== nameOf(old))
  const grants = grantWrites(namespace, values, roles, [...others, old])
  const kept = grants.find((write) => 'object' in write && nameOf(write.object) === nameOf(old))
  // It gives the role that is wanted, or its name would not be: all that changes is whom it has besides.
  const people = kept && 'object' in kept ? ((kept.object as RoleBinding).subjects ?? []) : []
  const subjects = [...people, ...othersOf(old)]
  return [...grants.filter((write) => write !== kept), ...remainder(old, subjects)]
}

/** The groups and service accounts of a binding, which no form of ours edits. */
export const othersOf = ({ subjects = [] }: RoleBinding) => subjects.filter(({ kind }) => kind !== 'User')

function remainder(old: RoleBinding, subjects: NonNullable<RoleBinding['subjects']>): Write[] {
  if (subjects.length === 0) {
    const ref = { namespace: namespaceOf(old), name: nameOf(old) }
    // As it was when it was read: whom somebody else has added meanwhile would lose their access unseen.
    const preconditions = { uid: uidOf(old), resourceVersion: old.metadata.resourceVersion }
    return [remove(roleBindingType, ref, { preconditions })]
  }
  const isSame =
    subjects.length === old.subjects?.length && subjects.every(({ name }, at) => old.subjects?.[at]?.name === name)
  return isSame ? [] : [replace(roleBindingType, { ...old, subjects })]
}

/** The people that a write is about, for the words of a failure. */
export const peopleOf = (write: Write): string =>
  'object' in write ? usernamesOf(write.object as RoleBinding).join(', ') : write.ref.name
