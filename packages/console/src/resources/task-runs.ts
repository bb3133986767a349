import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/runs/task-run'
import { historyQuery } from '../api/history'
import { getQuery, listQuery } from '../api/queries'
import { taskRunFields } from './listed-fields'

export const taskRuns = {
  /** Those that the cluster has; the others are in the history. */
  list: (namespace: string, filterValues?: Record<string, string>) =>
    listQuery(taskRunType, { namespace, labels: filterValues, mask: taskRunFields }),
  historyOf: (namespace: string, pipelineRun: string) =>
    historyQuery(taskRunType, { namespace, labels: { [labels.pipelineRun]: pipelineRun } }, { mask: taskRunFields }),
  get: (namespace: string, name: string) => getQuery(taskRunType, { namespace, name }, { live: true, orArchive: true }),
}
