import { namespaceType, roleBindingType, secretType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { clusterRoleName, type UserRole } from '@slipway/model/access/roles/user-actions'
import { aNamespace, aRoleBinding } from '@slipway/model/testing'
import { aSecret } from '@slipway/model/testing/build-services'
import { seed, type ScenarioContext, type ScenarioUsers, type Seed } from './scenario'

export type Members = Partial<Record<keyof ScenarioUsers, UserRole>>

/**
 * A namespace of a team, and who may do what in it.
 * @param annotations of the namespace
 */
export function teamNamespace(
  namespace: string,
  members: Members,
  { users }: ScenarioContext,
  annotations?: Record<string, string>,
): Seed[] {
  const roles = Object.entries(members) as [keyof ScenarioUsers, UserRole][] // Its keys are those of the type.
  return [
    seed(namespaceType, aNamespace({ metadata: { name: namespace, ...(annotations && { annotations }) } })),
    ...roles.map(([user, role]) => seed(roleBindingType, membership(namespace, users[user], role))),
  ]
}

/** As the console names what it writes when access is granted. */
const membership = (namespace: string, email: string, role: UserRole) =>
  aRoleBinding({
    metadata: { name: `konflux-${role}-${email.replace(/[^a-z0-9-]/g, '-')}-user-actions`, namespace },
    roleRef: { name: clusterRoleName(role) },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: email }],
  })

/** By which the services reach a git host that has no application of theirs. */
export const sourceSecret = (namespace: string, name: string, host: string): Seed =>
  seed(
    secretType,
    aSecret({
      metadata: { name, namespace, labels: { [labels.credentials]: 'scm', [labels.scmHost]: host } },
      type: 'kubernetes.io/basic-auth',
      data: { snyk_token: undefined, username: btoa('slipway'), password: btoa('a made-up token') },
    }),
  )
