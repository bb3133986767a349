import type { PipelineRun } from './pipeline-run'
import { hasTimedOut, ignoredFailureOf, pipelineRunStatus, taskRunStatus } from './run-status'
import { exitCodeOf, exitReasonOf, failedStepOf, startFailureOf } from './run-steps'
import { testOutputOf } from './task-results'
import { containerOf, type StepState, taskNameIn, type TaskRun } from './task-run'
import { succeededCondition } from './tekton'

/** Why a run failed, as far as that is known without its logs. */
export interface RunFailure {
  /** Name of the task in the pipeline; absent if the run itself failed. */
  task?: string
  /** Name of its task run. */
  taskRun?: string
  step?: string
  exitCode?: number
  /** The kubelet's reason if it is more specific than an error, such as `OOMKilled`. */
  exitReason?: string
  /** Container of the pod with the log of the step. */
  container?: string
  /** The task did not end in time. */
  hasTimedOut?: true
  /** None of its steps could start, so it has no log. */
  hasNotStarted?: true
  /** Names of the tasks that were running when the time of the run was over; absent if there are none. */
  timedOut?: string[]
  /** What a failed test or policy verification reports: `2 failures, 1 warning. The policy is not met.` */
  report?: string
  message: string
}

const unknownFailure = 'Unknown failure condition'

/** For these reasons no task is to blame, although some may have failed when they were cancelled. */
const reasonsOfTheRun = new Set(['StoppedRunFinally', 'CancelledRunFinally', 'PipelineRunTimeout'])

/**
 * The failure of a failed or cancelled run; `undefined` for any other run. Specification 2, section 4.
 * @param taskRuns task runs of the run, in any order
 */
export function failureOf(run: PipelineRun, taskRuns: readonly TaskRun[]): RunFailure | undefined {
  const condition = succeededCondition(run)
  if (reasonsOfTheRun.has(condition?.reason ?? '')) {
    // A task with a matrix has several runs.
    const timedOut = [...new Set(taskRuns.filter(hasTimedOut).map((taskRun) => taskNameIn(run, taskRun)))]
    return { ...(timedOut.length > 0 && { timedOut }), message: condition?.message || unknownFailure }
  }
  if (pipelineRunStatus(run) !== 'Failed') return undefined
  const [first] = taskRuns.filter(isToBlame).sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1))
  return first ? taskFailure(first, taskNameIn(run, first)) : { message: condition?.message || unknownFailure }
}

/** A task whose pod could not be created has the status Pending although it has ended. Some failures do not fail the run. */
function isToBlame(run: TaskRun): boolean {
  if (ignoredFailureOf(run)) return false
  const word = taskRunStatus(run)
  return word === 'Failed' || hasTimedOut(run)
}

function taskFailure(run: TaskRun, task: string): RunFailure {
  const step = failedStepOf(run)
  return {
    task,
    taskRun: run.metadata.name ?? '',
    ...(step && { step: step.name, container: containerOf(step) }),
    ...(hasTimedOut(run) ? { hasTimedOut: true } : exitOf(step)),
    ...(startFailureOf(run) !== undefined && { hasNotStarted: true }),
    ...reportOf(run),
    message: succeededCondition(run)?.message || unknownFailure,
  }
}

/** A task may fail because of what it has found: then its report says why, and its last step only that it exited. */
function reportOf(run: TaskRun): Pick<RunFailure, 'report'> {
  const output = testOutputOf(run)
  if (output?.result !== 'FAILURE' && output?.result !== 'ERROR') return {}
  const { failures, warnings, note } = output
  const counts = [countText(failures, 'failure'), countText(warnings, 'warning')].filter(Boolean).join(', ')
  const report = [counts && `${counts}.`, note].filter(Boolean).join(' ')
  return report ? { report } : {}
}

const countText = (count: number, noun: string): string =>
  count > 0 ? `${count} ${noun}${count === 1 ? '' : 's'}` : ''

function exitOf(step: StepState | undefined): Pick<RunFailure, 'exitCode' | 'exitReason'> {
  const exitCode = step && exitCodeOf(step)
  if (!step || exitCode === undefined) return {}
  const exitReason = exitReasonOf(step)
  return { exitCode, ...(exitReason && { exitReason }) }
}

/** Runs without an end sort last. */
const endOf = ({ status }: TaskRun): string => status?.completionTime ?? '~'

/** The message of a failed task; `undefined` for any other task. */
export const taskFailureText = (run: TaskRun): string | undefined =>
  taskRunStatus(run) === 'Failed'
    ? `Failure - check logs for details. ${succeededCondition(run)?.message || unknownFailure}`
    : undefined
