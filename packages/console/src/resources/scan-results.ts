import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import {
  type TestResult,
  totalVulnerabilities,
  type Vulnerabilities,
  worstTestResult,
} from '@slipway/model/runs/task-results'
import { isFinished } from '@slipway/model/runs/tekton'
import { queryOptions } from '@tanstack/react-query'
import { archiveStaleMs } from '../api/archive/archive'
import { inBatches } from '../api/batches'
import { reportingTaskRuns } from './reporting-task-runs'

/** What the tasks of a run have reported; `null` for what none of them has. */
export interface RunFindings {
  vulnerabilities: Vulnerabilities | null
  testResult: TestResult | null
}

const batchSize = 30
/** Rows that a list is scrolled past come and go faster than this. */
const pauseMs = 250

/** One for each namespace: rows that are drawn together are asked for together. */
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
  /** What the scans and tests of a run have found. A run that goes on is not asked for. */
  of: (run: PipelineRun) =>
    queryOptions({
      queryKey: ['scan-results', namespaceOf(run) ?? '', nameOf(run)],
      queryFn: ({ signal }) => loaderOf(namespaceOf(run) ?? '')(nameOf(run), signal),
      enabled: isFinished(run),
      // What a run has found does not change any more.
      staleTime: archiveStaleMs,
    }),
}
