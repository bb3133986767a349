import { uidOf } from '@slipway/kube/object'
import { branchOf, isForPullRequest, pullRequestOf } from '../git/git-facts'
import { labels } from '../labels'
import { lastFirstBy } from '../newest'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus } from '../runs/run-status'
import { startOf } from '../runs/tekton'

/** The other runs that do the same as a run: of its component, version, branch, type and test. Newest first. */
export function comparableRuns(run: PipelineRun, runs: readonly PipelineRun[]): PipelineRun[] {
  const purpose = purposeOf(run)
  if (purpose === undefined) return []
  return runs.filter((each) => uidOf(each) !== uidOf(run) && purposeOf(each) === purpose).sort(lastFirstBy(startOf))
}

/**
 * The last run before this one that did the same and succeeded. A run of the same pull request comes before one of another,
 * which has other commits.
 */
export function lastGreenOf(run: PipelineRun, runs: readonly PipelineRun[]): PipelineRun | undefined {
  const green = comparableRuns(run, runs).filter(
    (each) => pipelineRunStatus(each) === 'Succeeded' && startOf(each) < startOf(run),
  )
  const pullRequest = pullRequestOf(run)?.number
  return green.find((each) => pullRequestOf(each)?.number === pullRequest) ?? green[0]
}

/** Whether there may be other runs that do the same. */
export const isComparable = (run: PipelineRun): boolean => purposeOf(run) !== undefined

/** Equal for runs that do the same; `undefined` for a run that neither builds nor tests anything, such as that of a release. */
export function purposeOf(run: PipelineRun): string | undefined {
  const {
    [labels.application]: application,
    [labels.component]: component,
    [labels.version]: version,
    [labels.pipelineType]: type,
    [labels.scenario]: scenario,
  } = run.metadata.labels ?? {}
  if (type !== 'build' && type !== 'test') return undefined
  return JSON.stringify([application, component, version, type, scenario, branchOf(run), isForPullRequest(run)])
}
