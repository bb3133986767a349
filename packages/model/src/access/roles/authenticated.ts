import {
  clusterRoleBindingType,
  clusterRoleType,
  roleBindingType,
  roleType,
  type ClusterRole,
  type Role,
  type RoleBinding,
} from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { bannerLocation, publicInfoLocation } from '../../platform/public-info'

/** Permissions of every signed-in user, without a role in any namespace. */

const apiVersion = apiVersionOf(roleType)
const apiGroup = roleType.group
const everybody = { kind: 'Group', apiGroup, name: 'system:authenticated' } as const

const selfAccessReviewer: ClusterRole = {
  apiVersion,
  kind: clusterRoleType.kind,
  metadata: { name: 'konflux-self-access-reviewer' },
  rules: [{ apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] }],
}

const selfAccessReviewerBinding: RoleBinding = {
  apiVersion,
  kind: clusterRoleBindingType.kind,
  metadata: { name: 'konflux-self-access-reviewer' },
  roleRef: { apiGroup, kind: 'ClusterRole', name: 'konflux-self-access-reviewer' },
  subjects: [everybody],
}

const { namespace } = publicInfoLocation

const publicInfoReader: Role = {
  apiVersion,
  kind: roleType.kind,
  metadata: { name: 'konflux-public-info-view-role', namespace },
  rules: [
    {
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: [publicInfoLocation.name, bannerLocation.name, 'cluster-config'],
      verbs: ['get'],
    },
  ],
}

const publicInfoReaderBinding: RoleBinding = {
  apiVersion,
  kind: roleBindingType.kind,
  metadata: { name: 'konflux-public-info-view-rb', namespace },
  roleRef: { apiGroup, kind: 'Role', name: 'konflux-public-info-view-role' },
  subjects: [everybody],
}

/** Each role precedes the binding that refers to it. */
export const authenticatedClusterRoles = [selfAccessReviewer, selfAccessReviewerBinding]
export const publicInfoRoles = [publicInfoReader, publicInfoReaderBinding]
