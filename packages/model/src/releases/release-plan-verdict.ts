import { namespaceOf, specOf } from '@slipway/kube/object'
import { labels } from '../labels'
import { attachedAdmission, type ReleasePlan, type ReleasePlanStatus, releasePlanStatus } from './release-plan'
import { tenantPipelineOf } from './release-plan-edit'

/** Whether releases of a plan fail without an admission: decided here for every page. */

/**
 * Only a plan with a pipeline of its own, for its own namespace, needs none. A plan that has neither a pipeline nor a
 * target does, although no admission can match it. Source: release-service, loader/loader.go.
 */
export function needsAdmission(plan: ReleasePlan): boolean {
  const { target } = specOf(plan)
  return !tenantPipelineOf(plan) || Boolean(target && target !== namespaceOf(plan))
}

/** The status of a plan as good or bad as it is: an admission that is not needed is not missing. */
export const releasePlanVerdict = (plan: ReleasePlan): ReleasePlanStatus | 'Not needed' =>
  attachedAdmission(plan) || needsAdmission(plan) ? releasePlanStatus(plan) : 'Not needed'

/** Why no admission matches a plan, as far as the plan shows it. Source: release-service, loader/loader.go. */
export function unmatchedReason(plan: ReleasePlan): string {
  if (!needsAdmission(plan))
    return 'Its releases run in this namespace: with a pipeline of its own, it needs no admission.'
  const { target } = specOf(plan)
  if (!target) return 'It has neither a pipeline nor a target, so its releases fail.'
  const wanted = plan.metadata.labels?.[labels.releasePlanAdmission]
  return wanted
    ? `There is no admission ${wanted} for this namespace in ${target}.`
    : `In ${target}, no admission or more than one admits its application from this namespace.`
}
