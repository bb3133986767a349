import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { cachedIndex } from '../cached-index'
import { defineController, objectKeyOf, on, type ControllerContext } from '../controller'
import { admittedRun, clusterQuota, inOrder, isQueued, usesQuota } from '../kueue/admission-queue'

const openRuns = cachedIndex(pipelineRunType, (run) =>
  run.metadata.labels?.[labels.queueName] !== undefined && !isFinished(run) ? '' : undefined,
)

const nextRun = (context: Pick<ControllerContext, 'informer'>): PipelineRun | undefined =>
  inOrder(openRuns(context, ''))[0]

/** Kueue: admits the runs that wait in its queue in order, while there is quota. */
export const runAdmission = defineController<PipelineRun>({
  name: 'run-admission',
  type: pipelineRunType,
  filter: isQueued,
  wakes: [
    // What ends, or is admitted, lets the next one be considered.
    on(pipelineRunType, ({ metadata }, context) => {
      const next = metadata.labels?.[labels.queueName] === undefined ? undefined : nextRun(context)
      return next ? [objectKeyOf(next)] : []
    }),
  ],
  writes: [[pipelineRunType, 'update']],
  async reconcile(run, context) {
    const isNext = nextRun(context)?.metadata.uid === run.metadata.uid
    if (!isNext || openRuns(context, '').filter(usesQuota).length >= clusterQuota) return
    await context.client.replace(pipelineRunType, admittedRun(run))
  },
})
