import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import {
  type ReportedResult,
  totalVulnerabilities,
  type Vulnerabilities,
  worstTestResult,
} from '@slipway/model/runs/task-results'
import { isFinished } from '@slipway/model/runs/tekton'
import { queryOptions } from '@tanstack/react-query'
import { archiveStaleMs } from '../api/archive/archive'
import { inBatches } from '../api/batches'
import { reportingTaskRuns } from './reporting-task-runs'

/** What the tasks of a run have reported; `null` if none of them has. */
export interface RunFindings {
  vulnerabilities: Vulnerabilities | null
  testResult: ReportedResult | null
}

const batchSize = 30
/** While the user scrolls, rows stay in view for less than this. */
const pauseMs = 250

/** One loader for each namespace, so that the requests of rows that are rendered together are batched. */
const loaders = new Map<string, (pipelineRun: string, signal: AbortSignal) => Promise<RunFindings>>()

function loaderOf(namespace: string) {
  const known = loaders.get(namespace)
  if (known) return known
  const load = async (names: string[]) => {
    const taskRuns = await reportingTaskRuns(namespace, names)
    return names.map((name): RunFindings => {
      const own = taskRuns.filter(({ metadata }) => metadata.labels?.[labels.pipelineRun] === name)
      return { vulnerabilities: totalVulnerabilities(own) ?? null, testResult: worstTestResult(own) ?? null }
    })
  }
  const loader = inBatches(batchSize, load, { pauseMs })
  loaders.set(namespace, loader)
  return loader
}

export const scanResults = {
  /** The findings of a run's scans and tests, requested once it has finished. */
  of: (run: PipelineRun) => ({
    ...scanResults.named(namespaceOf(run) ?? '', nameOf(run)),
    enabled: isFinished(run),
  }),
  /** The findings of the scans and tests of a run that is known to have finished. */
  named: (namespace: string, pipelineRun: string) =>
    queryOptions({
      queryKey: ['scan-results', namespace, pipelineRun],
      queryFn: ({ signal }) => loaderOf(namespace)(pipelineRun, signal),
      // The findings of a finished run do not change.
      staleTime: archiveStaleMs,
    }),
}
