import { many, one, string, stringOrEmpty, strings, stringsOrEmpty, type Message } from '../message'
import { labelSelector, objectMeta } from './meta'

// Field numbers and names: k8s.io/api, rbac/v1 generated.proto and types.go.

const policyRule: Message = {
  1: ['verbs', stringsOrEmpty],
  2: ['apiGroups', strings],
  3: ['resources', strings],
  4: ['resourceNames', strings],
  5: ['nonResourceURLs', strings],
}

const subject: Message = {
  1: ['kind', stringOrEmpty],
  2: ['apiGroup', string],
  3: ['name', stringOrEmpty],
  4: ['namespace', string],
}

const roleRef: Message = {
  1: ['apiGroup', stringOrEmpty],
  2: ['kind', stringOrEmpty],
  3: ['name', stringOrEmpty],
}

export const role: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['rules', many(policyRule)],
}

export const clusterRole: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['rules', many(policyRule)],
  3: ['aggregationRule', one({ 1: ['clusterRoleSelectors', many(labelSelector)] })],
}

/** A RoleBinding or ClusterRoleBinding has the same shape. */
export const roleBinding: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['subjects', many(subject)],
  3: ['roleRef', one(roleRef)],
}
