import { roleBindingType, roleType, type PolicyRule, type Role, type Subject } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { aRoleBinding } from '@slipway/model/testing'
import { seed, type Seed } from './scenario'

const apiGroup = roleType.group

export const user = (name: string): Subject => ({ kind: 'User', apiGroup, name })
export const allUsers: Subject = { kind: 'Group', apiGroup, name: 'system:authenticated' }

/** A role and its binding for one subject. */
export function* allowed(namespace: string, name: string, rules: PolicyRule[], subject: Subject): Iterable<Seed> {
  const role: Role = { apiVersion: apiVersionOf(roleType), kind: roleType.kind, metadata: { name, namespace }, rules }
  yield seed(roleType, role)
  yield seed(
    roleBindingType,
    aRoleBinding({ metadata: { name, namespace }, roleRef: { kind: 'Role', name }, subjects: [subject] }),
  )
}
