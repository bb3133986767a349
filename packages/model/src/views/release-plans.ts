import { nameOf, specOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { labels } from '../labels'
import {
  attachedAdmission,
  flagText,
  type ReleasePlan,
  releasePlanStatus,
  releasePlanStatuses,
  releasePlanType,
} from '../releases/release-plan'
import { releasePlanFields } from './release-plan-fields'

/** Release plans by name. */
export const releasePlanView: ViewKind<ReleasePlan> = {
  id: releasePlanType.plural,
  type: releasePlanType,
  mask: releasePlanFields,
  fields: {
    name: { is: 'text', of: nameOf },
    application: { is: 'choice', of: (plan) => specOf(plan).application ?? specOf(plan).componentGroup },
    target: { is: 'choice', of: (plan) => specOf(plan).target },
    autoRelease: { is: 'choice', of: (plan) => flagText(plan, labels.autoRelease) },
    standingAttribution: { is: 'choice', of: (plan) => flagText(plan, labels.standingAttribution) },
    status: { is: 'choice', of: releasePlanStatus, order: releasePlanStatuses },
    admission: { is: 'choice', of: (plan) => attachedAdmission(plan)?.name },
  },
  order: 'name',
  text: nameOf,
  identifiers: (plan) => [nameOf(plan)],
}
