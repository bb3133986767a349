import { isSameJson } from '@slipway/kube/json'
import { roleBindingType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import {
  releasePlanAdmissionType,
  releasePlanType,
  type ReleasePlan,
  type ReleasePlanAdmission,
} from '@slipway/model/releases/release-plan'
import { defineController, on, objectKeyOf, type Controller, type ControllerContext } from '../controller'
import type { PlatformVersion } from '../platform-version'
import { admissionFor, isBlocked, isLive } from '../release/matching'
import { retryInfoFor } from '../release/retries'
import { authorIn } from './release-author'
import { setCondition } from '../set-condition'

const qualifiedName = ({ metadata }: ReleasePlan | ReleasePlanAdmission) => `${metadata.namespace}/${metadata.name}`

const matched = (isMatched: boolean) => ({
  type: 'Matched',
  status: isMatched ? ('True' as const) : ('False' as const),
  reason: 'Matched',
})

export const matchOf = (plan: ReleasePlan, { informer }: Pick<ControllerContext, 'informer'>) =>
  admissionFor(plan, informer(releasePlanAdmissionType).list(specOf(plan).target).filter(isLive))

/** Reports in the status of each plan which admission matches it. */
export const releasePlans = defineController<ReleasePlan>({
  name: 'release-plans',
  type: releasePlanType,
  wakes: [
    on(releasePlanAdmissionType, (admission, { informer }) =>
      informer(releasePlanType).list(specOf(admission).origin).map(objectKeyOf),
    ),
  ],
  reads: [roleBindingType],
  writes: [[releasePlanType, 'update', 'updateStatus']],
  async reconcile(plan, context) {
    if (!isLive(plan) || (await attribute(plan, context))) return
    const match = matchOf(plan, context)
    const conditions = setCondition(plan.status?.conditions, matched('admission' in match), context.timestamp())
    const releasePlanAdmission =
      'admission' in match ? { active: !isBlocked(match.admission), name: qualifiedName(match.admission) } : {}
    const status: ReleasePlan['status'] = { ...plan.status, conditions, releasePlanAdmission }
    if (!isSameJson(status, plan.status)) await context.client.replaceStatus(releasePlanType, { ...plan, status })
  },
})

/** Records the user to whom automatic releases of a plan are attributed. @returns whether the plan was written */
async function attribute(plan: ReleasePlan, context: ControllerContext): Promise<boolean> {
  const known = plan.metadata.labels ?? {}
  if (known[labels.standingAttribution] !== 'true' || known[labels.author]) return false
  const author = authorIn(namespaceOf(plan), context)
  if (!author) return false
  const metadata = { ...plan.metadata, labels: { ...known, [labels.author]: author } }
  await context.client.replace(releasePlanType, { ...plan, metadata })
  return true
}

/** Reports in the status of each admission which plans it matches, and whether its pipeline is retried. */
export const releasePlanAdmissions = (platform: PlatformVersion): Controller =>
  defineController<ReleasePlanAdmission>({
    name: 'release-plan-admissions',
    type: releasePlanAdmissionType,
    wakes: [
      on(releasePlanType, (plan, { informer }) => {
        const { target } = specOf(plan)
        return target ? informer(releasePlanAdmissionType).list(target).map(objectKeyOf) : []
      }),
      // A second admission for the same application makes the first one ambiguous.
      on(releasePlanAdmissionType, (admission, { informer }) =>
        informer(releasePlanAdmissionType).list(namespaceOf(admission)).map(objectKeyOf),
      ),
    ],
    writes: [[releasePlanAdmissionType, 'updateStatus']],
    async reconcile(admission, context) {
      if (!isLive(admission)) return
      const plans = context
        .informer(releasePlanType)
        .list(specOf(admission).origin)
        .filter((plan) => isLive(plan) && specOf(plan).target === namespaceOf(admission))
        .filter((plan) => {
          const match = matchOf(plan, context)
          return 'admission' in match && nameOf(match.admission) === nameOf(admission)
        })
      const conditions = setCondition(admission.status?.conditions, matched(plans.length > 0), context.timestamp())
      const status: ReleasePlanAdmission['status'] = {
        ...admission.status,
        conditions,
        releasePlans: plans.map((plan) => ({
          active: plan.metadata.labels?.[labels.autoRelease] === 'true',
          name: qualifiedName(plan),
        })),
        ...(platform === 'current' && { retryInfo: retryInfoFor(admission, plans) }),
      }
      if (!isSameJson(status, admission.status)) {
        await context.client.replaceStatus(releasePlanAdmissionType, { ...admission, status })
      }
    },
  })
