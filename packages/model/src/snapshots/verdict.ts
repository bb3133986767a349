import { specOf } from '@slipway/kube/object'
import { newestBy } from '../grouping'
import { labels } from '../labels'
import { type Release, releaseVerdict } from '../releases/release'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus, type RunStatusOf, type RunStatusWord } from '../runs/run-status'
import { testFindings, testOutputOf, type TestResult, worstResult } from '../runs/task-results'
import { startKey } from '../runs/tekton'
import { isForPullRequest } from '../git/git-facts'

/**
 * What a run comes to. Its status says only whether its tasks have run, as the specification has it; pages show the
 * verdict after the status wherever the two differ.
 */

/** Whether a run is one of an integration test. */
const isTest = ({ metadata }: PipelineRun): boolean => Boolean(metadata.labels?.[labels.scenario])

/**
 * A run succeeds although the tests in it have failed. Its own result is often that of its last task, so the worst of it
 * and of those of its tasks counts. Warnings count only in an integration test: most builds have some.
 * @param ofTasks the worst result of its tasks, if they have been read
 */
export function runVerdict(
  run: PipelineRun,
  status: RunStatusWord = pipelineRunStatus(run),
  ofTasks?: TestResult | null,
): RunStatusWord {
  if (status !== 'Succeeded') return status
  const result = worstResult([testOutputOf(run)?.result, ofTasks])
  const finding = result && testFindings[result]
  return finding && (finding === 'Test Failures' || isTest(run)) ? finding : status
}

/** Whether the verdict about a run depends on the results of its tasks: unless nothing can be worse than its own result. */
export const dependsOnTasks = (run: PipelineRun, status: RunStatusWord): boolean =>
  status === 'Succeeded' && runVerdict(run, status) !== 'Test Failures'

/** The result of a run's tests. One that did not succeed has no good result, even if the tests before its end passed. */
export const concludedResult = (result: TestResult, status: RunStatusWord): TestResult | undefined =>
  status === 'Succeeded' || (result !== 'SUCCESS' && result !== 'SKIPPED') ? result : undefined

/** What decides about a commit, the worst first; a warning of a test does not stop anything. */
const concerns: readonly RunStatusWord[] = ['Failed', 'FailedToStart', 'Test Failures', 'Test Warnings']

export interface CommitVerdict {
  verdict: RunStatusWord
  /** The verdict in words that say what it is about: `Build Failed`, `Test Failures`. */
  text: string
}

/**
 * What a commit comes to: the worst of its newest builds, required tests, release pipelines and releases; its status,
 * which is that of its newest run, if none of them is a concern.
 * @param runs of the commit, in any order
 * @param status that of the commit
 * @param verdictOf computes the verdict about a run
 * @param releases of the commit's snapshots, in any order. Their pipelines mostly run in other namespaces, so that the
 * runs say nothing about them.
 */
export function commitVerdict(
  runs: readonly PipelineRun[],
  status: RunStatusWord,
  verdictOf: RunStatusOf = (run) => runVerdict(run),
  releases: readonly Release[] = [],
): CommitVerdict {
  const decisive = decisiveRuns(runs).map((run): Decisive => ({ stage: stageOf(run), verdict: verdictOf(run) }))
  const newest = newestBy(releases, (release) => specOf(release).releasePlan).values()
  if ([...newest].some((release) => releaseVerdict(release) === 'Failed'))
    decisive.push({ stage: 'Release', verdict: 'Failed' })
  for (const word of concerns) {
    const cause = decisive.find(({ verdict }) => verdict === word)
    if (cause) return { verdict: word, text: endings.has(word) ? `${cause.stage} ${word}` : word }
    if (word === status) break
  }
  return { verdict: status, text: status }
}

/** What decides about a commit: a run or a release. */
interface Decisive {
  stage: Stage
  verdict: RunStatusWord
}

/** Words for how a run ended, which do not say what kind of run it was. */
const endings = new Set<RunStatusWord>(['Failed', 'FailedToStart'])

type Stage = 'Build' | 'Test' | 'Release'

const stageOf = ({ metadata }: PipelineRun): Stage => {
  const own = metadata.labels ?? {}
  return own[labels.scenario] ? 'Test' : own[labels.releaseName] ? 'Release' : 'Build'
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
