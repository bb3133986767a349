import type { ContainerState, ContainerStatus, Pod } from '@slipway/kube/core-types'
import type { Condition } from '@slipway/kube/object'
import type { StepState, TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, type ParamValue, type TaskSpec } from '@slipway/model/runs/tekton'
import { keyedRandom } from '../keyed-random'
import { taskSpecOf } from './catalog'
import type { StepPlan, TaskPlan } from './plan'
import { onErrorAnnotation } from './task-run-for'
import { podNameOf, startMsOf } from './attempt'
import { stoppedStatus } from './task-run-ends'
import { sidecarsOf } from './task-pod'

/** The status of a TaskRun and its pod at a time of their plan. */

export const timestamp = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')

/** A digest that is the same for the same image or container. */
function digestOf(subject: string): string {
  const random = keyedRandom('digest', subject)
  return Array.from({ length: 8 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
}

const imageOf = (spec: TaskSpec, { name }: StepPlan): string =>
  spec.steps?.find((step) => step.name === name)?.image ?? ''

/** The image as container runtimes report it: without a tag, with its digest. */
const imageIdOf = (image: string): string =>
  `${image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')}@sha256:${digestOf(image)}`

const conditions = (status: Condition['status'], reason: string, message: string, atMs: number): Condition[] => [
  { type: 'Succeeded', status, reason, message, lastTransitionTime: timestamp(atMs) },
]

/** Reason of a failed task, which depends on whether its run ignores the failure. */
function failureReasonOf({ metadata }: TaskRun, { steps }: TaskPlan): string {
  if (metadata.annotations?.[onErrorAnnotation] === 'continue') return 'FailureIgnored'
  return steps.some(({ reason }) => reason === 'OOMKilled') ? 'StepOOM' : 'StepFailed'
}

/** @returns the status now, and when it changes next (ms since 1970; absent for never) */
export function taskRunStatusAt(
  taskRun: TaskRun,
  plan: TaskPlan,
  nowMs: number,
): { status: TaskRun['status']; nextMs?: number } {
  if (isFinished(taskRun)) return { status: taskRun.status }
  const startMs = startMsOf(taskRun)
  const podMs = startMs + plan.pendingMs
  const spec = taskSpecOf(taskRun)
  const common: NonNullable<TaskRun['status']> = {
    ...taskRun.status,
    podName: podNameOf(taskRun),
    startTime: timestamp(startMs),
    taskSpec: spec,
  }
  if (plan.neverRuns) return statusWithoutPod(taskRun, common, plan, plan.neverRuns, nowMs)
  if (nowMs < podMs) {
    const message = `pod status "Initialized":"False"; message: "containers with incomplete status: [prepare place-scripts]"`
    return { status: { ...common, conditions: conditions('Unknown', 'Pending', message, startMs) }, nextMs: podMs }
  }
  const steps = plan.steps.map((step) => stepStateAt(taskRun, spec, step, podMs, nowMs))
  const endMs = podMs + (plan.steps.at(-1)?.endMs ?? 0)
  if (nowMs < endMs) {
    const changesMs = plan.steps.flatMap((step) => [podMs + step.startMs, podMs + step.endMs])
    const nextMs = Math.min(...changesMs.filter((atMs) => atMs > nowMs))
    const message = 'Not all Steps in the Task have finished executing'
    return {
      status: {
        ...common,
        conditions: conditions('Unknown', 'Running', message, podMs),
        steps,
        ...sidecarStates(taskRun, spec, podMs),
      },
      ...(nextMs < Infinity && { nextMs }),
    }
  }
  return {
    status: {
      ...common,
      completionTime: timestamp(endMs),
      conditions: plan.succeeds
        ? conditions('True', 'Succeeded', 'All Steps have completed executing', endMs)
        : conditions('False', failureReasonOf(taskRun, plan), plan.message, endMs),
      steps: withReportedResults(steps, plan),
      ...sidecarStates(taskRun, spec, podMs, endMs),
      ...(plan.results.length > 0 && { results: plan.results }),
    },
  }
}

/** The last step reports the results of the task in the message of its container, from which Tekton reads them. */
function withReportedResults(steps: StepState[], { results }: TaskPlan): StepState[] {
  if (results.length === 0) return steps
  const message = JSON.stringify(results.map(({ name, value }) => ({ key: name, value: textOf(value), type: 1 })))
  return steps.map((step, index) =>
    index === steps.length - 1 && step.terminated ? { ...step, terminated: { ...step.terminated, message } } : step,
  )
}

const textOf = (value: ParamValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** @param endMs when Tekton stopped them, which it does when the steps have ended; absent while they run */
function sidecarStates(taskRun: TaskRun, spec: TaskSpec, podMs: number, endMs?: number): { sidecars?: StepState[] } {
  const sidecars = sidecarsOf(spec).map(({ name, container, image }) => ({
    name,
    container,
    imageID: imageIdOf(image),
    ...sidecarStateAt(taskRun, container, podMs, endMs),
  }))
  return sidecars.length > 0 ? { sidecars } : {}
}

function sidecarStateAt(taskRun: TaskRun, container: string, podMs: number, endMs: number | undefined): ContainerState {
  const startedAt = timestamp(podMs)
  if (endMs === undefined) return { running: { startedAt } }
  const containerID = containerIdOf(taskRun, container)
  return { terminated: { exitCode: 0, reason: 'Completed', startedAt, finishedAt: timestamp(endMs), containerID } }
}

function statusWithoutPod(
  taskRun: TaskRun,
  common: NonNullable<TaskRun['status']>,
  { pendingMs, steps }: TaskPlan,
  { reason, message, podReason, waitingMessage, failsAfterMs = Infinity }: NonNullable<TaskPlan['neverRuns']>,
  nowMs: number,
): { status: TaskRun['status']; nextMs?: number } {
  const startMs = startMsOf(taskRun)
  const failsMs = startMs + failsAfterMs
  const waiting = steps.map(({ name, container }) => ({
    name,
    container,
    waiting: { reason: podReason, ...(waitingMessage && { message: waitingMessage }) },
  }))
  if (nowMs >= failsMs) {
    const known = { ...common, steps: waiting }
    // Tekton does not end the steps of a task whose configuration is wrong, and writes no time of its end.
    return reason === 'CreateContainerConfigError'
      ? { status: { ...known, conditions: conditions('False', reason, message, failsMs) } }
      : { status: stoppedStatus(taskRun, known, { reason, message }, timestamp(failsMs)) }
  }
  if (failsAfterMs === Infinity)
    return { status: { ...common, conditions: conditions('Unknown', reason, message, startMs) } }
  const waits = nowMs >= startMs + pendingMs
  return {
    status: {
      ...common,
      conditions: conditions('Unknown', 'Pending', 'Pending', startMs),
      ...(waits && { steps: waiting }),
    },
    nextMs: waits ? failsMs : Math.min(failsMs, startMs + pendingMs),
  }
}

function stepStateAt(taskRun: TaskRun, spec: TaskSpec, step: StepPlan, podMs: number, nowMs: number): StepState {
  const state = containerStateAt(taskRun, step, podMs, nowMs)
  return {
    name: step.name,
    container: step.container,
    ...(!state.waiting && { imageID: imageIdOf(imageOf(spec, step)) }),
    ...state,
    ...(state.terminated && terminationReasonOf(step)),
  }
}

/** Written by the entrypoint of a step, unless it was killed. */
function terminationReasonOf({ isSkipped, isContinued, reason }: StepPlan): { terminationReason?: string } {
  if (reason === 'OOMKilled') return {}
  return { terminationReason: isSkipped ? 'Skipped' : isContinued ? 'Continued' : reason }
}

function containerStateAt(taskRun: TaskRun, step: StepPlan, podMs: number, nowMs: number): ContainerState {
  const { startMs, endMs, exitCode, reason, container } = step
  if (nowMs < podMs + startMs) return { waiting: { reason: 'PodInitializing' } }
  if (nowMs < podMs + endMs) return { running: { startedAt: timestamp(podMs + startMs) } }
  return {
    terminated: {
      exitCode,
      reason,
      startedAt: timestamp(podMs + startMs),
      finishedAt: timestamp(podMs + endMs),
      containerID: containerIdOf(taskRun, container),
    },
  }
}

const containerIdOf = (taskRun: TaskRun, container: string): string =>
  `cri-o://${digestOf(`${taskRun.metadata.namespace ?? ''}/${podNameOf(taskRun)}/${container}`)}`

/** Status of the pod of a TaskRun at the same time. */
export function podStatusAt(taskRun: TaskRun, plan: TaskPlan, nowMs: number): Pod['status'] {
  const startMs = startMsOf(taskRun)
  const podMs = startMs + plan.pendingMs
  const endMs = podMs + (plan.steps.at(-1)?.endMs ?? 0)
  const spec = taskSpecOf(taskRun)
  const { neverRuns } = plan
  const isUnschedulable = neverRuns?.podReason === 'Unschedulable'
  const isPending = neverRuns !== undefined || nowMs < podMs
  const phase = isPending ? 'Pending' : nowMs < endMs ? 'Running' : plan.succeeds ? 'Succeeded' : 'Failed'
  const condition = (type: string, isTrue: boolean, atMs: number, reason?: string, message?: string): Condition => ({
    type,
    status: isTrue ? 'True' : 'False',
    lastTransitionTime: timestamp(atMs),
    ...(reason && !isTrue && { reason }),
    ...(message && !isTrue && { message }),
  })
  if (isUnschedulable) {
    const { message } = neverRuns.event
    return { phase, conditions: [condition('PodScheduled', false, startMs, 'Unschedulable', message)] }
  }
  const isReady = phase === 'Running'
  const notReady = phase === 'Pending' ? 'ContainersNotReady' : phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed'
  const readyMs = isPending ? startMs : isReady ? podMs : endMs
  const isWaiting = neverRuns !== undefined && nowMs >= podMs
  const statusOf = (container: string, image: string, state: ContainerState): ContainerStatus => ({
    name: container,
    image,
    imageID: state.waiting ? '' : imageIdOf(image),
    ...(!state.waiting && { containerID: containerIdOf(taskRun, container) }),
    ready: state.running !== undefined,
    started: state.running !== undefined,
    restartCount: 0,
    state,
  })
  return {
    phase,
    startTime: timestamp(startMs),
    conditions: [
      condition(
        'Initialized',
        !isPending || isWaiting,
        isPending && !isWaiting ? startMs : podMs,
        'ContainersNotInitialized',
      ),
      condition('Ready', isReady, readyMs, notReady),
      condition('ContainersReady', isReady, readyMs, notReady),
      condition('PodScheduled', true, startMs),
    ],
    containerStatuses: [
      ...plan.steps.map((step) => {
        const state: ContainerState = neverRuns
          ? {
              waiting: isWaiting
                ? { reason: neverRuns.podReason, message: neverRuns.waitingMessage ?? neverRuns.event.message }
                : { reason: 'PodInitializing' },
            }
          : withIgnoredError(containerStateAt(taskRun, step, podMs, nowMs), step)
        return statusOf(step.container, imageOf(spec, step), state)
      }),
      ...sidecarsOf(spec).map(({ container, image }) => {
        const state: ContainerState = isPending
          ? { waiting: { reason: 'PodInitializing' } }
          : sidecarStateAt(taskRun, container, podMs, nowMs < endMs ? undefined : endMs)
        return statusOf(container, image, state)
      }),
    ],
  }
}

/** The entrypoint of a step whose error is ignored exits with 0. */
const withIgnoredError = (state: ContainerState, { isContinued }: StepPlan): ContainerState =>
  state.terminated && isContinued ? { terminated: { ...state.terminated, exitCode: 0 } } : state
