import type { Message } from './message'
import { messageNamed } from './messages'

/** The kinds that typed clients send in protobuf and this server accepts: kinds by apiVersion, with its Go package. */
const packages: Readonly<Record<string, { goPackage: string; kinds: readonly string[] }>> = {
  v1: {
    goPackage: 'core/v1',
    kinds: [
      'ConfigMap',
      'Event',
      'LimitRange',
      'Namespace',
      'PersistentVolumeClaim',
      'Pod',
      'Secret',
      'ServiceAccount',
    ],
  },
  'authentication.k8s.io/v1': {
    goPackage: 'authentication/v1',
    kinds: ['SelfSubjectReview', 'TokenRequest', 'TokenReview'],
  },
  'authorization.k8s.io/v1': {
    goPackage: 'authorization/v1',
    kinds: ['LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  },
  'coordination.k8s.io/v1': { goPackage: 'coordination/v1', kinds: ['Lease'] },
  'events.k8s.io/v1': { goPackage: 'events/v1', kinds: ['Event'] },
  'rbac.authorization.k8s.io/v1': {
    goPackage: 'rbac/v1',
    kinds: ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  },
}

/** DeleteOptions may name any apiVersion besides this one. */
export const protobufKinds: readonly { apiVersion: string; kind: string }[] = [
  ...Object.entries(packages).flatMap(([apiVersion, { kinds }]) => kinds.map((kind) => ({ apiVersion, kind }))),
  { apiVersion: 'v1', kind: 'DeleteOptions' },
]

/** @returns `undefined` for an unknown kind */
export function messageOf(apiVersion: string, kind: string): Message | undefined {
  // Every group has its own copy of DeleteOptions, with the group of the deleted object.
  if (kind === 'DeleteOptions') return messageNamed('meta/v1.DeleteOptions')
  const found = Object.hasOwn(packages, apiVersion) ? packages[apiVersion] : undefined
  return found?.kinds.includes(kind) ? messageNamed(`${found.goPackage}.${kind}`) : undefined
}

/** Lists of every kind have the same shape. */
export const listMessageOf = (item: Message): Message => ({
  1: ['metadata', { is: 'message', message: messageNamed('meta/v1.ListMeta') }],
  2: ['items', { is: 'list', of: { is: 'message', message: item } }],
})
