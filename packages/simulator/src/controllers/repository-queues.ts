import { namespaceOf, nameOf } from '@slipway/kube/object'
import { repositoryType, type Repository } from '@slipway/model/builds/repository'
import { labels } from '@slipway/model/labels'
import { pacQueueNameOf, pacQueueOf } from '@slipway/model/runs/pac-queue'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { cachedIndex } from '../cached-index'
import { defineController, on } from '../controller'
import { startedRun } from '../git-host/build-run'

const keyOf = (namespace: string | undefined, repository: string) => `${namespace ?? ''} ${repository}`

const openRuns = cachedIndex(pipelineRunType, (run) => {
  const repository = run.metadata.labels?.[labels.repository]
  return repository && !isFinished(run) ? keyOf(namespaceOf(run), repository) : undefined
})

/** Pipelines as Code: starts the held runs of a repository, one after the other, up to its limit. */
export const repositoryQueues = defineController<Repository>({
  name: 'repository-queues',
  type: repositoryType,
  wakes: [
    on(pipelineRunType, (run) => {
      const name = run.metadata.labels?.[labels.repository]
      return name ? [{ namespace: namespaceOf(run), name }] : []
    }),
  ],
  writes: [[pipelineRunType, 'update']],
  async reconcile(repository, context) {
    const limit = repository.spec.concurrency_limit ?? Infinity
    const runs = openRuns(context, keyOf(namespaceOf(repository), nameOf(repository)))
    const isNext = (run: PipelineRun): boolean => {
      if (pacQueueNameOf(run) === undefined || run.metadata.deletionTimestamp) return false
      const { running, before } = pacQueueOf(run, runs)
      return before === 0 && running < limit
    }
    // Its start is a change that triggers the next reconcile, if more than one may start.
    const next = runs.find(isNext)
    if (next) await context.client.replace(pipelineRunType, startedRun(next))
  },
})
