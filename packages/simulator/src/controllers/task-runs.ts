import { isSameJson } from '@slipway/kube/json'
import { podType, type Pod } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { ignoreMissing, ApiError, isForbidden, isNotFound } from '@slipway/kube/status'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType, taskType, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, isManagedByTekton, succeededCondition, type TaskSpec } from '@slipway/model/runs/tekton'
import { defineController, type ControllerContext, type ReconcileResult } from '../controller'
import { planOf, type StepPlan, type TaskPlan } from '../tekton/plan'
import { localTaskOf } from '../tekton/task-run-for'
import { podStatusAt, taskRunStatusAt } from '../tekton/task-run-status'
import { podNameOf, startMsOf } from '../tekton/attempt'
import { eventWrites, recordCondition, recordEvent } from './record-event'
import { startLog, writeLog, type StepLog } from './step-logs'
import { statusBeforeEnds, nodeOf, podFor, stateOf, stoppedPodStatus } from '../tekton/task-pod'
import { cancelledStatus, mayRetry, retriedStatus, stoppedStatus, timedOutStatus } from '../tekton/task-run-ends'

type Status = NonNullable<TaskRun['status']>

/** Runs TaskRuns in pods, as Tekton and a kubelet do together, according to a plan that is known from the start. */
export const taskRuns = defineController<TaskRun>({
  name: 'task-runs',
  type: taskRunType,
  filter: isManagedByTekton,
  owns: [podType],
  reads: [pipelineRunType],
  gets: [taskType],
  writes: [[podType, 'create', 'updateStatus', 'delete'], [taskRunType, 'update', 'updateStatus'], ...eventWrites],
  async reconcile(taskRun, context) {
    if (taskRun.metadata.deletionTimestamp || isFinished(taskRun)) return
    if (!taskRun.status?.startTime) return start(taskRun, context)
    const plan = planOfAttempt(taskRun, context)
    const end = endAt(taskRun, plan, context)
    const pod = await ensurePod(taskRun, plan, end, context)
    if (pod === 'account missing') return write(taskRun, withoutAccount(taskRun, end.status, context), context)
    const nextLogMs = pod && (await play(taskRun, plan, pod, end, context))
    await write(taskRun, end.status, context)
    if (end.isOver) return
    const nextMs = [end.nextMs, nextLogMs, deadlineOf(taskRun, plan)].filter((atMs) => atMs !== undefined)
    return wakeAt(Math.min(...nextMs), context)
  },
})

const deadlineOf = (taskRun: TaskRun, plan: TaskPlan): number => startMsOf(taskRun) + plan.timeoutMs

const wakeAt = (atMs: number, { now }: ControllerContext): ReconcileResult | undefined =>
  atMs === Infinity ? undefined : { afterMs: atMs - now() }

/** Writes the start time before the pod is created, so that it is known after an interruption. */
async function start(taskRun: TaskRun, context: ControllerContext): Promise<void> {
  const startTime = context.timestamp()
  const taskSpec = await findTaskSpec(taskRun, context)
  if (taskSpec === 'missing') return write(taskRun, withoutTask(taskRun, startTime), context)
  const started: TaskRun = { ...taskRun, status: { ...taskRun.status, startTime, ...(taskSpec && { taskSpec }) } }
  const { status = {} } = taskRunStatusAt(started, planOfAttempt(started, context), startMsOf(started))
  await recordEvent(context, taskRun, { reason: 'Started', message: '', component: 'TaskRun' })
  await write(taskRun, status, context)
}

/** The spec of the Task in the namespace to which a TaskRun refers; `undefined` if it has one or a resolver finds it. */
async function findTaskSpec(
  taskRun: TaskRun,
  { client }: ControllerContext,
): Promise<TaskSpec | 'missing' | undefined> {
  const name = localTaskOf(taskRun.spec)
  if (name === undefined || taskRun.status?.taskSpec) return undefined
  try {
    return (await client.get(taskType, name, { namespace: namespaceOf(taskRun) })).spec
  } catch (error) {
    if (isNotFound(error)) return 'missing'
    throw error
  }
}

/** Source: tektoncd/pipeline, GetTaskData. */
function withoutTask(taskRun: TaskRun, startTime: string): Status {
  const why = `tasks.tekton.dev "${localTaskOf(taskRun.spec) ?? ''}" not found`
  const message = `error when listing tasks for taskRun ${nameOf(taskRun)}: ${why}`
  const status = { ...taskRun.status, startTime }
  return stoppedStatus(taskRun, status, { reason: 'TaskRunResolutionFailed', message }, startTime)
}

