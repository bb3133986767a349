import { labels } from '@slipway/model/labels'
import { customRunType } from '@slipway/model/runs/custom-run'
import { listQuery } from '../api/queries'

export const customRuns = {
  /** The custom runs of a pipeline run. The roles of Konflux do not include them. */
  of: (namespace: string, pipelineRun: string) =>
    listQuery(customRunType, { namespace, labels: { [labels.pipelineRun]: pipelineRun } }, { isReviewed: true }),
}
