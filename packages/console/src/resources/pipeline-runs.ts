import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { historyQuery, type HistorySelection } from '../api/archive/history'
import { firstPageQuery, getQuery, listQuery } from '../api/queries'
import { runFields } from './listed-fields'
import { newestStart } from './run-order'

export const pipelineRuns = {
  /** The runs in the cluster; the history has the others too. */
  list: (namespace: string, labels?: Record<string, string>) =>
    listQuery(pipelineRunType, { namespace, labels, mask: runFields }, { isGradual: true }),
  /** A limited number of them, for a search that must not read them all. */
  some: (namespace: string, labels: Record<string, string> | undefined, limit: number) =>
    firstPageQuery(pipelineRunType, { namespace, labels, mask: runFields }, limit),
  history: (selection: HistorySelection) =>
    historyQuery(pipelineRunType, selection, { mask: runFields, newestBy: newestStart }),
  get: (namespace: string, name: string) =>
    getQuery(pipelineRunType, { namespace, name }, { live: true, orArchive: true }),
}
