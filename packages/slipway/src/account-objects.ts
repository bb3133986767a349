import {
  clusterRoleBindingType,
  clusterRoleType,
  namespaceType,
  serviceAccountType,
  type ClusterRole,
  type PolicyRule,
  type RoleBinding,
} from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'

/**
 * A service account with these permissions in all namespaces, and its own namespace, in an order in which they can be
 * applied one by one.
 */
export function accountObjects(
  { namespace, name }: { namespace: string; name: string },
  roleName: string,
  rules: PolicyRule[],
): KubeObject[] {
  const role: ClusterRole = {
    apiVersion: apiVersionOf(clusterRoleType),
    kind: clusterRoleType.kind,
    metadata: { name: roleName },
    rules,
  }
  const binding: RoleBinding = {
    apiVersion: apiVersionOf(clusterRoleBindingType),
    kind: clusterRoleBindingType.kind,
    metadata: { name: roleName },
    roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: roleName },
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
  }
  return [
    { apiVersion: apiVersionOf(namespaceType), kind: namespaceType.kind, metadata: { name: namespace } },
    { apiVersion: apiVersionOf(serviceAccountType), kind: serviceAccountType.kind, metadata: { namespace, name } },
    role,
    binding,
  ]
}