/** The plan of the current attempt, with the outcome that its run requests. */
function planOfAttempt(taskRun: TaskRun, context: ControllerContext): TaskPlan {
  const run = taskRun.metadata.labels?.[labels.pipelineRun]
  const pipelineRun = run ? context.informer(pipelineRunType).get(namespaceOf(taskRun), run) : undefined
  return planOf(taskRun, pipelineRun, context)
}

/** The state of a run at a time, and whether it was stopped. */
interface Moment {
  /** Time of `status`; before now if the run had already ended. */
  atMs: number
  status: Status
  nextMs?: number
  isOver: boolean
  /** Set if it was ended from outside. */
  stopped?: 'cancelled' | 'timed out' | 'invalid'
}

function endAt(taskRun: TaskRun, plan: TaskPlan, { now, timestamp }: ControllerContext): Moment {
  const deadlineMs = deadlineOf(taskRun, plan)
  const atMs = Math.min(now(), deadlineMs)
  const { status = {}, nextMs } = taskRunStatusAt(taskRun, plan, atMs)
  const stop = (stopped: Moment['stopped'], to: Status): Moment => ({ atMs, status: to, isOver: true, stopped })
  if (plan.steps.length === 0) {
    const message = 'invalid spec of the task: missing field(s): spec.steps'
    return stop(
      'invalid',
      stoppedStatus(taskRun, status, { reason: 'TaskRunValidationFailed', message }, timestamp(atMs)),
    )
  }
  if (isFinished({ ...taskRun, status })) return { atMs, status, isOver: true }
  if (taskRun.spec.status === 'TaskRunCancelled') {
    return stop('cancelled', cancelledStatus(taskRun, status, timestamp(atMs)))
  }
  if (now() >= deadlineMs) return stop('timed out', timedOutStatus(taskRun, status, timestamp(atMs)))
  return { atMs, status, nextMs, isOver: false }
}

/** Whether a pod is created. If a quota forbids it, Tekton retries until the run times out. */
const hasPod = (plan: TaskPlan): boolean => plan.neverRuns?.reason !== 'ExceededResourceQuota'

async function ensurePod(
  taskRun: TaskRun,
  plan: TaskPlan,
  { status, stopped }: Moment,
  context: ControllerContext,
): Promise<Pod | 'account missing' | undefined> {
  const name = podNameOf(taskRun)
  const known = context.informer(podType).get(namespaceOf(taskRun), name)
  if (known) return known.metadata.deletionTimestamp ? undefined : known
  if (stopped) return undefined
  if (!hasPod(plan)) {
    const event = plan.neverRuns?.event
    if (event) await recordEvent(context, taskRun, { type: 'Warning', component: 'TaskRun', ...event })
    return undefined
  }
  return context.client
    .create(podType, podFor({ ...taskRun, status }, plan, name))
    .catch((error: unknown): 'account missing' => {
      if (isAccountMissing(error)) return 'account missing'
      throw error
    })
}

/** Source: k8s.io/kubernetes, plugin/pkg/admission/serviceaccount. */
const isAccountMissing = (error: unknown): boolean =>
  error instanceof ApiError && isForbidden(error) && error.message.includes('error looking up service account')

/** Source: tektoncd/pipeline, handlePodCreationError. */
function withoutAccount(taskRun: TaskRun, status: Status, { timestamp }: ControllerContext): Status {
  const { serviceAccountName = 'default' } = taskRun.spec
  const cause = `translating TaskSpec to Pod: serviceaccounts "${serviceAccountName}" not found`
  const message = `failed to create task run pod "${nameOf(taskRun)}": ${cause}. Maybe invalid TaskSpec`
  const steps = status.taskSpec?.steps?.map(({ name }) => ({ name }))
  const known = { ...status, podName: '', ...(steps && { steps }) }
  return stoppedStatus(taskRun, known, { reason: 'PodCreationFailed', message }, timestamp())
}

async function recordScheduling(pod: Pod, plan: TaskPlan, context: ControllerContext): Promise<void> {
  const node = plan.neverRuns?.podReason === 'Unschedulable' ? undefined : nodeOf(context, pod)
  const scheduler = 'default-scheduler'
  if (node) {
    const message = `Successfully assigned ${namespaceOf(pod) ?? ''}/${nameOf(pod)} to ${node}`
    await recordEvent(context, pod, { reason: 'Scheduled', message, component: scheduler })
  }
  const failure = plan.neverRuns?.event
  if (!failure) return
  const reporter = node ? { component: 'kubelet', host: node } : { component: scheduler }
  await recordEvent(context, pod, { type: 'Warning', ...failure, ...reporter })
}

