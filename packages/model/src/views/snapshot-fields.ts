import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { commitKeys } from '../git/git-facts'
import { annotations, labels } from '../labels'
import { rowFields } from './row-fields'

/** The fields of rows of snapshots. Images and sources, which are most of a snapshot, are not among them: an application may have dozens of components. */
export const snapshotFields: readonly FieldPath[] = [
  ...rowFields,
  ...[
    labels.application,
    labels.component,
    labels.buildPipelineRun,
    labels.snapshotType,
    labels.rerun,
    labels.autoRelease,
  ].map((key) => fieldPath('metadata', 'labels', key)),
  ...[annotations.integrationWorkflow, annotations.groupMembers].map((key) =>
    fieldPath('metadata', 'annotations', key),
  ),
  ...commitKeys.map(([where, key]) => fieldPath('metadata', where, key)),
  'spec.application',
  'spec.components.name',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
  'status.conditions.message',
  'status.conditions.lastTransitionTime',
]
