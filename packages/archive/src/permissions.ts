import type { PolicyRule } from '@slipway/kube/core-types'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { ArchivedKind } from './kinds'

/** The least privileges of the account of an archive of these kinds, in all namespaces. */
export function archiveRules(kinds: ArchivedKind[]): PolicyRule[] {
  const rule = ({ group, plural }: ResourceType, verbs: string[], subresource = ''): PolicyRule => ({
    apiGroups: [group],
    resources: [`${plural}${subresource}`],
    verbs,
  })
  return [
    ...kinds.map(({ type }) => rule(type, ['list', 'watch'])),
    ...kinds.filter(({ isRecord }) => isRecord).map(({ type }) => rule(type, ['patch'])),
    ...kinds.filter(({ hasLogs }) => hasLogs).map(({ type }) => rule(type, ['get'], '/log')),
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ]
}
