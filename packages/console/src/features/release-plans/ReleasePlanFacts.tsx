import { Label } from '@patternfly/react-core'
import { specOf } from '@slipway/kube/object'
import { attachedAdmission, type ReleasePlan, releasePlanStatus } from '@slipway/model/releases/release-plan'
import { releasePlanVerdict, unmatchedReason } from '@slipway/model/releases/release-plan-verdict'
import { ApplicationLink } from '../../parts/links'
import { StatusLabel } from '../../parts/status/StatusLabel'
import type { NamespaceParams } from '../../paths'

/** The application of a plan, or the component group that it has instead. */
export function Releasable({ plan, at: { namespace } }: { plan: ReleasePlan; at: NamespaceParams }) {
  const { application, componentGroup } = specOf(plan)
  if (application) return <ApplicationLink at={{ namespace, application }} />
  return componentGroup ? `Component group ${componentGroup}` : '-'
}

/** Whether an admission matches a plan. */
export function MatchStatus({ plan }: { plan: ReleasePlan }) {
  const status = releasePlanStatus(plan)
  return (
    <span title={status === 'Not Matched' ? unmatchedReason(plan) : undefined}>
      <StatusLabel status={status} verdict={releasePlanVerdict(plan)} />
    </span>
  )
}

/** The admission of a plan, and whether it blocks its releases. */
export function Admission({ plan }: { plan: ReleasePlan }) {
  const admission = attachedAdmission(plan)
  if (!admission) return '-'
  return (
    <>
      {!admission.isActive && (
        <>
          <Label isCompact status="warning" title="This admission blocks releases">
            Blocked
          </Label>{' '}
        </>
      )}
      {admission.name}
    </>
  )
}
