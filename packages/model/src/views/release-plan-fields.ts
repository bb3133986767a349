import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '../labels'
import { rowFields } from './row-fields'

/** What decides whether a plan needs an admission. */
export const releasePlanAdmissionFields: readonly FieldPath[] = [
  'spec.target',
  'spec.tenantPipeline.pipelineRef',
  'spec.pipeline.pipelineRef',
  'spec.pipelineRef',
  'status.releasePlanAdmission',
]

/** The fields of rows of release plans. Data and collectors, which are most of a plan, are not among them. */
export const releasePlanFields: readonly FieldPath[] = [
  ...rowFields,
  'spec.application',
  ...[labels.autoRelease, labels.standingAttribution, labels.author, labels.releasePlanAdmission].map((key) =>
    fieldPath('metadata', 'labels', key),
  ),
  'spec.componentGroup',
  ...releasePlanAdmissionFields,
]
