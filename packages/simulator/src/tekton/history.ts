import type { Pod } from '@slipway/kube/core-types'
import type { CustomRun } from '@slipway/model/runs/custom-run'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, succeededCondition, type PipelineSpec } from '@slipway/model/runs/tekton'
import { cancelledStatus, mayRetry, retriedStatus, timedOutStatus } from './task-run-ends'
import { podFor, stoppedPodStatus } from './task-pod'
import { timeoutsOf } from './run-timeouts'
import { hexDigits, type Random } from '../keyed-random'
import { pipelineNameOf, pipelineSpecOf } from './catalog'
import { cancelMessageOf, progressOf, resolvedPipelineSpec, type Progress } from './dag'
import { logLinesOf, type LogLine } from './logs'
import { pipelineError, type DefinitionError } from './pipeline-errors'
import type { ChildRun } from './pipeline-nodes'
import { finallyStartTimeOf, notResolved, resolutionMsOf, statusOfProgress } from './pipeline-run-status'
import type { World } from './facts'
import { planOf, type TaskPlan } from './plan'
import { customRunFor, isCustomTask, taskRunFor } from './task-run-for'
import { podStatusAt, taskRunStatusAt, timestamp } from './task-run-status'
import { podNameOf, startMsOf } from './attempt'

/** A finished run with everything that it created. */
export interface FinishedRun {
  pipelineRun: PipelineRun
  taskRuns: TaskRun[]
  /** Runs of custom tasks. No controller ran them, so they were pending until the run ended. */
  customRuns: CustomRun[]
  /** The remaining pods of all attempts of all tasks. */
  pods: Pod[]
  logs: FinishedLog[]
  /** Pods and logs of attempts that timed out. Their pods were deleted while they ran, so only an archive has them. */
  deleted: { pods: Pod[]; logs: FinishedLog[] }
}

export interface FinishedLog {
  pod: string
  container: string
  /** Times are ms since 1970. */
  lines(): Iterable<LogLine>
}

interface Options {
  /** As it was created. A status in its spec (`Cancelled`, …) is assumed to have been requested later. */
  run: PipelineRun
  /** When it was created; ms since 1970. */
  startMs: number
  world: World
  /** Time from its start until the status in its spec was requested. */
  stoppedAfterMs?: number
}

interface Attempt {
  /** Its state at the end of this attempt. */
  taskRun: TaskRun
  plan: TaskPlan
  endMs: number
}

/** The last attempt of a task, and the earlier ones. */
interface TaskHistory extends Attempt {
  earlier: Attempt[]
}

/** Computes the history of a run, by the same plans and rules that are used to play runs live. */
export function finishedPipelineRun({ run, startMs, world, stoppedAfterMs = 60_000 }: Options): FinishedRun {
  const created = createdRun(run, startMs, world)
  const spec = pipelineSpecOf(created)
  if (!spec) return neverStarted(created, notResolved(created), startMs + resolutionMsOf(created, world))
  const requested = created.spec.status
  const requestedMs = requested ? startMs + world.scale(stoppedAfterMs) : Infinity
  const histories: TaskHistory[] = []
  const customRuns: CustomRun[] = []
  const resolved = resolvedPipelineSpec(created, spec)
  let nowMs = startMs + (created.spec.pipelineRef ? resolutionMsOf(created, world) : 0)
  const error = pipelineError(created, spec)
  if (error) return neverStarted(created, error, nowMs)
  for (;;) {
    const current: PipelineRun = {
      ...created,
      spec: { ...created.spec, ...(requested && { status: nowMs >= requestedMs ? requested : undefined }) },
      status: { startTime: timestamp(startMs), ...knownStart([...taskRunsOf(histories), ...customRuns]) },
    }
    const timeouts = timeoutsOf(current, { now: () => nowMs, scale: world.scale })
    const progress = progressOf(
      current,
      resolved,
      [...histories.map((history) => knownAt(history, nowMs)), ...customRuns],
      timeouts.passed,
    )
    // Custom runs without a controller continue after they are cancelled.
    const toStop = progress.cancel.filter((child) => !child.spec.status)
    for (const { metadata } of toStop) {
      stop(histories, metadata, current, nowMs)
      const customRun = customRuns.find((each) => each.metadata.name === metadata.name)
      if (customRun) {
        customRun.spec = { ...customRun.spec, status: 'RunCancelled', statusMessage: cancelMessageOf(current) }
      }
    }
    if (progress.isDone) {
      const ended = withStatus(created, resolved, [...taskRunsOf(histories), ...customRuns], progress, nowMs)
      return { ...withPodsAndLogs(ended, histories, world), customRuns }
    }
    for (const start of progress.start) {
      if (isCustomTask(start.task)) customRuns.push(createdAt(customRunFor(created, start), nowMs, world))
      else histories.push(historyOf(taskRunFor(created, start), created, nowMs, world))
    }
    if (progress.start.length > 0 || toStop.length > 0) continue
    const nextMs = [...histories.map(({ endMs }) => endMs), requestedMs, timeouts.nextMs ?? Infinity].filter(
      (ms) => ms > nowMs,
    )
    nowMs = Math.min(...nextMs)
    if (nowMs === Infinity) throw new Error(`The run ${created.metadata.name ?? ''} does not end.`)
  }
}

