import type { ClusterRole, PolicyRule, Role, RoleBinding, Subject } from '@slipway/kube/core-types'
import type { AccessObjects } from '../authorization/authorizer'

/** Builders of roles and bindings for tests. */

export const aRule = (verbs: string, resources: string, more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs: verbs.split(','),
  apiGroups: [''],
  resources: resources.split(','),
  ...more,
})

export const aRole = (namespace: string, name: string, ...rules: PolicyRule[]): Role => ({
  metadata: { namespace, name },
  rules,
})

export const aClusterRole = (name: string, ...rules: PolicyRule[]): ClusterRole => ({ metadata: { name }, rules })

/** A binding to `Role/x` or `ClusterRole/x`; cluster-wide if there is no namespace. */
export function aBinding(
  namespace: string | undefined,
  name: string,
  role: string,
  ...subjects: Subject[]
): RoleBinding {
  const [kind, roleName = ''] = role.split('/')
  return {
    metadata: { name, ...(namespace && { namespace }) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: kind === 'Role' ? 'Role' : 'ClusterRole', name: roleName },
    subjects,
  }
}

export const aUser = (name: string): Subject => ({ kind: 'User', name })
export const aGroup = (name: string): Subject => ({ kind: 'Group', name })
export const aServiceAccount = (name: string, namespace?: string): Subject => ({
  kind: 'ServiceAccount',
  name,
  namespace,
})

export const accessOf = (objects: Partial<AccessObjects>): AccessObjects => ({
  roles: [],
  clusterRoles: [],
  roleBindings: [],
  clusterRoleBindings: [],
  ...objects,
})
