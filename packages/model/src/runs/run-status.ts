import { specOf } from '@slipway/kube/object'
import type { PipelineRun } from './pipeline-run'
import { testFindingOf } from './task-results'
import type { TaskRun } from './task-run'
import { isFinished, startOf, succeededCondition, type Run } from './tekton'

/** Every word that the status of a run, a task, a step or a build may have on the screen. */
export const runStatuses = [
  'Succeeded',
  'Failed',
  'Running',
  'In Progress',
  'FailedToStart',
  'PipelineNotStarted',
  'Starting',
  'PR needs merge',
  'Skipped',
  'Cancelled',
  'Cancelling',
  'Test Failures',
  'Test Warnings',
  'Pending',
  'Idle',
  'Unknown',
] as const
export type RunStatusWord = (typeof runStatuses)[number]

/** Reasons that say more than the condition's True, False or Unknown. Source: tektoncd/pipeline, pkg/apis/pipeline/v1. */
const reasonStatuses: Partial<Record<string, RunStatusWord>> = {
  StoppedRunFinally: 'Cancelled',
  CancelledRunFinally: 'Cancelled',
  Cancelled: 'Cancelled',
  TaskRunCancelled: 'Cancelled',
  PipelineRunStopping: 'Failed',
  TaskRunStopping: 'Failed',
  ExceededNodeResources: 'Pending',
  ExceededResourceQuota: 'Pending',
  CreateContainerConfigError: 'Pending',
  PipelineRunPending: 'Pending',
  ConditionCheckFailed: 'Skipped',
}

const endings = new Set(['Cancelled', 'CancelledRunFinally', 'StoppedRunFinally', 'TaskRunCancelled'])

/** Status of a run of a pipeline: no result of a task changes it. Specification 2, section 4. */
export const pipelineRunStatus = (run: PipelineRun): RunStatusWord => statusOf(run, specOf(run).status)

/** Status of a run of a task; one that succeeded is judged by what it has found. Specification 2, section 4. */
export function taskRunStatus(run: TaskRun): RunStatusWord {
  const status = statusOf(run, specOf(run).status)
  return (status === 'Succeeded' && testFindingOf(run)) || status
}

/** @param asked what `spec.status` asks of the run */
function statusOf(run: Run, asked: string | undefined): RunStatusWord {
  const condition = succeededCondition(run)
  const byReason = Object.hasOwn(reasonStatuses, condition?.reason ?? '')
    ? reasonStatuses[condition?.reason ?? '']
    : undefined
  // What has ended has its condition; whoever asked for an end may have been too late.
  if (asked && endings.has(asked) && !isFinished(run) && byReason !== 'Cancelled') return 'Cancelling'
  if (!condition) return 'Pending'
  if (byReason) return byReason
  if (condition.status === 'True') return 'Succeeded'
  if (condition.status === 'False') return 'Failed'
  return 'Running'
}

/** How a build is called in one word, beside the component that it is of. */
export type BuildLabel = 'completed' | 'failed' | 'running' | 'not started' | 'unknown'

const buildLabels: Partial<Record<RunStatusWord, BuildLabel>> = {
  Succeeded: 'completed',
  'Test Warnings': 'completed',
  Skipped: 'completed',
  Cancelled: 'completed',
  Failed: 'failed',
  FailedToStart: 'failed',
  'Test Failures': 'failed',
  'In Progress': 'running',
  Pending: 'running',
  Running: 'running',
  Idle: 'running',
  Cancelling: 'running',
  PipelineNotStarted: 'not started',
}
export const buildLabel = (status: RunStatusWord): BuildLabel => buildLabels[status] ?? 'unknown'

/** The time that is shown beside the status of a build; `undefined` for one that has not begun. */
export function buildTime(run: Run, status: RunStatusWord): string | undefined {
  if (status === 'PipelineNotStarted') return undefined
  const isOver = (['Succeeded', 'Test Warnings', 'Cancelled', 'Failed'] as RunStatusWord[]).includes(status)
  return isOver ? run.status?.completionTime : run.status?.startTime
}

/** How the status of a run is told. Whoever knows more of runs than they say of themselves tells it otherwise. */
export type RunStatusOf = (run: PipelineRun) => RunStatusWord

/** The same of a run of a task. */
export type TaskRunStatusOf = (run: TaskRun) => RunStatusWord

/**
 * Status of a commit: that of its newest run; `undefined` for a commit without any. A run that waits is newer than those
 * that have started before it was made.
 */
export function commitStatus(
  runs: readonly PipelineRun[],
  statusOf: RunStatusOf = pipelineRunStatus,
): RunStatusWord | undefined {
  const newest = runs.reduce<PipelineRun | undefined>(
    (found, run) => (found && startOf(found) >= startOf(run) ? found : run),
    undefined,
  )
  return newest && statusOf(newest)
}
