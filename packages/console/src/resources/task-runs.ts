import { labels } from '@slipway/model/labels'
import { taskRunType } from '@slipway/model/runs/task-run'
import { historyQuery } from '../api/history'
import { getQuery } from '../api/queries'
import { taskRunFields } from './listed-fields'

export const taskRuns = {
  historyOf: (namespace: string, pipelineRun: string) =>
    historyQuery(taskRunType, { namespace, labels: { [labels.pipelineRun]: pipelineRun } }, { mask: taskRunFields }),
  get: (namespace: string, name: string) => getQuery(taskRunType, { namespace, name }, { live: true, orArchive: true }),
}
