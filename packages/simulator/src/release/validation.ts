import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/supply-chain/release'
import type { ReleasePlan, ReleasePlanAdmission } from '@slipway/model/supply-chain/release-plan'
import type { Snapshot } from '@slipway/model/supply-chain/snapshot'
import { isBlocked } from './matching'
import { phases } from './phases'
import type { Validity } from './release-status'

/** What a release is about, as far as it is there. */
export interface ReleaseResources {
  plan?: ReleasePlan
  snapshot?: Snapshot
  admission?: ReleasePlanAdmission
  /** Why there is no admission. */
  reason?: string
}

/** Whether a release can go out; if not, why, for people to read. Source: release-service, controllers/release. */
export function validityOf(release: Release, resources: ReleaseResources): Validity | { fault: string } {
  const { plan, snapshot, admission, reason = '' } = resources
  if (!plan) return { fault: missing('releaseplans', release.spec.releasePlan) }
  const isAutomated = release.metadata.labels?.[labels.automated] === 'true'
  const author = (isAutomated ? plan : release).metadata.labels?.[labels.author]
  if (!author) {
    return {
      fault: isAutomated
        ? 'no author in the ReleasePlan found for automated release'
        : 'no author found for manual release',
    }
  }
  const target = plan.spec.target ?? namespaceOf(plan) ?? ''
  const hasOwnPipeline = Boolean(phases.tenant.pipelineOf(plan, admission))
  if (!hasOwnPipeline && !plan.spec.target) return { fault: noPipeline }
  // Who releases into the own namespace may do so without an admission.
  const needsAdmission = plan.spec.target && (plan.spec.target !== namespaceOf(plan) || !hasOwnPipeline)
  if (needsAdmission && !admission) return { fault: reason }
  if (admission && isBlocked(admission)) {
    return { fault: `found ReleasePlanAdmission '${nameOf(admission)}' with block-releases label set to true` }
  }
  if (!hasOwnPipeline && admission && !admission.spec.pipeline) return { fault: noPipeline }
  if (!snapshot) return { fault: missing('snapshots', release.spec.snapshot) }
  return { author, target }
}

const noPipeline =
  'releasePlan has no pipeline or target. Each Release should define a tenant pipeline, managed pipeline, or both'

const missing = (plural: string, name: string) => `${plural}.appstudio.redhat.com "${name}" not found`
