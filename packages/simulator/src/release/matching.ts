import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { qualifiedPlural } from '@slipway/kube/resource-type'
import { labels } from '@slipway/model/labels'
import {
  admittedApplications,
  releasePlanAdmissionType,
  type ReleasePlan,
  type ReleasePlanAdmission,
} from '@slipway/model/releases/release-plan'

/** Matches release plans and admissions. Source: release-service, loader/loader.go. */

const admits = (admission: ReleasePlanAdmission, application: string): boolean =>
  admittedApplications(admission).includes(application)

export const isBlocked = ({ metadata }: ReleasePlanAdmission): boolean =>
  metadata.labels?.[labels.blockReleases] === 'true'

/** @param admissions of the namespace that the plan targets; @returns the admission, or why there is none */
export function admissionFor(
  plan: ReleasePlan,
  admissions: ReleasePlanAdmission[],
): { admission: ReleasePlanAdmission } | { reason: string } {
  const { application = '', target } = specOf(plan)
  if (!target) return { reason: 'releasePlan has no target, so no ReleasePlanAdmissions can be found' }
  const origin = namespaceOf(plan) ?? ''
  const named = plan.metadata.labels?.[labels.releasePlanAdmission]
  if (named) return namedAdmission(plan, named, admissions)
  const [admission, ...others] = admissions.filter(
    (each) => specOf(each).origin === origin && admits(each, application),
  )
  const where = `found in namespace (${target}) with the origin (${origin}) for application '${application}'`
  if (!admission) return { reason: `no ReleasePlanAdmission ${where}` }
  if (others.length > 0) return { reason: `multiple ReleasePlanAdmissions ${where}` }
  return { admission }
}

function namedAdmission(plan: ReleasePlan, name: string, admissions: ReleasePlanAdmission[]) {
  const admission = admissions.find((each) => nameOf(each) === name)
  if (!admission) return { reason: `${qualifiedPlural(releasePlanAdmissionType)} "${name}" not found` }
  const { origin = '' } = specOf(admission)
  if (origin === namespaceOf(plan)) return { admission }
  return {
    reason:
      `releasePlan (${nameOf(plan)}) targets releasePlanAdmission (${name}) by label, but the Origin of the ` +
      `releasePlanAdmission (${origin}) does not match the namespace of the releasePlan (${namespaceOf(plan) ?? ''})`,
  }
}

/** Objects that are being deleted do not match. */
export const isLive = ({ metadata }: ReleasePlanAdmission | ReleasePlan): boolean => !metadata.deletionTimestamp
