import { type PolicyRule, type Role, roleType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { namespace } from './cluster'

/** Gives the user `outsider` access to the namespace with only these permissions. */
export function grantTo(...rules: PolicyRule[]): KubeObject[] {
  const role: Role = {
    apiVersion: `${roleType.group}/${roleType.version}`,
    kind: roleType.kind,
    metadata: { name: 'some-rights', namespace },
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }, ...rules],
  }
  const binding = aRoleBinding({
    metadata: { name: 'some-rights', namespace },
    roleRef: { kind: 'Role', name: 'some-rights' },
    subjects: [{ kind: 'User', apiGroup: roleType.group, name: emailOf('outsider') }],
  })
  return [role, binding]
}
