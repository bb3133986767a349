import type { StepState, TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { normalizedTimeout } from './go-duration'

type Status = NonNullable<TaskRun['status']>

/**
 * The status of a TaskRun that was ended from outside: its steps are terminated, and it has no results. Source:
 * tektoncd/pipeline, failTaskRun.
 */
export function stoppedStatus(
  { metadata }: TaskRun,
  status: TaskRun['status'],
  { reason, message }: { reason: string; message: string },
  finishedAt: string,
): Status {
  const steps = status?.steps?.map(({ running, waiting, ...step }): StepState => {
    if (step.terminated || (!running && !waiting)) return step
    // The schema of Tekton requires a start, which a waiting step does not have.
    const startedAt = running?.startedAt ?? metadata.creationTimestamp
    const message = `Step ${step.name} terminated as pod ${status.podName ?? ''} is terminated`
    return {
      ...step,
      terminated: { exitCode: 1, reason, message, ...(startedAt && { startedAt }), finishedAt },
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

/** The status of a cancelled TaskRun. */
export function cancelledStatus(taskRun: TaskRun, status: TaskRun['status'], finishedAt: string): Status {
  const { metadata, spec } = taskRun
  const message = `TaskRun "${metadata.name ?? ''}" was cancelled. ${spec.statusMessage ?? ''}`
  return stoppedStatus(taskRun, status, { reason: 'TaskRunCancelled', message }, finishedAt)
}

/** The status of a TaskRun that timed out. */
export function timedOutStatus(taskRun: TaskRun, status: TaskRun['status'], finishedAt: string): Status {
  const { metadata, spec } = taskRun
  const limit = normalizedTimeout(spec.timeout ?? '1h0m0s')
  const message = `TaskRun "${metadata.name ?? ''}" failed to finish within "${limit}"`
  return stoppedStatus(taskRun, status, { reason: 'TaskRunTimeout', message }, finishedAt)
}

/** Whether it has failed and has retries left. A cancelled TaskRun is not retried. */
export function mayRetry(taskRun: TaskRun, status: Status): boolean {
  const condition = succeededCondition({ ...taskRun, status })
  if (condition?.status !== 'False' || taskRun.spec.status) return false
  return (status.retriesStatus?.length ?? 0) < (taskRun.spec.retries ?? 0)
}

/** The status of a TaskRun that waits for its next attempt; the last one is in `retriesStatus`. */
export function retriedStatus({ retriesStatus = [], ...failed }: Status, at: string): Status {
  const message = failed.conditions?.find(({ type }) => type === 'Succeeded')?.message ?? ''
  return {
    ...(failed.taskSpec && { taskSpec: failed.taskSpec }),
    retriesStatus: [...retriesStatus, failed],
    conditions: [{ type: 'Succeeded', status: 'Unknown', reason: 'ToBeRetried', message, lastTransitionTime: at }],
  }
}
