import { namespaceType, roleBindingType } from '@slipway/kube/core-types'
import { clusterRoleName, type UserRole } from '@slipway/model/access/roles/user-actions'
import { aNamespace, aRoleBinding } from '@slipway/model/testing'
import { managedLabel } from '../kueue/admission-queue'
import { seed, type ScenarioContext, type ScenarioUsers, type Seed } from './scenario'

export type Members = Partial<Record<keyof ScenarioUsers, UserRole>>

/**
 * A namespace of a team with its members.
 * @param annotations of the namespace
 * @param isQueued whether its runs have to be admitted by Kueue
 */
export function teamNamespace(
  namespace: string,
  members: Members,
  { users }: ScenarioContext,
  annotations?: Record<string, string>,
  isQueued = false,
): Seed[] {
  const roles = Object.entries(members) as [keyof ScenarioUsers, UserRole][] // Its keys are those of the type.
  return [
    seed(
      namespaceType,
      aNamespace({
        metadata: {
          name: namespace,
          ...(annotations && { annotations }),
          ...(isQueued && { labels: { [managedLabel]: 'true' } }),
        },
      }),
    ),
    ...roles.map(([user, role]) => seed(roleBindingType, membership(namespace, users[user], role))),
  ]
}

/** A role binding with the name that the console uses. */
const membership = (namespace: string, email: string, role: UserRole) =>
  aRoleBinding({
    metadata: { name: `konflux-${role}-${email.replace(/[^a-z0-9-]/g, '-')}-user-actions`, namespace },
    roleRef: { name: clusterRoleName(role) },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: email }],
  })
