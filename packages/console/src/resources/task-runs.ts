import type { FieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/runs/task-run'
import { rowFields } from '@slipway/model/views/row-fields'
import { historyQuery } from '../api/archive/history'
import { archivedObject } from '../api/archive/when-missing'
import { getQuery } from '../api/queries'
import { newestStart } from '../api/archive/origin'

/** All fields but the definition of the task, which is most of a task run. Pages of one task run read all of it. */
export const listedFields: readonly FieldPath[] = [
  ...rowFields,
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
  'status.retriesStatus.sidecars',
  'status.retriesStatus.startTime',
  'status.retriesStatus.steps',
  'status.sidecars',
  'status.startTime',
  'status.steps',
  'status.taskResults',
  'status.taskSpec.description',
]

/** Whose task runs are listed: those of the namespace without an application. */
export interface TaskScope {
  application?: string | undefined
  component?: string | undefined
  snapshot?: string | undefined
}

export const taskRuns = {
  /** All task runs of a run, since a part of them says nothing about the run. */
  historyOf: (namespace: string, pipelineRun: string) =>
    historyQuery(
      taskRunType,
      { namespace, labels: { [labels.pipelineRun]: pipelineRun } },
      { mask: listedFields, newestBy: newestStart, all: true },
    ),
  /** The task runs of a task by its usual name in pipelines. */
  ofTask: (namespace: string, task: string, { application, component, snapshot }: TaskScope) =>
    historyQuery(
      taskRunType,
      {
        namespace,
        labels: {
          [labels.pipelineTask]: task,
          ...(application && { [labels.application]: application }),
          ...(component && { [labels.component]: component }),
          ...(snapshot && { [labels.snapshot]: snapshot }),
        },
      },
      { mask: listedFields, newestBy: newestStart },
    ),
  get: (namespace: string, name: string) =>
    getQuery(taskRunType, { namespace, name }, { live: true, whenMissing: archivedObject }),
}
