import { isFinished } from '@slipway/model/tekton'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/pipeline-run'
import { totalVulnerabilities, type Vulnerabilities } from '@slipway/model/task-results'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { queryOptions } from '@tanstack/react-query'
import { archiveStaleMs } from '../api/archive'
import { inBatches } from '../api/batches'
import { scanTaskRuns } from '../api/scan-task-runs'

const batchSize = 30

/** One for each namespace: rows that are drawn together are asked for together. */
const loaders = new Map<string, (pipelineRun: string) => Promise<Vulnerabilities | undefined>>()

function loaderOf(namespace: string) {
  const known = loaders.get(namespace)
  if (known) return known
  const loader = inBatches(batchSize, async (names: string[]) => {
    const taskRuns = await scanTaskRuns(namespace, names)
    return names.map((name) =>
      totalVulnerabilities(taskRuns.filter(({ metadata }) => metadata.labels?.[labels.pipelineRun] === name)),
    )
  })
  loaders.set(namespace, loader)
  return loader
}

export const scanResults = {
  /** What the scans of a run have found; `null` for one without scans. A run that goes on is not asked for. */
  of: (run: PipelineRun) =>
    queryOptions({
      queryKey: ['scan-results', namespaceOf(run) ?? '', nameOf(run)],
      queryFn: async () => (await loaderOf(namespaceOf(run) ?? '')(nameOf(run))) ?? null,
      enabled: isFinished(run),
      // What a run has found does not change any more.
      staleTime: archiveStaleMs,
    }),
}
