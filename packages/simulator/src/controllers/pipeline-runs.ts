import { isSameJson } from '@slipway/kube/json'
import { nameOf, namespaceOf, uidOf, type Condition } from '@slipway/kube/object'
import { ApiError, isNotFound } from '@slipway/kube/status'
import { customRunType, type CustomRun } from '@slipway/model/runs/custom-run'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, pipelineType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, taskType } from '@slipway/model/runs/task-run'
import { isFinished, isManagedByTekton, succeededCondition, type PipelineSpec } from '@slipway/model/runs/tekton'
import { defineController, type ControllerContext, type ReconcileResult } from '../controller'
import { pipelineNameOf, pipelineSpecOf } from '../tekton/catalog'
import { cancelMessageOf, progressOf, resolvedPipelineSpec } from '../tekton/dag'
import {
  notResolved,
  noPipelineGiven,
  pipelineNotFound,
  resolutionMsOf,
  statusOfProgress,
  taskNotFound,
} from '../tekton/pipeline-run-status'
import type { ChildRun } from '../tekton/pipeline-nodes'
import { customRunFor, isCustomTask, localTaskOf, taskRunFor } from '../tekton/task-run-for'
import { pipelineError, type DefinitionError } from '../tekton/pipeline-errors'
import { eventWrites, recordCondition, recordEvent } from './record-event'
import { timeoutsOf } from '../tekton/run-timeouts'

type Status = NonNullable<PipelineRun['status']>

/** Starts the tasks of PipelineRuns when they are ready, and finishes the runs, as Tekton does. */
export const pipelineRuns = defineController<PipelineRun>({
  name: 'pipeline-runs',
  type: pipelineRunType,
  filter: isManagedByTekton,
  owns: [taskRunType, customRunType],
  writes: [
    [pipelineRunType, 'update', 'updateStatus'],
    [taskRunType, 'create', 'update'],
    [customRunType, 'create', 'update'],
    ...eventWrites,
  ],
  gets: [pipelineType, taskType],
  async reconcile(run, context) {
    if (run.metadata.deletionTimestamp || isFinished(run)) return
    if (!run.status?.startTime) {
      const isPending = run.spec.status === 'PipelineRunPending'
      return isPending ? reportPending(run, context) : start(run, context)
    }
    if (run.spec.status === 'Cancelled' && !run.status.pipelineSpec) return cancelEarly(run, context)
    const resolution = await resolve(run, context)
    if ('atMs' in resolution) return await waitForPipeline(run, resolution.atMs, context)
    if ('reason' in resolution) return fail(run, resolution, context)
    if (!run.metadata.labels?.[labels.pipeline]) return label(run, context)
    return proceed(run, resolution, context)
  },
})

const reportPending = (run: PipelineRun, context: ControllerContext) =>
  write(run, {}, { reason: 'PipelineRunPending', message: `PipelineRun "${nameOf(run)}" is pending` }, context)

const start = (run: PipelineRun, context: ControllerContext) =>
  write(run, { startTime: context.timestamp() }, { reason: 'Started', message: '' }, context)

const fail = (run: PipelineRun, error: DefinitionError, context: ControllerContext) =>
  write(run, { completionTime: context.timestamp() }, { status: 'False', ...error }, context)

const childrenOf = (run: PipelineRun, { informer }: ControllerContext): ChildRun[] => [
  ...informer(taskRunType).ownedBy(uidOf(run)),
  ...informer(customRunType).ownedBy(uidOf(run)),
]

const isCustomRun = (child: ChildRun): child is CustomRun => 'customRef' in child.spec

/** Cancels a run whose pipeline is not known yet. */
async function cancelEarly(run: PipelineRun, context: ControllerContext): Promise<void> {
  const taskRuns = childrenOf(run, context)
  for (const taskRun of taskRuns) if (!isFinished(taskRun)) await cancel(run, taskRun, context)
  await fail(run, { reason: 'Cancelled', message: `PipelineRun "${nameOf(run)}" was cancelled` }, context)
}

type Resolution =
  | { spec: PipelineSpec }
  | DefinitionError
  | { /** The pipeline is found at this time; milliseconds since 1970. */ atMs: number }

/** The pipeline with the params of this run substituted. */
async function resolve(run: PipelineRun, context: ControllerContext): Promise<Resolution> {
  if (run.status?.pipelineSpec) return { spec: run.status.pipelineSpec }
  const found = await find(run, context)
  if (!('spec' in found)) return found
  const error = pipelineError(run, found.spec)
  if (error) return error
  const spec = resolvedPipelineSpec(run, found.spec)
  const missing = await findMissingTask(run, spec, context)
  return missing === undefined ? { spec } : taskNotFound(run, missing)
}

/** Name of the first task to which the pipeline refers and which the namespace does not have. */
async function findMissingTask(
  run: PipelineRun,
  { tasks, finally: finals = [] }: PipelineSpec,
  { client }: ControllerContext,
): Promise<string | undefined> {
  const names = new Set([...tasks, ...finals].flatMap((task) => localTaskOf(task) ?? []))
  for (const name of names) {
    try {
      await client.get(taskType, name, { namespace: namespaceOf(run) })
    } catch (error) {
      if (isNotFound(error)) return name
      throw error
    }
  }
  return undefined
}