function createdRun(run: PipelineRun, startMs: number, { random }: World): PipelineRun {
  const { namespace = '', name = '', uid } = run.metadata
  const pipeline = run.spec.pipelineRef && pipelineNameOf(run.spec.pipelineRef)
  return {
    ...run,
    metadata: {
      ...run.metadata,
      uid: uid ?? uidFrom(random(`uid run ${namespace}/${name}`)),
      creationTimestamp: timestamp(startMs),
      labels: { ...run.metadata.labels, [labels.pipeline]: pipeline ?? name },
    },
  }
}

function createdAt<T extends ChildRun>(child: T, nowMs: number, { random }: World): T {
  const { namespace = '', name = '' } = child.metadata
  const uid = uidFrom(random(`uid task ${namespace}/${name}`))
  return { ...child, metadata: { ...child.metadata, uid, creationTimestamp: timestamp(nowMs) } }
}

const uidFrom = (random: Random): string =>
  [8, 4, 4, 4, 12]
    .map((length) => hexDigits(random, length))
    .join('-')
    // Version 4, variant 1.
    .replace(/^(.{14})./, '$14')
    .replace(/^(.{19})./, '$1a')

/** The complete history of a TaskRun that starts now, with all its attempts. */
function historyOf(created: TaskRun, run: PipelineRun, nowMs: number, world: World): TaskHistory {
  let taskRun: TaskRun = { ...createdAt(created, nowMs, world), status: { startTime: timestamp(nowMs) } }
  const earlier: Attempt[] = []
  for (;;) {
    const plan = planOf(taskRun, run, world)
    const endMs = endOf(taskRun, plan)
    const status = statusAt(taskRun, plan, endMs)
    const ended = { taskRun: { ...taskRun, status }, plan, endMs }
    if (!mayRetry(taskRun, status ?? {})) return { ...ended, earlier }
    earlier.push(ended)
    taskRun = { ...taskRun, status: { ...retriedStatus(status ?? {}, timestamp(endMs)), startTime: timestamp(endMs) } }
  }
}

function endOf(taskRun: TaskRun, { neverRuns, pendingMs, steps, timeoutMs }: TaskPlan): number {
  const durationMs = neverRuns ? (neverRuns.failsAfterMs ?? Infinity) : pendingMs + (steps.at(-1)?.endMs ?? 0)
  return startMsOf(taskRun) + Math.min(durationMs, timeoutMs)
}

function statusAt(taskRun: TaskRun, plan: TaskPlan, atMs: number): TaskRun['status'] {
  const { status } = taskRunStatusAt(taskRun, plan, atMs)
  if (atMs < startMsOf(taskRun) + plan.timeoutMs || isFinished({ ...taskRun, status })) return status
  return timedOutStatus(taskRun, status, timestamp(atMs))
}

/** The state of a task as seen by the run at that time. */
const knownAt = ({ taskRun, endMs }: TaskHistory, nowMs: number): TaskRun =>
  endMs <= nowMs ? taskRun : { ...taskRun, status: { startTime: taskRun.metadata.creationTimestamp } }

