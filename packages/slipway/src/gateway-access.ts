import {
  clusterRoleBindingType,
  clusterRoleType,
  type ClusterRole,
  type PolicyRule,
  type RoleBinding,
} from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { gatewayIdentity, users } from './users'

const name = 'slipway-gateway'
const apiGroup = clusterRoleType.group

/**
 * Permission to impersonate the built-in users. Limited by name: otherwise the token could impersonate `system:masters`
 * and would be as powerful as an administrator's.
 */
export const impersonationRules: PolicyRule[] = [
  {
    apiGroups: [''],
    resources: ['users'],
    resourceNames: users.map(({ email }) => email),
    verbs: ['impersonate'],
  },
  {
    apiGroups: [''],
    resources: ['groups'],
    resourceNames: [...new Set(['system:authenticated', ...users.flatMap(({ groups }) => groups)])],
    verbs: ['impersonate'],
  },
]

/** The least privileges that the gateway needs. */
const role: ClusterRole = {
  apiVersion: apiVersionOf(clusterRoleType),
  kind: clusterRoleType.kind,
  metadata: { name },
  rules: [
    ...impersonationRules,
    { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
}

const binding: RoleBinding = {
  apiVersion: apiVersionOf(clusterRoleBindingType),
  kind: clusterRoleBindingType.kind,
  metadata: { name },
  roleRef: { apiGroup, kind: 'ClusterRole', name },
  subjects: [{ kind: 'User', apiGroup, name: gatewayIdentity.name }],
}

export const gatewayAccess = [role, binding]
