import type { Message } from './message'
import { configMap, coreEvent, event, lease, namespace, secret, serviceAccount } from './messages/core'
import { deleteOptions } from './messages/meta'
import { pod } from './messages/pods'
import { clusterRole, role, roleBinding } from './messages/rbac'
import {
  selfSubjectAccessReview,
  selfSubjectReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  tokenRequest,
  tokenReview,
} from './messages/reviews'
import { persistentVolumeClaim } from './messages/volumes'

/** The kinds that typed clients send in protobuf and this server accepts, by apiVersion and kind. */
export const messages: Readonly<Record<string, Readonly<Record<string, Message>>>> = {
  v1: {
    ConfigMap: configMap,
    DeleteOptions: deleteOptions,
    Event: coreEvent,
    Namespace: namespace,
    PersistentVolumeClaim: persistentVolumeClaim,
    Pod: pod,
    Secret: secret,
    ServiceAccount: serviceAccount,
  },
  'authentication.k8s.io/v1': {
    SelfSubjectReview: selfSubjectReview,
    TokenRequest: tokenRequest,
    TokenReview: tokenReview,
  },
  'authorization.k8s.io/v1': {
    LocalSubjectAccessReview: subjectAccessReview,
    SelfSubjectAccessReview: selfSubjectAccessReview,
    SelfSubjectRulesReview: selfSubjectRulesReview,
    SubjectAccessReview: subjectAccessReview,
  },
  'coordination.k8s.io/v1': {
    Lease: lease,
  },
  'events.k8s.io/v1': {
    Event: event,
  },
  'rbac.authorization.k8s.io/v1': {
    ClusterRole: clusterRole,
    ClusterRoleBinding: roleBinding,
    Role: role,
    RoleBinding: roleBinding,
  },
}

/** @returns `undefined` for an unknown kind */
export function messageOf(apiVersion: string, kind: string): Message | undefined {
  // Every group has its own copy of DeleteOptions, with the group of the deleted object.
  if (kind === 'DeleteOptions') return deleteOptions
  const ofVersion = Object.hasOwn(messages, apiVersion) ? messages[apiVersion] : undefined
  return ofVersion && Object.hasOwn(ofVersion, kind) ? ofVersion[kind] : undefined
}