function stop(histories: TaskHistory[], { name }: TaskRun['metadata'], run: PipelineRun, nowMs: number): void {
  const history = histories.find(({ taskRun }) => taskRun.metadata.name === name)
  if (!history || history.endMs <= nowMs) return
  // Cancels the current attempt and drops the following ones.
  const attempts: Attempt[] = [...history.earlier, history]
  const current = attempts.find(({ endMs }) => endMs > nowMs) ?? history
  const { startTime, retriesStatus } = current.taskRun.status ?? {}
  const running: TaskRun = { ...current.taskRun, status: { startTime, ...(retriesStatus && { retriesStatus }) } }
  const { status } = taskRunStatusAt(running, current.plan, nowMs)
  const spec: TaskRun['spec'] = {
    ...running.spec,
    status: 'TaskRunCancelled',
    statusMessage: cancelMessageOf(run),
  }
  history.earlier = attempts.filter(({ endMs }) => endMs <= nowMs)
  history.plan = current.plan
  history.taskRun = { ...running, spec, status: cancelledStatus({ ...running, spec }, status, timestamp(nowMs)) }
  history.endMs = nowMs
}

const taskRunsOf = (histories: TaskHistory[]): TaskRun[] => histories.map(({ taskRun }) => taskRun)

const knownStart = (children: ChildRun[]): { finallyStartTime?: string } => {
  const finallyStartTime = finallyStartTimeOf(children)
  return finallyStartTime ? { finallyStartTime } : {}
}

function withStatus(
  run: PipelineRun,
  spec: PipelineSpec,
  children: ChildRun[],
  progress: Progress,
  endMs: number,
): PipelineRun {
  const end = timestamp(endMs)
  return {
    ...run,
    status: {
      startTime: run.metadata.creationTimestamp,
      ...statusOfProgress(spec, children, progress, end),
      conditions: [{ type: 'Succeeded', ...progress.condition, lastTransitionTime: end }],
    },
  }
}

/** A run that cannot start creates nothing. */
function neverStarted(run: PipelineRun, error: DefinitionError, endMs: number): FinishedRun {
  const end = timestamp(endMs)
  const { [labels.pipeline]: _, ...known } = run.metadata.labels ?? {}
  const conditions = [{ type: 'Succeeded', status: 'False' as const, ...error, lastTransitionTime: end }]
  const status = { startTime: run.metadata.creationTimestamp, completionTime: end, conditions }
  const pipelineRun = { ...run, metadata: { ...run.metadata, labels: known }, status }
  return { pipelineRun, taskRuns: [], customRuns: [], pods: [], logs: [], deleted: { pods: [], logs: [] } }
}

function withPodsAndLogs(
  pipelineRun: PipelineRun,
  histories: TaskHistory[],
  world: World,
): Omit<FinishedRun, 'customRuns'> {
  // Pods that never started were deleted as well, and have no logs.
  const started = histories
    .flatMap((history) => [...history.earlier, history])
    .filter(({ taskRun, plan, endMs }) => !plan.neverRuns && endMs > startMsOf(taskRun) + plan.pendingMs)
  const isDeleted = ({ taskRun }: Attempt) => succeededCondition(taskRun)?.reason === 'TaskRunTimeout'
  const remaining = started.filter((each) => !isDeleted(each))
  return {
    pipelineRun,
    taskRuns: taskRunsOf(histories),
    ...podsOf(remaining, world),
    deleted: podsOf(started.filter(isDeleted), world),
  }
}

const podsOf = (attempts: Attempt[], world: World): FinishedRun['deleted'] => ({
  pods: attempts.map(({ taskRun, plan, endMs }) => podOf(taskRun, plan, endMs, world)),
  logs: attempts.flatMap(({ taskRun, plan, endMs }) => {
    const podMs = startMsOf(taskRun) + plan.pendingMs
    return plan.steps
      .filter((step) => podMs + step.startMs < endMs)
      .map((step) => ({
        pod: podNameOf(taskRun),
        container: step.container,
        *lines() {
          for (const { atMs, text } of logLinesOf(taskRun, plan, step, world)) {
            // A stopped step has no output after it was stopped.
            if (podMs + atMs > endMs) return
            yield { atMs: podMs + atMs, text }
          }
        },
      }))
  }),
})

function podOf(taskRun: TaskRun, plan: TaskPlan, endMs: number, world: World): Pod {
  const pod = podFor(taskRun, plan, podNameOf(taskRun))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    ...pod,
    metadata: {
      ...pod.metadata,
      uid: uidFrom(world.random(`uid pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`)),
      creationTimestamp: timestamp(startMsOf(taskRun)),
    },
    status:
      succeededCondition(taskRun)?.reason === 'TaskRunCancelled'
        ? stoppedPodStatus(podStatusAt(taskRun, plan, endMs), timestamp(endMs))
        : podStatusAt(taskRun, plan, endMs),
  }
}
