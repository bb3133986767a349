import type { Condition } from '@slipway/kube/object'

/**
 * Returns the list with the condition of this type replaced. The time of the last transition only changes with the
 * status. If nothing changes, the same list is returned.
 * Source: k8s.io/apimachinery, pkg/api/meta/conditions.go.
 */
export function setCondition(
  conditions: Condition[] | undefined,
  { type, status, reason, message = '' }: Omit<Condition, 'lastTransitionTime'>,
  at: string,
): Condition[] {
  const known = conditions?.find((each) => each.type === type)
  if (conditions && known?.status === status && known.reason === reason && known.message === message) return conditions
  const lastTransitionTime = known?.status === status ? known.lastTransitionTime : at
  const condition: Condition = { lastTransitionTime, message, reason, status, type }
  return known
    ? (conditions ?? []).map((each) => (each === known ? condition : each))
    : [...(conditions ?? []), condition]
}

export const conditionOf = (object: { status?: { conditions?: Condition[] } }, type: string): Condition | undefined =>
  object.status?.conditions?.find((condition) => condition.type === type)
