import type { Pod } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/pipeline-run'
import type { TaskRun } from '@slipway/model/task-run'
import { isFinished, succeededCondition, type PipelineSpec } from '@slipway/model/tekton'
import { cancelledStatus, mayRetry, retriedStatus, timedOutStatus } from './task-run-ends'
import { podFor, stoppedPodStatus } from './task-pod'
import { timeoutsOf } from './run-timeouts'
import { hexDigits, type Random } from '../keyed-random'
import { pipelineNameOf, pipelineSpecOf } from './catalog'
import { cancelMessageOf, progressOf, resolvedPipelineSpec, type Progress } from './dag'
import { logLinesOf, type LogLine } from './logs'
import { finallyStartTimeOf, notResolved, resolutionMsOf, statusOfProgress } from './pipeline-run-status'
import { planOf, type TaskPlan, type World } from './plan'
import { isCustomTask, taskRunFor } from './task-run-for'
import { podStatusAt, taskRunStatusAt, timestamp } from './task-run-status'
import { podNameOf, startMsOf } from './try'

/** A run as it stands when it has ended, with all that it has left behind. */
export interface FinishedRun {
  pipelineRun: PipelineRun
  taskRuns: TaskRun[]
  /** Of each try of each task, if it is still there. */
  pods: Pod[]
  logs: FinishedLog[]
}

export interface FinishedLog {
  pod: string
  container: string
  /** Times are ms since 1970. */
  lines(): Iterable<LogLine>
}

interface Options {
  /** As it was created; a status that its spec demands (`Cancelled`, …) is taken to have been asked for later. */
  run: PipelineRun
  /** When it was created; ms since 1970. */
  startMs: number
  world: World
  /** After its start, when the status that its spec demands was asked for. */
  stoppedAfterMs?: number
}

interface Try {
  /** As it stands when this try has ended. */
  taskRun: TaskRun
  plan: TaskPlan
  endMs: number
}

/** Of a task: its last try, after others. */
interface Course extends Try {
  earlier: Try[]
}

