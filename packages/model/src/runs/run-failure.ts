import { labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { pipelineRunStatus, taskRunStatus } from './run-status'
import { failedStepOf } from './run-steps'
import type { TaskRun } from './task-run'
import { succeededCondition } from './tekton'

/** Why a run has failed, as far as it can be told without its logs. */
export interface RunFailure {
  /** Name of the task in the pipeline; absent where the failure is of the run as a whole. */
  task?: string
  /** Name of its task run. */
  taskRun?: string
  step?: string
  exitCode?: number
  /** What the kubelet says of the end, where that is more than an error, such as `OOMKilled`. */
  exitReason?: string
  /** Of the pod, where the log of the step is. */
  container?: string
  message: string
}

const unknownFailure = 'Unknown failure condition'

/** Here no task is to blame, though some may have failed when they were ended. */
const reasonsOfTheRun = new Set(['StoppedRunFinally', 'CancelledRunFinally', 'PipelineRunTimeout'])

/**
 * Of a run that has failed or was cancelled; `undefined` for every other one. Specification 2, section 4.
 * @param taskRuns of the run, in any order
 */
export function failureOf(run: PipelineRun, taskRuns: readonly TaskRun[]): RunFailure | undefined {
  const condition = succeededCondition(run)
  if (reasonsOfTheRun.has(condition?.reason ?? '')) return { message: condition?.message || unknownFailure }
  if (pipelineRunStatus(run) !== 'Failed') return undefined
  const [first] = taskRuns.filter(isToBlame).sort((a, b) => (endOf(a) < endOf(b) ? -1 : 1))
  return first ? taskFailure(first) : { message: condition?.message || unknownFailure }
}

/** A task whose pod could not be made is called Pending, though it is over; a failure may be none of the run's. */
function isToBlame(run: TaskRun): boolean {
  const { status, reason } = succeededCondition(run) ?? {}
  if (reason === 'FailureIgnored') return false
  const word = taskRunStatus(run)
  return word === 'Failed' || (word === 'Pending' && status === 'False')
}

function taskFailure(run: TaskRun): RunFailure {
  const step = failedStepOf(run)
  const { exitCode, reason } = step?.terminated ?? {}
  return {
    task: run.metadata.labels?.[labels.pipelineTask] ?? run.metadata.name ?? '',
    taskRun: run.metadata.name ?? '',
    ...(step && { step: step.name, container: step.container ?? `step-${step.name}` }),
    ...(exitCode !== undefined && { exitCode }),
    ...(reason && reason !== 'Error' && { exitReason: reason }),
    message: succeededCondition(run)?.message || unknownFailure,
  }
}

/** Without an end the last of all. */
const endOf = ({ status }: TaskRun): string => status?.completionTime ?? '~'

/** The message of a task that has failed; `undefined` for every other one. */
export const taskFailureText = (run: TaskRun): string | undefined =>
  taskRunStatus(run) === 'Failed'
    ? `Failure - check logs for details. ${succeededCondition(run)?.message || unknownFailure}`
    : undefined
