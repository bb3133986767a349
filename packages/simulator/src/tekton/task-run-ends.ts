import type { StepState } from '@slipway/model/runs/task-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'

type Status = NonNullable<TaskRun['status']>

/**
 * A TaskRun that is ended from outside: what it was doing is ended with it, and results that were not written yet
 * never will be. Source: tektoncd/pipeline, failTaskRun.
 */
export function stoppedStatus(status: TaskRun['status'], reason: string, message: string, finishedAt: string): Status {
  const steps = status?.steps?.map(({ running, waiting, ...step }): StepState => {
    if (step.terminated || (!running && !waiting)) return step
    const startedAt = running?.startedAt
    return {
      ...step,
      terminated: { exitCode: 1, reason, ...(startedAt && { startedAt }), finishedAt },
      terminationReason: reason,
    }
  })
  return {
    ...status,
    ...(steps && { steps }),
    completionTime: finishedAt,
    conditions: [{ type: 'Succeeded', status: 'False', reason, message, lastTransitionTime: finishedAt }],
  }
}

/** It was told to stop. */
export const cancelledStatus = ({ metadata, spec }: TaskRun, status: TaskRun['status'], finishedAt: string): Status =>
  stoppedStatus(
    status,
    'TaskRunCancelled',
    `TaskRun "${metadata.name ?? ''}" was cancelled. ${spec.statusMessage ?? ''}`,
    finishedAt,
  )

/** Its time was up. */
export const timedOutStatus = ({ metadata, spec }: TaskRun, status: TaskRun['status'], finishedAt: string): Status =>
  stoppedStatus(
    status,
    'TaskRunTimeout',
    `TaskRun "${metadata.name ?? ''}" failed to finish within "${spec.timeout ?? '1h0m0s'}"`,
    finishedAt,
  )

/** Has it failed in a way that is tried again, and tries left? What was cancelled is not. */
export function mayRetry(taskRun: TaskRun, status: Status): boolean {
  const condition = succeededCondition({ ...taskRun, status })
  if (condition?.status !== 'False' || taskRun.spec.status) return false
  return (status.retriesStatus?.length ?? 0) < (taskRun.spec.retries ?? 0)
}

/** Waiting for its next try, what became of the last one kept. */
export function retriedStatus({ retriesStatus = [], ...failed }: Status, at: string): Status {
  const message = failed.conditions?.find(({ type }) => type === 'Succeeded')?.message ?? ''
  return {
    ...(failed.taskSpec && { taskSpec: failed.taskSpec }),
    retriesStatus: [...retriesStatus, failed],
    conditions: [{ type: 'Succeeded', status: 'Unknown', reason: 'ToBeRetried', message, lastTransitionTime: at }],
  }
}
