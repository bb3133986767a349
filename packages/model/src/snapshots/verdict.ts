import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus, type RunStatusWord } from '../runs/run-status'
import { reportedResultOf, type ReportedResult, testFindings, worstResult } from '../runs/task-results'

/**
 * What a run comes to. Its status says only whether its tasks have run, as the specification has it; pages show the
 * verdict after the status wherever the two differ.
 */

/** Whether a run is one of an integration test. */
const isTest = ({ metadata }: PipelineRun): boolean => Boolean(metadata.labels?.[labels.scenario])

/**
 * A run succeeds although the tests in it have failed. Its own result is often that of its last task, so the worst of it
 * and of those of its tasks counts. Warnings count only in an integration test: most builds have some. So do reports that
 * are not valid, with which the integration service fails a test.
 * @param ofTasks the worst result of its tasks, if they have been read
 */
export function runVerdict(
  run: PipelineRun,
  status: RunStatusWord = pipelineRunStatus(run),
  ofTasks?: ReportedResult | null,
): RunStatusWord {
  if (status !== 'Succeeded') return status
  const result = worstResult([reportedResultOf(run), ofTasks])
  if (result === 'INVALID') return isTest(run) ? 'Test Failures' : status
  const finding = result && testFindings[result]
  return finding && (finding === 'Test Failures' || isTest(run)) ? finding : status
}

/** Whether the verdict about a run depends on the results of its tasks: unless nothing can be worse than its own result. */
export const dependsOnTasks = (run: PipelineRun, status: RunStatusWord): boolean =>
  status === 'Succeeded' && runVerdict(run, status) !== 'Test Failures'

/** Whether a test with this verdict about its run counts as passed. */
export const hasPassed = (verdict: RunStatusWord): boolean => passing.has(verdict)

const passing = new Set<RunStatusWord>(['Succeeded', 'Test Warnings', 'Skipped'])

/** The result of a run's tests. One that did not succeed has no good result, even if the tests before its end passed. */
export const concludedResult = (result: ReportedResult, status: RunStatusWord): ReportedResult | undefined =>
  status === 'Succeeded' || (result !== 'SUCCESS' && result !== 'SKIPPED') ? result : undefined
