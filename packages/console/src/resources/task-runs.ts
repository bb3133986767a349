import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/runs/task-run'
import { historyQuery } from '../api/archive/history'
import { getQuery } from '../api/queries'
import { taskRunFields } from './listed-fields'
import { newestStart } from './run-order'

export const taskRuns = {
  /** All task runs of a run, since a part of them says nothing about the run. */
  historyOf: (namespace: string, pipelineRun: string) =>
    historyQuery(
      taskRunType,
      { namespace, labels: { [labels.pipelineRun]: pipelineRun } },
      { mask: taskRunFields, newestBy: newestStart, all: true },
    ),
  get: (namespace: string, name: string) => getQuery(taskRunType, { namespace, name }, { live: true, orArchive: true }),
}
