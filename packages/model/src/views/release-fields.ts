import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { commitKeys } from '../git/git-facts'
import { annotations, labels } from '../labels'

/** The fields that say how a release ended. */
export const releaseOutcomeFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  fieldPath('metadata', 'labels', labels.application),
  'status.completionTime',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
]

/** Those that say how far it is, too. */
export const releaseProgressFields: readonly FieldPath[] = [
  ...releaseOutcomeFields,
  'metadata.creationTimestamp',
  'spec.releasePlan',
  'spec.snapshot',
  'status.startTime',
  'status.conditions.message',
  'status.conditions.lastTransitionTime',
  'status.validation.time',
]

const runFieldsOf = (processing: string): FieldPath[] =>
  ['pipelineRun', 'startTime', 'completionTime'].map((field) => `status.${processing}.${field}`)

/** The fields of rows of releases. Data, artifacts and the status of each pipeline, which are most of a release, are not among them. */
export const releaseFields: readonly FieldPath[] = [
  ...releaseProgressFields,
  'metadata.deletionTimestamp',
  ...commitKeys.map(([where, key]) => fieldPath('metadata', where, key)),
  fieldPath('metadata', 'labels', labels.component),
  fieldPath('metadata', 'annotations', annotations.spanContext),
  ...[
    'collectorsProcessing.tenantCollectorsProcessing',
    'collectorsProcessing.managedCollectorsProcessing',
    'tenantProcessing',
    'managedPipelineAttempts',
    'managedProcessing',
    'finalProcessing',
  ].flatMap(runFieldsOf),
]
