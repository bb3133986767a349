import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus, type RunStatusOf, type RunStatusWord } from '../runs/run-status'
import { testFindings, testOutputOf, type TestResult } from '../runs/task-results'
import { startKey } from '../runs/tekton'
import { isForPullRequest } from '../git/git-facts'

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

/** What decides about a commit, the worst first; a warning of a test does not stop anything. */
const concerns: readonly RunStatusWord[] = ['Failed', 'FailedToStart', 'Test Failures', 'Test Warnings']

/**
 * What a commit comes to: the worst of its newest builds, required tests and release pipelines; its status, which is
 * that of its newest run, if none of them is a concern.
 * @param runs of the commit, in any order
 * @param status that of the commit
 * @param verdictOf computes the verdict about a run
 */
export function commitVerdict(
  runs: readonly PipelineRun[],
  status: RunStatusWord,
  verdictOf: RunStatusOf = (run) => runVerdict(run),
): RunStatusWord {
  const verdicts = new Set([status, ...decisiveRuns(runs).map((run) => verdictOf(run))])
  return concerns.find((word) => verdicts.has(word)) ?? status
}

/** The newest run of each build, required test and release pipeline, for pushes and pull requests apart. */
export function decisiveRuns(runs: readonly PipelineRun[]): PipelineRun[] {
  const newest = new Map<string, PipelineRun>()
  for (const run of runs) {
    const own = run.metadata.labels ?? {}
    if (own[labels.optional] === 'true') continue
    const keys = [labels.pipelineType, labels.component, labels.scenario, labels.releaseName].map((key) => own[key])
    const key = JSON.stringify([...keys, isForPullRequest(run)])
    const known = newest.get(key)
    if (!known || startKey(run) > startKey(known)) newest.set(key, run)
  }
  return [...newest.values()]
}
