import type { FieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/task-run'
import { historyQuery } from '../api/history'
import { getQuery, listQuery } from '../api/queries'

/** All but what a task is made of, which is most of it: the screens of one task run read that one whole. */
const listedFields: readonly FieldPath[] = [
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

export const taskRuns = {
  /** Those that the cluster has; the others are in the history. */
  list: (namespace: string, wanted?: Record<string, string>) =>
    listQuery(taskRunType, { namespace, labels: wanted, mask: listedFields }),
  historyOf: (namespace: string, pipelineRun: string) =>
    historyQuery(taskRunType, { namespace, labels: { [labels.pipelineRun]: pipelineRun } }, { mask: listedFields }),
  get: (namespace: string, name: string) => getQuery(taskRunType, { namespace, name }, { live: true, orArchive: true }),
}
