import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { nameOf, specOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { labels } from '../labels'
import {
  admittedApplications,
  flagText,
  type ReleasePlanAdmission,
  releasePlanAdmissionType,
} from '../releases/release-plan'
import { rowFields } from './row-fields'

const mask: readonly FieldPath[] = [
  ...rowFields,
  fieldPath('metadata', 'labels', labels.blockReleases),
  'spec.application',
  'spec.applications',
  'spec.componentGroups',
  'spec.origin',
]

/** Release plan admissions by name. */
export const releasePlanAdmissionView: ViewKind<ReleasePlanAdmission> = {
  id: releasePlanAdmissionType.plural,
  type: releasePlanAdmissionType,
  mask,
  fields: {
    name: { is: 'text', of: nameOf },
    application: { is: 'choice', of: admittedApplications },
    origin: { is: 'choice', of: (admission) => specOf(admission).origin },
    blockReleases: { is: 'choice', of: (admission) => flagText(admission, labels.blockReleases) },
  },
  order: 'name',
  text: nameOf,
  identifiers: (admission) => [nameOf(admission)],
}
