import {
  clusterRoleBindingType,
  clusterRoleType,
  roleBindingType,
  roleType,
  subjectAccessReviewType,
  tokenReviewType,
  type PolicyRule,
} from '@slipway/kube/core-types'
import { inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import type { ViewKind } from '../view-kind'

/**
 * The least privileges of the account of the service, in all namespaces: it reads the view kinds and who is bound to which
 * role, and asks about tokens and rights. It changes nothing.
 */
export const viewsRules = (kinds: readonly Pick<ViewKind, 'type'>[]): PolicyRule[] => [
  ...readRules(kinds.flatMap(({ type }) => inEachGroup(type))),
  ...readRules([roleType, clusterRoleType, roleBindingType, clusterRoleBindingType]),
  createRule(tokenReviewType),
  createRule(subjectAccessReviewType),
]

/** One rule for each group. */
function readRules(types: readonly ResourceType[]): PolicyRule[] {
  const pluralsByGroup = new Map<string, Set<string>>()
  for (const { group, plural } of types) {
    pluralsByGroup.set(group, (pluralsByGroup.get(group) ?? new Set()).add(plural))
  }
  return [...pluralsByGroup].map(([group, plurals]) => ({
    apiGroups: [group],
    resources: [...plurals],
    verbs: ['list', 'watch'],
  }))
}

const createRule = ({ group, plural }: ResourceType): PolicyRule => ({
  apiGroups: [group],
  resources: [plural],
  verbs: ['create'],
})
