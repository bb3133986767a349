import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/runs/task-run'
import { historyQuery } from '../api/archive/history'
import { getQuery, listQuery } from '../api/queries'
import { taskRunFields } from './listed-fields'
import { newestStart } from './run-order'

export const taskRuns = {
  /** Those that the cluster has; the others are in the history. */
  list: (namespace: string, filterValues?: Record<string, string>) =>
    listQuery(taskRunType, { namespace, labels: filterValues, mask: taskRunFields }),
  /** Nothing can be said of a run by a part of its tasks, so all of them are read. */
  historyOf: (namespace: string, pipelineRun: string) =>
    historyQuery(
      taskRunType,
      { namespace, labels: { [labels.pipelineRun]: pipelineRun } },
      { mask: taskRunFields, newestBy: newestStart, all: true },
    ),
  get: (namespace: string, name: string) => getQuery(taskRunType, { namespace, name }, { live: true, orArchive: true }),
}
