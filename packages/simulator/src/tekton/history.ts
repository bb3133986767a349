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
import { planOf, type TaskPlan, type World } from './plan'
import { customRunFor, isCustomTask, taskRunFor } from './task-run-for'
import { podStatusAt, taskRunStatusAt, timestamp } from './task-run-status'
import { podNameOf, startMsOf } from './attempt'

/** A run as it stands when it has ended, with all that it has left behind. */
export interface FinishedRun {
  pipelineRun: PipelineRun
  taskRuns: TaskRun[]
  /** Of custom tasks. Nobody ran them: they waited for as long as the run did. */
  customRuns: CustomRun[]
  /** Of each try of each task, if it is still there. */
  pods: Pod[]
  logs: FinishedLog[]
  /** Of tries that ran out of time: their pods were deleted as they ran, and only an archive has heard them. */
  deleted: { pods: Pod[]; logs: FinishedLog[] }
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

interface Attempt {
  /** As it stands when this try has ended. */
  taskRun: TaskRun
  plan: TaskPlan
  endMs: number
}

/** Of a task: its last try, after others. */
interface Course extends Attempt {
  earlier: Attempt[]
}

/** The past of a run, by the same plans and rules by which runs are played live. */
export function finishedPipelineRun({ run, startMs, world, stoppedAfterMs = 60_000 }: Options): FinishedRun {
  const created = createdRun(run, startMs, world)
  const spec = pipelineSpecOf(created)
  if (!spec) return neverBegun(created, notResolved(created), startMs + resolutionMsOf(created, world))
  const asked = created.spec.status
  const askedMs = asked ? startMs + world.scale(stoppedAfterMs) : Infinity
  const courses: Course[] = []
  const customRuns: CustomRun[] = []
  const resolved = resolvedPipelineSpec(created, spec)
  let nowMs = startMs + (created.spec.pipelineRef ? resolutionMsOf(created, world) : 0)
  const fault = pipelineError(created, spec)
  if (fault) return neverBegun(created, fault, nowMs)
  for (;;) {
    const current: PipelineRun = {
      ...created,
      spec: { ...created.spec, ...(asked && { status: nowMs >= askedMs ? asked : undefined }) },
      status: { startTime: timestamp(startMs), ...knownStart([...taskRunsOf(courses), ...customRuns]) },
    }
    const timeouts = timeoutsOf(current, { now: () => nowMs, scale: world.scale })
    const progress = progressOf(
      current,
      resolved,
      [...courses.map((course) => knownAt(course, nowMs)), ...customRuns],
      timeouts.passed,
    )
    // Who was told to stop, and has nobody to hear it, goes on.
    const toStop = progress.cancel.filter((child) => !child.spec.status)
    for (const { metadata } of toStop) {
      stop(courses, metadata, current, nowMs)
      const customRun = customRuns.find((each) => each.metadata.name === metadata.name)
      if (customRun) {
        customRun.spec = { ...customRun.spec, status: 'RunCancelled', statusMessage: cancelMessageOf(current) }
      }
    }
    if (progress.isDone) {
      const ended = withStatus(created, resolved, [...taskRunsOf(courses), ...customRuns], progress, nowMs)
      return { ...left(ended, courses, world), customRuns }
    }
    for (const start of progress.start) {
      if (isCustomTask(start.task)) customRuns.push(createdAt(customRunFor(created, start), nowMs, world))
      else courses.push(courseOf(taskRunFor(created, start), created, nowMs, world))
    }
    if (progress.start.length > 0 || toStop.length > 0) continue
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

/** The whole course of a TaskRun that begins now, with all its tries. */
function courseOf(created: TaskRun, run: PipelineRun, nowMs: number, world: World): Course {
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

function stop(courses: Course[], { name }: TaskRun['metadata'], run: PipelineRun, nowMs: number): void {
  const course = courses.find(({ taskRun }) => taskRun.metadata.name === name)
  if (!course || course.endMs <= nowMs) return
  // The try that runs now; what was to come after it never does.
  const tries: Attempt[] = [...course.earlier, course]
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

const taskRunsOf = (courses: Course[]): TaskRun[] => courses.map(({ taskRun }) => taskRun)

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

/** A run that cannot begin has nothing to leave behind. */
function neverBegun(run: PipelineRun, fault: DefinitionError, endMs: number): FinishedRun {
  const end = timestamp(endMs)
  const { [labels.pipeline]: _, ...known } = run.metadata.labels ?? {}
  const conditions = [{ type: 'Succeeded', status: 'False' as const, ...fault, lastTransitionTime: end }]
  const status = { startTime: run.metadata.creationTimestamp, completionTime: end, conditions }
  const pipelineRun = { ...run, metadata: { ...run.metadata, labels: known }, status }
  return { pipelineRun, taskRuns: [], customRuns: [], pods: [], logs: [], deleted: { pods: [], logs: [] } }
}

function left(pipelineRun: PipelineRun, courses: Course[], world: World): Omit<FinishedRun, 'customRuns'> {
  // The pod of what never began was deleted, too, and had nothing to say.
  const begun = courses
    .flatMap((course) => [...course.earlier, course])
    .filter(({ taskRun, plan, endMs }) => !plan.neverRuns && endMs > startMsOf(taskRun) + plan.pendingMs)
  const isDeleted = ({ taskRun }: Attempt) => succeededCondition(taskRun)?.reason === 'TaskRunTimeout'
  const kept = begun.filter((each) => !isDeleted(each))
  return {
    pipelineRun,
    taskRuns: taskRunsOf(courses),
    ...podsOf(kept, world),
    deleted: podsOf(begun.filter(isDeleted), world),
  }
}

const podsOf = (tries: Attempt[], world: World): FinishedRun['deleted'] => ({
  pods: tries.map(({ taskRun, plan, endMs }) => podOf(taskRun, plan, endMs, world)),
  logs: tries.flatMap(({ taskRun, plan, endMs }) => {
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
