import type { ClusterRole, PolicyRule } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { matchesRequirements, type LabelSelector, type Requirement } from '@slipway/kube/selector'

/**
 * Rules of a ClusterRole with an aggregationRule: the distinct rules of every other ClusterRole that matches one of its
 * selectors. `undefined` for a role without an aggregationRule, which has rules of its own.
 * Source: pkg/controller/clusterroleaggregation of Kubernetes.
 */
export function aggregatedRules(role: ClusterRole, clusterRoles: readonly ClusterRole[]): PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined
  const rules = new Map<string, PolicyRule>()
  for (const selector of role.aggregationRule.clusterRoleSelectors ?? []) {
    const requirements = requirementsOf(selector)
    const matching = clusterRoles
      .filter((other) => nameOf(other) !== nameOf(role) && matchesRequirements(other.metadata.labels, requirements))
      .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    for (const rule of matching.flatMap((other) => other.rules ?? [])) rules.set(JSON.stringify(rule), rule)
  }
  return [...rules.values()]
}

/** Does not parse the selector as text: an invalid label must match nothing rather than fail or change meaning. */
const requirementsOf = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): Requirement[] => [
  ...Object.entries(matchLabels).map(([key, value]): Requirement => ({ key, operator: 'Equals', values: [value] })),
  ...matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values })),
]
