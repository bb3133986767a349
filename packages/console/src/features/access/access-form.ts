import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { GrantableRole } from '@slipway/model/platform/public-info'
import { userName } from '@slipway/model/resource-name'
import { accessBindings, accessRoles, configuredRole, usernamesOf } from '@slipway/model/access/user-access'
import { publicBinding, type PublicGrant, withoutEveryone } from '@slipway/model/access/namespace-visibility'
import * as z from 'zod/mini'
import { create, remove, replace, type Write } from '../../api/writes/writes'

export const schema = z.object({
  usernames: z.array(z.string(), { error: 'Required.' }).check(
    z.minLength(1, { error: 'Must have at least 1 username.' }),
    // One message for the whole field, however many of its entries are wrong.
    ({ value, issues }) => {
      const message = value.map(usernameError).find(Boolean)
      if (message) issues.push({ code: 'custom', message, input: value })
    },
  ),
  role: z.enum(accessRoles, { error: ({ input }) => (input ? 'Invalid role.' : 'Required.') }),
})

export type AccessInput = z.input<typeof schema>
export type AccessValues = z.output<typeof schema>

/** The configured roles, with the platform's labels and descriptions. */
export const offeredRoles = (roles: readonly GrantableRole[]) =>
  accessRoles.flatMap((value) => {
    const role = configuredRole(roles, value)
    return role ? [{ value, label: role.displayName, description: role.description }] : []
  })

/** Why a username is invalid; `undefined` for a valid one. */
export const usernameError = (username: string): string | undefined =>
  userName.safeParse(username).error?.issues[0]?.message

/** Creates one binding per user. @param existing the bindings of the namespace */
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
 * Replaces a binding with one per user. The old binding is deleted last, so that no user loses access in between. Its
 * groups and service accounts keep their role.
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
  // A binding of the same name already gives the selected role, so only its subjects change.
  const people = kept && 'object' in kept ? ((kept.object as RoleBinding).subjects ?? []) : []
  const subjects = [...people, ...othersOf(old)]
  return [...grants.filter((write) => write !== kept), ...remainder(old, subjects)]
}

/** The groups and service accounts of a binding, which the form does not edit. */
export const othersOf = ({ subjects = [] }: RoleBinding) => subjects.filter(({ kind }) => kind !== 'User')

/** Leaves only these subjects in a binding, and deletes it if there are none. */
export function remainder(old: RoleBinding, subjects: NonNullable<RoleBinding['subjects']>): Write[] {
  if (subjects.length === 0) {
    const ref = { namespace: namespaceOf(old), name: nameOf(old) }
    // Delete only the version that was read: a subject added in the meantime would silently lose access.
    const preconditions = { uid: uidOf(old), resourceVersion: old.metadata.resourceVersion }
    return [remove(roleBindingType, ref, { preconditions })]
  }
  const isSame =
    subjects.length === old.subjects?.length && subjects.every(({ name }, at) => old.subjects?.[at]?.name === name)
  return isSame ? [] : [replace(roleBindingType, { ...old, subjects })]
}

/** Makes a namespace public. @param existing all bindings of the namespace */
export function publicWrites(namespace: string, existing: readonly RoleBinding[]): Write[] {
  const { binding, isNew } = publicBinding(namespace, existing)
  return [(isNew ? create : replace)(roleBindingType, binding)]
}

/** Makes a namespace private: no role is left to every signed-in user. */
export const privateWrites = (grants: readonly PublicGrant[]): Write[] =>
  grants.flatMap(({ binding }) => remainder(binding, withoutEveryone(binding)))

/** The users that a write affects, for failure messages. */
export const peopleOf = (write: Write): string =>
  'object' in write ? usernamesOf(write.object as RoleBinding).join(', ') : write.ref.name
