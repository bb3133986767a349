import { nameOf, namespaceOf } from '@slipway/kube/object'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/releases/release'
import { releasePlanType, type ReleasePlan, type ReleasePlanAdmission } from '@slipway/model/releases/release-plan'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { isBlocked } from './matching'
import { phases } from './phases'
import type { Validity } from './release-status'

/** The existing objects that a release refers to. */
export interface ReleaseResources {
  plan?: ReleasePlan
  snapshot?: Snapshot
  admission?: ReleasePlanAdmission
  /** Why there is no admission. */
  reason?: string
}

/** Whether a release is valid, and if not, why. Source: release-service, controllers/release. */
export function validityOf(release: Release, resources: ReleaseResources): Validity | { error: string } {
  const { plan, snapshot, admission, reason = '' } = resources
  if (!plan) return { error: missing(releasePlanType, release.spec.releasePlan) }
  const isAutomated = release.metadata.labels?.[labels.automated] === 'true'
  const author = (isAutomated ? plan : release).metadata.labels?.[labels.author]
  if (!author) {
    return {
      error: isAutomated
        ? 'no author in the ReleasePlan found for automated release'
        : 'no author found for manual release',
    }
  }
  const target = plan.spec.target ?? namespaceOf(plan) ?? ''
  const hasOwnPipeline = Boolean(phases.tenant.pipelineOf(plan, admission))
  if (!hasOwnPipeline && !plan.spec.target) return { error: noPipeline }
  // A release into its own namespace needs no admission.
  const needsAdmission = plan.spec.target && (plan.spec.target !== namespaceOf(plan) || !hasOwnPipeline)
  if (needsAdmission && !admission) return { error: reason }
  if (admission && isBlocked(admission)) {
    return { error: `found ReleasePlanAdmission '${nameOf(admission)}' with block-releases label set to true` }
  }
  if (!hasOwnPipeline && admission && !admission.spec.pipeline) return { error: noPipeline }
  if (!snapshot) return { error: missing(snapshotType, release.spec.snapshot) }
  return { author, target }
}

const noPipeline =
  'releasePlan has no pipeline or target. Each Release should define a tenant pipeline, managed pipeline, or both'

const missing = (type: ResourceType, name: string) => `${qualifiedPlural(type)} "${name}" not found`
