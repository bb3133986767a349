import { specOf } from '@slipway/kube/object'
import { firstOf, lastFirstBy } from '../newest'
import type { PipelineRun } from './pipeline-run'
import { testFindingOf } from './task-results'
import type { TaskRun } from './task-run'
import { isFinished, startOf, succeededCondition, type Run } from './tekton'

/** All display statuses of a run, a task, a step or a build. */
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

/** Reasons more specific than the condition's True, False or Unknown. Source: tektoncd/pipeline, pkg/apis/pipeline/v1. */
const reasonStatuses: Partial<Record<string, RunStatusWord>> = {
  StoppedRunFinally: 'Cancelled',
  CancelledRunFinally: 'Cancelled',
  Cancelled: 'Cancelled',
  TaskRunCancelled: 'Cancelled',
  CustomRunCancelled: 'Cancelled',
  PipelineRunStopping: 'Failed',
  TaskRunStopping: 'Failed',
  ExceededNodeResources: 'Pending',
  ExceededResourceQuota: 'Pending',
  CreateContainerConfigError: 'Pending',
  PipelineRunPending: 'Pending',
  // Of a task whose pod is pending: none of its steps has begun (pkg/pod/status.go).
  Pending: 'Pending',
  PullImageFailed: 'Pending',
  ConditionCheckFailed: 'Skipped',
}

const endings = new Set(['Cancelled', 'CancelledRunFinally', 'StoppedRunFinally', 'TaskRunCancelled'])

/** Status of a pipeline run, which task results do not affect. Specification 2, section 4. */
export const pipelineRunStatus = (run: PipelineRun): RunStatusWord => statusOf(run, specOf(run).status)

/** Status of a task run; the status of a successful one depends on its findings. Specification 2, section 4. */
export function taskRunStatus(run: TaskRun): RunStatusWord {
  const status = statusOf(run, specOf(run).status)
  return (status === 'Succeeded' && testFindingOf(run)) || status
}

/**
 * Whether a task run has ended because its own time or that of its run was over. In the latter case Tekton cancels it,
 * so its status is Cancelled. Source: tektoncd/pipeline, TaskRunCancelledByPipelineTimeoutMsg.
 */
export function hasTimedOut(run: TaskRun): boolean {
  const { reason, message = '' } = succeededCondition(run) ?? {}
  return reason === 'TaskRunTimeout' || (reason === 'TaskRunCancelled' && message.includes('has timed out'))
}

/** Text next to the status of a task run that timed out, which the status alone does not say. */
export const timedOutText = 'timed out'

/** What a task or a step comes to if its failure did not fail the run or the task that it is part of. */
export type IgnoredFailure = 'Failed, ignored'

/** The verdict about a task whose failure was ignored (`onError: continue` of the pipeline task); else `undefined`. */
export const ignoredFailureOf = (run: TaskRun): IgnoredFailure | undefined =>
  succeededCondition(run)?.reason === 'FailureIgnored' ? 'Failed, ignored' : undefined

/** @param requested the state requested by `spec.status` */
function statusOf(run: Run, requested: string | undefined): RunStatusWord {
  const condition = succeededCondition(run)
  const byReason = Object.hasOwn(reasonStatuses, condition?.reason ?? '')
    ? reasonStatuses[condition?.reason ?? '']
    : undefined
  // A finished run keeps its condition: the request may have come too late.
  if (requested && endings.has(requested) && !isFinished(run) && byReason !== 'Cancelled') return 'Cancelling'
  if (!condition) return 'Pending'
  // A task that waited for its configuration may give up, with the same reason.
  if (byReason && (byReason !== 'Pending' || condition.status === 'Unknown')) return byReason
  if (condition.status === 'True') return 'Succeeded'
  if (condition.status === 'False') return 'Failed'
  return 'Running'
}

/** Short label of a build, shown next to its component. */
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

/** The time shown next to the status of a build; `undefined` for a build that has not started. */
export function buildTime(run: Run, status: RunStatusWord): string | undefined {
  if (status === 'PipelineNotStarted') return undefined
  const isOver = (['Succeeded', 'Test Warnings', 'Cancelled', 'Failed'] as RunStatusWord[]).includes(status)
  return isOver ? run.status?.completionTime : run.status?.startTime
}

/** Computes the status of a run. Callers with additional knowledge about runs may replace it. */
export type RunStatusOf = (run: PipelineRun) => RunStatusWord

/** The equivalent for a task run. */
export type TaskRunStatusOf = (run: TaskRun) => RunStatusWord

/**
 * Status of a commit: that of its newest run; `undefined` without runs. A waiting run is newer than any run that
 * started before it was created.
 */
export function commitStatus(
  runs: readonly PipelineRun[],
  statusOf: RunStatusOf = pipelineRunStatus,
): RunStatusWord | undefined {
  const newest = firstOf(runs, lastFirstBy(startOf))
  return newest && statusOf(newest)
}
