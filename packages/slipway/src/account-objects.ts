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
 * A service account that may do this in all namespaces, and the namespace of its own, in an order in which they can be
 * applied one after another.
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
