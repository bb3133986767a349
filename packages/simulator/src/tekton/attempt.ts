import type { TaskRun } from '@slipway/model/runs/task-run'

/** A TaskRun that may be retried is as many tries, one after the other: which one this is. */
export const attemptsBefore = (taskRun: TaskRun): number => taskRun.status?.retriesStatus?.length ?? 0

/** When this try began: retries begin where the try before ended. */
export function startMsOf({ metadata, status }: TaskRun): number {
  const lastTry = status?.retriesStatus?.at(-1)
  return Date.parse(status?.startTime ?? lastTry?.completionTime ?? metadata.creationTimestamp ?? '')
}

/** Every try has a pod of its own. */
export function podNameOf(taskRun: TaskRun): string {
  const tries = attemptsBefore(taskRun)
  return `${taskRun.metadata.name ?? ''}-pod${tries > 0 ? `-retry${tries}` : ''}`
}