async function find(run: PipelineRun, context: ControllerContext): Promise<Resolution> {
  const { pipelineRef, pipelineSpec } = run.spec
  if (pipelineSpec) return { spec: pipelineSpec }
  if (pipelineRef?.resolver) {
    const atMs = startMsOf(run) + resolutionMsOf(run, context)
    if (context.now() < atMs) return { atMs }
    const spec = pipelineSpecOf(run)
    return spec ? { spec } : notResolved(run)
  }
  if (!pipelineRef?.name) return noPipelineGiven(run)
  const { name } = pipelineRef
  try {
    const { spec } = await context.client.get(pipelineType, name, { namespace: namespaceOf(run) })
    return { spec }
  } catch (error) {
    if (isNotFound(error)) return pipelineNotFound(run, name)
    throw error
  }
}

const startMsOf = (run: PipelineRun): number => Date.parse(run.status?.startTime ?? '')

async function waitForPipeline(run: PipelineRun, atMs: number, context: ControllerContext): Promise<ReconcileResult> {
  const message = `PipelineRun ${namespaceOf(run) ?? ''}/${nameOf(run)} awaiting remote resource`
  await write(run, {}, { reason: 'ResolvingPipelineRef', message }, context)
  return { afterMs: atMs - context.now() }
}

/** Sets the label with the pipeline's name. For an embedded pipeline, this is the name of the run. */
async function label(run: PipelineRun, { client }: ControllerContext): Promise<void> {
  const { pipelineRef } = run.spec
  const pipeline = (pipelineRef && pipelineNameOf(pipelineRef)) ?? nameOf(run)
  await client.replace(pipelineRunType, {
    ...run,
    metadata: { ...run.metadata, labels: { ...run.metadata.labels, [labels.pipeline]: pipeline } },
  })
}

async function proceed(
  run: PipelineRun,
  { spec }: { spec: PipelineSpec },
  context: ControllerContext,
): Promise<ReconcileResult | void> {
  const taskRuns = childrenOf(run, context)
  const timeouts = timeoutsOf(run, context)
  const progress = progressOf(run, spec, taskRuns, timeouts.passed)
  // Before the run is marked as finished, since it is ignored after that.
  for (const taskRun of progress.cancel) await cancel(run, taskRun, context)
  for (const next of progress.start) {
    if (isCustomTask(next.task)) await createCustomRun(run, customRunFor(run, next), next.task.name, context)
    else await context.client.create(taskRunType, taskRunFor(run, next))
  }
  // The new task runs trigger the next reconcile.
  if (progress.start.length > 0) return
  const status = statusOfProgress(spec, taskRuns, progress, context.timestamp())
  await write(run, status, progress.condition, context)
  if (progress.isDone || timeouts.nextMs === undefined) return
  return { afterMs: timeouts.nextMs - context.now() }
}

/** If the cluster does not serve custom tasks, the run waits until they are installed or it times out, as in Tekton. */
async function createCustomRun(
  run: PipelineRun,
  customRun: CustomRun,
  task: string,
  context: ControllerContext,
): Promise<void> {
  try {
    await context.client.create(customRunType, customRun)
  } catch (error) {
    if (!(error instanceof ApiError && isNotFound(error))) throw error
    const names = JSON.stringify([nameOf(customRun)])
    const message = `Failed to create CustomRuns ${names}: ${error.message}`
    await recordEvent(context, run, {
      type: 'Warning',
      reason: 'RunsCreationFailed',
      message,
      component: 'PipelineRun',
    })
    const what = `CustomRuns called [${nameOf(customRun)}] for PipelineTask ${task} from PipelineRun ${nameOf(run)}`
    throw new Error(`error creating ${what}: ${error.message}`, { cause: error })
  }
}

/** Cancels a task, unless that was already requested. */
async function cancel(run: PipelineRun, child: ChildRun, { client }: ControllerContext): Promise<void> {
  if (child.spec.status) return
  const statusMessage = cancelMessageOf(run)
  if (isCustomRun(child)) {
    await client.replace(customRunType, { ...child, spec: { ...child.spec, status: 'RunCancelled', statusMessage } })
    return
  }
  await client.replace(taskRunType, {
    ...child,
    spec: { ...child.spec, status: 'TaskRunCancelled', statusMessage },
  })
}

/** Writes the status if it has changed, and records an event. */
async function write(
  run: PipelineRun,
  changes: Status,
  { status = 'Unknown', reason, message }: Partial<Condition>,
  context: ControllerContext,
): Promise<void> {
  const before = succeededCondition(run)
  const isSame = before?.status === status && before.reason === reason && before.message === message
  const lastTransitionTime = isSame ? before.lastTransitionTime : context.timestamp()
  const after: Condition = { type: 'Succeeded', status, reason, message, lastTransitionTime }
  const next: Status = { ...run.status, ...changes, conditions: [after] }
  if (isSameJson(run.status, next)) return
  await recordCondition(context, run, before, after)
  await context.client.replaceStatus(pipelineRunType, { ...run, status: next })
}
