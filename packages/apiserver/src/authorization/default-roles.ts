import type { ClusterRole, PolicyRule, RoleBinding } from '@slipway/kube/core-types'
import { allRules, superuserGroup } from '../authorization/authorizer'
import { adminRules, editRules, viewRules } from './user-roles'

/** Roles and bindings of a new cluster, created if absent. Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */

const bootstrap = {
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
}
const apiVersion = 'rbac.authorization.k8s.io/v1'

const clusterRole = (name: string, rules: readonly PolicyRule[], labels: Record<string, string> = {}): ClusterRole => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { ...bootstrap, name, labels: { ...bootstrap.labels, ...labels } },
  rules: [...rules],
})

/** Binds the role of the same name to these groups. */
const toGroups = (name: string, ...groups: string[]): RoleBinding => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { ...bootstrap, name },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  subjects: groups.map((group) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group })),
})

const issuerPaths = ['/.well-known/openid-configuration', '/openid/v1/jwks']
const health = ['/healthz', '/livez', '/readyz', '/version', '/version/']

const aggregateTo = (role: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true' })
const aggregate = (name: string, labels: Record<string, string> = {}): ClusterRole => ({
  ...clusterRole(name, [], labels),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] },
})

export const defaultClusterRoles: readonly ClusterRole[] = [
  clusterRole('cluster-admin', allRules),
  clusterRole('system:discovery', [
    {
      verbs: ['get'],
      nonResourceURLs: [...health, '/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*'].sort(),
    },
  ]),
  clusterRole('system:public-info-viewer', [{ verbs: ['get'], nonResourceURLs: health }]),
  clusterRole('system:basic-user', [
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    },
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
  ]),
  clusterRole('system:auth-delegator', [
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] },
    { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'] },
  ]),
  clusterRole('system:service-account-issuer-discovery', [
    { verbs: ['get'], nonResourceURLs: issuerPaths.flatMap((path) => [path, `${path}/`]) },
  ]),
  aggregate('admin'),
  aggregate('edit', aggregateTo('admin')),
  aggregate('view', aggregateTo('edit')),
  clusterRole('system:aggregate-to-admin', adminRules, aggregateTo('admin')),
  clusterRole('system:aggregate-to-edit', editRules, aggregateTo('edit')),
  clusterRole('system:aggregate-to-view', viewRules, aggregateTo('view')),
]

export const defaultClusterRoleBindings: readonly RoleBinding[] = [
  toGroups('cluster-admin', superuserGroup),
  toGroups('system:discovery', 'system:authenticated'),
  toGroups('system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'),
  toGroups('system:basic-user', 'system:authenticated'),
  toGroups('system:service-account-issuer-discovery', 'system:serviceaccounts'),
]
