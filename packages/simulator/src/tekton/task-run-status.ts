import type { Pod } from '@slipway/kube/core-types'
import type { TaskRun } from '@slipway/model/task-run'
import { isFinished } from '@slipway/model/tekton'
import { podNameOf, type StepPlan, type TaskPlan } from './plan'

const timestamp = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')

/** When this try began: retries begin where the try before ended. */
export function startMsOf(taskRun: TaskRun): number {
  const lastTry = taskRun.status?.retriesStatus?.at(-1)
  return Date.parse(taskRun.status?.startTime ?? lastTry?.completionTime ?? taskRun.metadata.creationTimestamp ?? '')
}

/** @returns the status now, and when (ms since 1970) it will be another; never again when there is no such time */
export function taskRunStatusAt(
  taskRun: TaskRun,
  plan: TaskPlan,
  nowMs: number,
): { status: TaskRun['status']; nextMs?: number } {
  if (isFinished(taskRun)) return { status: taskRun.status }
  const startMs = startMsOf(taskRun)
  const podMs = startMs + plan.pendingMs
  const endMs = podMs + (plan.steps.at(-1)?.endMs ?? 0)
  const steps = plan.steps.map((step) => ({
    name: step.name,
    container: step.container,
    ...stateAt(step, podMs, nowMs),
  }))
  const condition = (status: 'True' | 'False' | 'Unknown', reason: string, message: string, atMs: number) => [
    { type: 'Succeeded', status, reason, message, lastTransitionTime: timestamp(atMs) },
  ]
  const common = { ...taskRun.status, podName: podNameOf(taskRun), startTime: timestamp(startMs) }
  if (nowMs < podMs) {
    return { status: { ...common, conditions: condition('Unknown', 'Pending', 'Pending', startMs) }, nextMs: podMs }
  }
  if (nowMs < endMs) {
    const changes = plan.steps.flatMap(({ startMs, endMs }) => [podMs + startMs, podMs + endMs])
    return {
      status: {
        ...common,
        conditions: condition('Unknown', 'Running', 'Not all Steps in the Task have finished executing', podMs),
        steps,
      },
      nextMs: Math.min(...changes.filter((atMs) => atMs > nowMs)),
    }
  }
  return {
    status: {
      ...common,
      completionTime: timestamp(endMs),
      conditions: plan.succeeds
        ? condition('True', 'Succeeded', 'All Steps have completed executing', endMs)
        : condition('False', 'Failed', plan.message, endMs),
      steps,
      results: plan.results,
    },
  }
}

const stateAt = ({ startMs, endMs, exitCode, reason }: StepPlan, podMs: number, nowMs: number) =>
  nowMs < podMs + startMs
    ? { waiting: { reason: 'PodInitializing' } }
    : nowMs < podMs + endMs
      ? { running: { startedAt: timestamp(podMs + startMs) } }
      : {
          terminated: {
            exitCode,
            reason,
            startedAt: timestamp(podMs + startMs),
            finishedAt: timestamp(podMs + endMs),
          },
          terminationReason: reason,
        }

/** Of the pod of a TaskRun, at the same time. */
export function podStatusAt(taskRun: TaskRun, plan: TaskPlan, nowMs: number): Pod['status'] {
  const podMs = startMsOf(taskRun) + plan.pendingMs
  const endMs = podMs + (plan.steps.at(-1)?.endMs ?? 0)
  return {
    phase: nowMs < podMs ? 'Pending' : nowMs < endMs ? 'Running' : plan.succeeds ? 'Succeeded' : 'Failed',
    startTime: timestamp(startMsOf(taskRun)),
    containerStatuses: plan.steps.map((step) => ({
      name: step.container,
      image: '',
      imageID: '',
      ready: false,
      restartCount: 0,
      state: stateAt(step, podMs, nowMs),
    })),
  }
}