/** The past of a run, by the same plans and rules by which runs are played live. */
export function finishedPipelineRun({ run, startMs, world, stoppedAfterMs = 60_000 }: Options): FinishedRun {
  const created = createdRun(run, startMs, world)
  const spec = pipelineSpecOf(created)
  if (!spec) return withoutPipeline(created, startMs, world)
  const asked = created.spec.status
  const askedMs = asked ? startMs + world.pace(stoppedAfterMs) : Infinity
  const courses: Course[] = []
  const resolved = resolvedPipelineSpec(created, spec)
  let nowMs = startMs + (created.spec.pipelineRef ? resolutionMsOf(created, world) : 0)
  for (;;) {
    const current: PipelineRun = {
      ...created,
      spec: { ...created.spec, ...(asked && { status: nowMs >= askedMs ? asked : undefined }) },
      status: { startTime: timestamp(startMs), ...knownStart(courses) },
    }
    const timeouts = timeoutsOf(current, { now: () => nowMs, pace: world.pace })
    const progress = progressOf(
      current,
      resolved,
      courses.map((course) => knownAt(course, nowMs)),
      timeouts.passed,
    )
    for (const cancelled of progress.cancel) stop(courses, cancelled, current, nowMs)
    if (progress.isDone) {
      return left(withStatus(created, resolved, courses, progress, nowMs), courses, world)
    }
    if (progress.start.some(({ task }) => isCustomTask(task)))
      throw new Error('A custom task has no past: nobody runs it.')
    for (const task of progress.start) courses.push(courseOf(taskRunFor(created, task), created, nowMs, world))
    if (progress.start.length > 0 || progress.cancel.length > 0) continue
    const nextMs = [...courses.map(({ endMs }) => endMs), askedMs, timeouts.nextMs ?? Infinity].filter(
      (ms) => ms > nowMs,
    )
    nowMs = Math.min(...nextMs)
    if (nowMs === Infinity) throw new Error(`The run ${created.metadata.name ?? ''} never ends.`)
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

const uidFrom = (random: Random): string =>
  [8, 4, 4, 4, 12]
    .map((length) => hexDigits(random, length))
    .join('-')
    // Version 4, variant 1.
    .replace(/^(.{14})./, '$14')
    .replace(/^(.{19})./, '$1a')

/** The whole course of a TaskRun that begins now, with all its tries. */
function courseOf(created: TaskRun, run: PipelineRun, nowMs: number, world: World): Course {
  const { namespace = '', name = '' } = created.metadata
  let taskRun: TaskRun = {
    ...created,
    metadata: {
      ...created.metadata,
      uid: uidFrom(world.random(`uid task ${namespace}/${name}`)),
      creationTimestamp: timestamp(nowMs),
    },
    status: { startTime: timestamp(nowMs) },
  }
  const earlier: Try[] = []
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
  const courseMs = neverRuns ? (neverRuns.failsAfterMs ?? Infinity) : pendingMs + (steps.at(-1)?.endMs ?? 0)
  return startMsOf(taskRun) + Math.min(courseMs, timeoutMs)
}

function statusAt(taskRun: TaskRun, plan: TaskPlan, atMs: number): TaskRun['status'] {
  const { status } = taskRunStatusAt(taskRun, plan, atMs)
  if (atMs < startMsOf(taskRun) + plan.timeoutMs || isFinished({ ...taskRun, status })) return status
  return timedOutStatus(taskRun, status, timestamp(atMs))
}

/** What the run can know of a task by then. */
const knownAt = ({ taskRun, endMs }: Course, nowMs: number): TaskRun =>
  endMs <= nowMs ? taskRun : { ...taskRun, status: { startTime: taskRun.metadata.creationTimestamp } }

function stop(courses: Course[], { metadata }: Pick<TaskRun, 'metadata'>, run: PipelineRun, nowMs: number): void {
  const course = courses.find(({ taskRun }) => taskRun.metadata.name === metadata.name)
  if (!course || course.endMs <= nowMs) return
  // The try that runs now; what was to come after it never does.
  const tries: Try[] = [...course.earlier, course]
  const current = tries.find(({ endMs }) => endMs > nowMs) ?? course
  const { startTime, retriesStatus } = current.taskRun.status ?? {}
  const running: TaskRun = { ...current.taskRun, status: { startTime, ...(retriesStatus && { retriesStatus }) } }
  const { status } = taskRunStatusAt(running, current.plan, nowMs)
  const spec: TaskRun['spec'] = {
    ...running.spec,
    status: 'TaskRunCancelled',
    statusMessage: cancelMessageOf(run),
  }
  course.earlier = tries.filter(({ endMs }) => endMs <= nowMs)
  course.plan = current.plan
  course.taskRun = { ...running, spec, status: cancelledStatus({ ...running, spec }, status, timestamp(nowMs)) }
  course.endMs = nowMs
}

const knownStart = (courses: Course[]): { finallyStartTime?: string } => {
  const finallyStartTime = finallyStartTimeOf(courses.map(({ taskRun }) => taskRun))
  return finallyStartTime ? { finallyStartTime } : {}
}

function withStatus(
  run: PipelineRun,
  spec: PipelineSpec,
  courses: Course[],
  progress: Progress,
  endMs: number,
): PipelineRun {
  const end = timestamp(endMs)
  const taskRuns = courses.map(({ taskRun }) => taskRun)
  return {
    ...run,
    status: {
      startTime: run.metadata.creationTimestamp,
      ...statusOfProgress(spec, taskRuns, progress, end),
      conditions: [{ type: 'Succeeded', ...progress.condition, lastTransitionTime: end }],
    },
  }
}

function withoutPipeline(run: PipelineRun, startMs: number, world: World): FinishedRun {
  const end = timestamp(startMs + resolutionMsOf(run, world))
  const conditions = [{ type: 'Succeeded', status: 'False' as const, ...notResolved(run), lastTransitionTime: end }]
  const status = { startTime: timestamp(startMs), completionTime: end, conditions }
  return { pipelineRun: { ...run, status }, taskRuns: [], pods: [], logs: [] }
}

function left(pipelineRun: PipelineRun, courses: Course[], world: World): FinishedRun {
  const taskRuns = courses.map(({ taskRun }) => taskRun)
  // A pod that never began, or whose run timed out, was deleted.
  const withPods = courses
    .flatMap((course) => [...course.earlier, course])
    .filter(
      ({ taskRun, plan, endMs }) =>
        !plan.neverRuns &&
        endMs > startMsOf(taskRun) + plan.pendingMs &&
        succeededCondition(taskRun)?.reason !== 'TaskRunTimeout',
    )
  return {
    pipelineRun,
    taskRuns,
    pods: withPods.map(({ taskRun, plan, endMs }) => podOf(taskRun, plan, endMs, world)),
    logs: withPods.flatMap(({ taskRun, plan, endMs }) => {
      const podMs = startMsOf(taskRun) + plan.pendingMs
      return plan.steps
        .filter((step) => podMs + step.startMs < endMs)
        .map((step) => ({
          pod: podNameOf(taskRun),
          container: step.container,
          *lines() {
            for (const { atMs, text } of logLinesOf(taskRun, plan, step, world)) {
              // What a step that was stopped had not said by then, it never said.
              if (podMs + atMs > endMs) return
              yield { atMs: podMs + atMs, text }
            }
          },
        }))
    }),
  }
}

function podOf(taskRun: TaskRun, plan: TaskPlan, endMs: number, world: World): Pod {
  const pod = podFor(world, taskRun, plan, podNameOf(taskRun))
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