/**
 * Updates the pod and its logs to a moment of the run. A step's output is written before its end is reported, since
 * clients that follow a log disconnect then. Nothing is written before the step runs, so the log of a waiting step is
 * known to be empty.
 * @returns when more output is due
 */
async function play(
  taskRun: TaskRun,
  plan: TaskPlan,
  found: Pod,
  { atMs, status, isOver, stopped }: Moment,
  context: ControllerContext,
): Promise<number | undefined> {
  const podMs = startMsOf(taskRun) + plan.pendingMs
  const logOf = (pod: Pod, step: StepPlan): StepLog => ({ pod, taskRun, plan, step, podMs })
  // A pod that never started has no output, and Tekton deletes the pods of runs that time out. It also deletes those of
  // cancelled runs, unless its feature flag keep-pod-on-cancel is set. Here it is set: users who cancelled a task want
  // to see what it was doing, and the log of a deleted pod is lost.
  const neverStarted = plan.neverRuns !== undefined || atMs < podMs
  if (stopped) await recordKilling(found, plan, context)
  if (isOver && (neverStarted || stopped === 'timed out')) {
    await remove(found, context)
    return undefined
  }
  const planned = podStatusAt({ ...taskRun, status }, plan, atMs)
  const target = stopped ? stoppedPodStatus(planned, context.timestamp(atMs)) : planned

  const show = async (pod: Pod, planned: Pod['status']): Promise<Pod> => {
    // The API server adds `qosClass`. Compared without it, every status would seem to have changed.
    const next = { ...pod.status, ...planned }
    if (isSameJson(pod.status, next)) return pod
    // No conditions: this is its first status.
    if (!pod.status?.conditions) await recordScheduling(pod, plan, context)
    const started = plan.steps.filter(
      ({ container }) => !stateOf(pod.status, container) && stateOf(next, container) === 'running',
    )
    for (const { container } of started) await recordStart(pod, container, context)
    const shown = await context.client.replaceStatus(podType, { ...pod, status: next })
    if (context.logs.areStored) for (const step of started) startLog(context, logOf(shown, step))
    return shown
  }
  const write = async (pod: Pod, isEnd: boolean): Promise<number> => {
    let nextMs = Infinity
    for (const step of plan.steps) {
      if (stateOf(pod.status, step.container) !== 'running') continue
      if (isEnd && stateOf(target, step.container) === 'running') continue
      nextMs = Math.min(nextMs, (await writeLog(context, logOf(pod, step), atMs, isEnd)) ?? Infinity)
    }
    return nextMs
  }

  const containers = plan.steps.filter(({ isSkipped }) => !isSkipped).map(({ container }) => container)
  const earlier = statusBeforeEnds(found.status, target, containers)
  const running = earlier ? await show(found, earlier) : found
  await write(running, true)
  return write(await show(running, target), false)
}

async function recordStart(pod: Pod, container: string, context: ControllerContext): Promise<void> {
  const { containers } = pod.spec
  const { image = '' } = containers.find(({ name }) => name === container) ?? {}
  const by = { component: 'kubelet', host: nodeOf(context, pod) }
  // An image that several containers share is reported once.
  if (containers.find((each) => each.image === image)?.name === container) {
    const pulled = `Container image "${image}" already present on machine`
    await recordEvent(context, pod, { reason: 'Pulled', message: pulled, ...by })
  }
  await recordEvent(context, pod, { reason: 'Created', message: `Created container: ${container}`, ...by })
  await recordEvent(context, pod, { reason: 'Started', message: `Started container ${container}`, ...by })
}

async function recordKilling(pod: Pod, { steps }: TaskPlan, context: ControllerContext): Promise<void> {
  const by = { component: 'kubelet', host: nodeOf(context, pod) }
  for (const { container } of steps) {
    if (stateOf(pod.status, container) !== 'running') continue
    await recordEvent(context, pod, { reason: 'Killing', message: `Stopping container ${container}`, ...by })
  }
}

async function remove(pod: Pod, { client }: ControllerContext): Promise<void> {
  const preconditions = pod.metadata.uid ? { uid: pod.metadata.uid } : undefined
  await client.delete(podType, nameOf(pod), { namespace: namespaceOf(pod), preconditions }).catch(ignoreMissing)
}

/** Writes the status if it has changed, and records an event. */
async function write(taskRun: TaskRun, status: Status, context: ControllerContext): Promise<void> {
  const next = mayRetry(taskRun, status) ? retriedStatus(status, context.timestamp()) : status
  if (isSameJson(taskRun.status, next)) return
  const after = succeededCondition({ ...taskRun, status: next })
  if (after) await recordCondition(context, taskRun, succeededCondition(taskRun), after)
  await context.client.replaceStatus(taskRunType, { ...taskRun, status: next })
}
