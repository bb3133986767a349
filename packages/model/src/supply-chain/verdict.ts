import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus, type RunStatusWord } from '../runs/run-status'
import { testFindings, testOutputOf, type TestResult } from '../runs/task-results'

/**
 * What a run comes to. Its status says only whether its tasks have run, as the specification has it; pages show the
 * verdict after the status wherever the two differ.
 */

/** Whether a run is one of an integration test. */
const isTest = ({ metadata }: PipelineRun): boolean => Boolean(metadata.labels?.[labels.scenario])

/**
 * A run succeeds although the tests in it have failed. Warnings count only in an integration test: most builds have some.
 * @param known the worst result of the tasks of an integration test, if they have been read: few pages read them, so it
 * counts only where the run has no result of its own
 */
export function runVerdict(
  run: PipelineRun,
  status: RunStatusWord = pipelineRunStatus(run),
  known?: TestResult | null,
): RunStatusWord {
  if (status !== 'Succeeded') return status
  const result = testOutputOf(run)?.result ?? (isTest(run) ? known : undefined)
  const finding = result && testFindings[result]
  return finding && (finding === 'Test Failures' || isTest(run)) ? finding : status
}

/** Whether only the tasks of a run say how its tests ended. */
export const isResultInTasks = (run: PipelineRun, status: RunStatusWord): boolean =>
  status === 'Succeeded' && isTest(run) && !testOutputOf(run)

/** The result of a run's tests. One that did not succeed has no good result, even if the tests before its end passed. */
export const concludedResult = (result: TestResult, status: RunStatusWord): TestResult | undefined =>
  status === 'Succeeded' || (result !== 'SUCCESS' && result !== 'SKIPPED') ? result : undefined
