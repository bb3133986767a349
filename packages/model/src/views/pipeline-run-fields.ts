import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { commitKeys } from '../git/git-facts'
import { annotations, labels } from '../labels'
import { rowFields } from './row-fields'

/** The fields that lists of runs, the actions of a row and commits need: a twentieth of a run. */
export const runFields: readonly FieldPath[] = [
  ...rowFields,
  ...[
    labels.application,
    labels.component,
    labels.version,
    labels.pipelineType,
    labels.scenario,
    labels.optional,
    labels.snapshot,
    labels.releaseName,
    labels.releaseNamespace,
    labels.updatedComponent,
    labels.updatedNamespace,
  ].map((key) => fieldPath('metadata', 'labels', key)),
  ...[
    labels.snapshot,
    labels.version,
    annotations.context,
    annotations.spanContext,
    annotations.createSnapshotStatus,
    annotations.signed,
    annotations.testKind,
  ].map((key) => fieldPath('metadata', 'annotations', key)),
  ...commitKeys.map(([where, key]) => fieldPath('metadata', where, key)),
  'spec.status',
  'status.startTime',
  'status.completionTime',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
  // A run succeeds although the tests that it reports have failed.
  'status.results.name',
  'status.results.value',
]
