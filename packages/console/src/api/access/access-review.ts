import type { SelfSubjectAccessReview, SelfSubjectRulesReview } from '@slipway/kube/core-types'
import type { ResourceType } from '@slipway/kube/resource-type'

export type AccessVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'

/** May the user do this? Without a namespace: to cluster-scoped objects, or in all namespaces. */
export interface AccessCheck {
  verb: AccessVerb
  type: ResourceType
  namespace?: string
  subresource?: string
}

/** The review that asks the cluster for the result of a check. */
export const accessReview = ({ verb, type, namespace, subresource }: AccessCheck): SelfSubjectAccessReview => ({
  metadata: {},
  spec: { resourceAttributes: { group: type.group, resource: type.plural, subresource, namespace, verb } },
})

/** A review of everything that the user may do in a namespace. */
export const rulesReview = (namespace: string): SelfSubjectRulesReview => ({ metadata: {}, spec: { namespace } })
