import type { KubeObject } from './object'
import { defineResource } from './resource-type'

/** Kinds of Kubernetes itself that clients of every package address. */

export interface Namespace extends KubeObject {
  status?: { phase?: 'Active' | 'Terminating' }
}
export const namespaceType = defineResource<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
})

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>
  binaryData?: Record<string, string>
  immutable?: boolean
}
export const configMapType = defineResource<ConfigMap>({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
})

export interface PolicyRule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}
export interface RoleRef {
  apiGroup: string
  kind: 'Role' | 'ClusterRole'
  name: string
}
export interface Subject {
  kind: 'User' | 'Group' | 'ServiceAccount'
  apiGroup?: string
  name: string
  namespace?: string
}
export interface Role extends KubeObject {
  rules: PolicyRule[]
}
export interface ClusterRole extends Role {
  aggregationRule?: { clusterRoleSelectors?: { matchLabels?: Record<string, string> }[] }
}
export interface RoleBinding extends KubeObject {
  roleRef: RoleRef
  subjects?: Subject[]
}
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' }
export const roleType = defineResource<Role>({ ...rbac, kind: 'Role', plural: 'roles', namespaced: true })
export const clusterRoleType = defineResource<ClusterRole>({
  ...rbac,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
})
export const roleBindingType = defineResource<RoleBinding>({
  ...rbac,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
})
export const clusterRoleBindingType = defineResource<RoleBinding>({
  ...rbac,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
})

export interface ResourceAttributes {
  group?: string
  version?: string
  resource?: string
  subresource?: string
  namespace?: string
  name?: string
  verb?: string
}
export interface SelfSubjectAccessReview extends KubeObject {
  spec: { resourceAttributes?: ResourceAttributes; nonResourceAttributes?: { path: string; verb: string } }
  status?: { allowed: boolean; denied?: boolean; reason?: string; evaluationError?: string }
}
export const selfSubjectAccessReviewType = defineResource<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
})

export const customResourceDefinitionType = defineResource<KubeObject>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
})
