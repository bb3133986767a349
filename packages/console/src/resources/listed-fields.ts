import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { commitKeys } from '@slipway/model/supply-chain/commit'
import { labels } from '@slipway/model/labels'

/** The fields of those lists that a page asks for first: here by themselves, so that they can be asked for ahead of it. */

/** What a list of applications shows. */
export const applicationFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'spec.displayName',
]

/** Which components there are and of which application. */
export const countedComponentFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  'spec.application',
]

/** What lists of runs show, and what the actions of a row and the commits of runs need: a twentieth of the runs. */
export const runFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  ...[
    labels.application,
    labels.component,
    labels.pipelineType,
    labels.scenario,
    labels.optional,
    labels.snapshot,
    labels.releaseName,
  ].map((key) => fieldPath('metadata', 'labels', key)),
  fieldPath('metadata', 'annotations', labels.snapshot),
  ...commitKeys.map(([where, key]) => fieldPath('metadata', where, key)),
  'spec.status',
  'status.startTime',
  'status.completionTime',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
]

/** Of a task run all but what a task is made of, which is most of it: the screens of one task run read that one whole. */
export const taskRunFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'metadata.ownerReferences',
  'metadata.labels',
  'metadata.annotations',
  'spec.params',
  'spec.retries',
  'spec.serviceAccountName',
  'spec.status',
  'spec.statusMessage',
  'spec.taskRef',
  'spec.taskSpec.description',
  'spec.timeout',
  'status.completionTime',
  'status.conditions',
  'status.podName',
  'status.results',
  'status.retriesStatus.completionTime',
  'status.retriesStatus.conditions',
  'status.retriesStatus.podName',
  'status.retriesStatus.startTime',
  'status.startTime',
  'status.steps',
  'status.taskResults',
  'status.taskSpec.description',
]

/** What became of each release and when. */
export const releaseOutcomeFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  fieldPath('metadata', 'labels', labels.application),
  'status.completionTime',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.reason',
]
