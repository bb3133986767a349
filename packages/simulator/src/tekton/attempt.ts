import type { TaskRun } from '@slipway/model/runs/task-run'

/** How many attempts of a TaskRun with retries came before the current one. */
export const attemptsBefore = (taskRun: TaskRun): number => taskRun.status?.retriesStatus?.length ?? 0

/** When the current attempt started: a retry starts when the previous attempt ended. */
export function startMsOf({ metadata, status }: TaskRun): number {
  const lastAttempt = status?.retriesStatus?.at(-1)
  return Date.parse(status?.startTime ?? lastAttempt?.completionTime ?? metadata.creationTimestamp ?? '')
}

/** Every attempt has its own pod. */
export function podNameOf(taskRun: TaskRun): string {
  const attempts = attemptsBefore(taskRun)
  return `${taskRun.metadata.name ?? ''}-pod${attempts > 0 ? `-retry${attempts}` : ''}`
}
