import type { Condition } from '@slipway/kube/object'
import type { ChildReference, PipelineRun, SkippedTask } from '@slipway/model/runs/pipeline-run'
import {
  isFinished,
  type ParamValue,
  type PipelineSpec,
  type PipelineTask,
  type RunResult,
} from '@slipway/model/runs/tekton'
import { formatGoDuration, normalizedTimeout } from './go-duration'
import { combinationsOf, includeNamesOf } from './matrix'
import { userError } from './pipeline-errors'
import {
  cancelMessages,
  celError,
  hasFailed,
  missingResult,
  nodesOf,
  parentsOf,
  referencesOf,
  skipReasons,
  variablesOf,
  whenHolds,
  whenOf,
  type ChildRun,
  type Node,
  type SkipReason,
} from './pipeline-nodes'
import { tasksTimeoutMsOf, type TimedOut } from './run-timeouts'
import { substitute, type Variables } from './substitution'
import { taskRunNameOf, type TaskToStart } from './task-run-for'

/**
 * Decides which tasks of a pipeline can start, which are skipped and why, and the resulting condition of the run. It
 * depends only on the run, its resolved pipeline and its TaskRuns. Source: tektoncd/pipeline, docs/pipelines.md and
 * docs/pipelineruns.md.
 */

export const cancelMessageOf = ({ spec: { status } }: PipelineRun): string =>
  status === 'Cancelled' || status === 'CancelledRunFinally' ? cancelMessages.requested : cancelMessages.timedOut

export interface Progress {
  start: TaskToStart[]
  /** Running children to cancel. */
  cancel: ChildRun[]
  skippedTasks: SkippedTask[]
  childReferences: ChildReference[]
  /** Results of the pipeline, once it is done. */
  results: RunResult[]
  condition: Pick<Condition, 'status' | 'reason' | 'message'>
  isDone: boolean
}

/** The pipeline as in `status.pipelineSpec`: with the params and names of this run substituted. */
export function resolvedPipelineSpec(run: PipelineRun, spec: PipelineSpec): PipelineSpec {
  const params = new Map<string, ParamValue>()
  for (const { name, default: value } of spec.params ?? []) if (value !== undefined) params.set(name, value)
  for (const { name, value } of run.spec.params ?? []) params.set(name, value)
  const context: Record<string, string | undefined> = {
    'context.pipelineRun.name': run.metadata.name,
    'context.pipelineRun.namespace': run.metadata.namespace,
    'context.pipelineRun.uid': run.metadata.uid,
    'context.pipeline.name': run.spec.pipelineRef?.name ?? run.metadata.name,
  }
  const variables: Variables = (name) =>
    name.startsWith('params.') ? params.get(name.slice('params.'.length)) : context[name]
  // Defaults may refer to the run, tasks to the params.
  for (const [name, value] of params) params.set(name, substitute(value, variables))
  return {
    ...spec,
    tasks: substitute(spec.tasks, variables),
    ...(spec.finally && { finally: substitute(spec.finally, variables) }),
    ...(spec.results && { results: substitute(spec.results, variables) }),
  }
}

/**
 * @param spec result of `resolvedPipelineSpec`
 * @param taskRuns of this run, in any order
 * @param timedOut which of the run's timeouts has passed
 */
export function progressOf(run: PipelineRun, spec: PipelineSpec, taskRuns: ChildRun[], timedOut?: TimedOut): Progress {
  const name = run.metadata.name ?? ''
  const nodes = nodesOf(spec, taskRuns)
  const dag = [...nodes.values()].filter(({ isFinally }) => !isFinally)
  const finals = [...nodes.values()].filter(({ isFinally }) => isFinally)
  const variables = variablesOf(nodes)
  const requested = run.spec.status
  const unfinished = taskRuns.filter((taskRun) => !isFinished(taskRun))
  const childReferences = [...nodes.values()].flatMap((node) => childReferencesOf(node, variables))
  const ended = (status: 'False' | 'Unknown', reason: string, message: string, cancel: ChildRun[] = []): Progress => ({
    start: [],
    cancel,
    childReferences,
    skippedTasks: run.status?.skippedTasks ?? [],
    results: [],
    condition: { status, reason, message },
    isDone: status === 'False',
  })

  if (requested === 'PipelineRunPending' && taskRuns.length === 0) {
    return ended('Unknown', 'PipelineRunPending', `PipelineRun "${name}" is pending`)
  }
  if (requested === 'Cancelled') return ended('False', 'Cancelled', `PipelineRun "${name}" was cancelled`, unfinished)
  if (timedOut === 'pipeline') {
    const message = `PipelineRun "${name}" failed to finish within "${normalizedTimeout(run.spec.timeouts?.pipeline ?? '1h0m0s')}"`
    return ended('False', 'PipelineRunTimeout', message, unfinished)
  }

  const tasks = [...nodes.values()].map(({ task }) => task)
  const invalidCel = celError(tasks, variables)
  if (invalidCel !== undefined) {
    return ended('False', 'CELEvaluationFailed', `${userError}Error evaluating CEL ${name}: ${invalidCel}`)
  }

  const isStopping = dag.some((node) => hasFailed(node) || node.state === 'cancelled')
  const skipOf = (node: Node, path: Node[] = []): SkipReason | undefined => {
    if (node.isDecided || node.state !== 'waiting' || path.includes(node)) return node.skip
    node.skip = reasonToSkip(node, [...path, node])
    node.isDecided = true
    return node.skip
  }
  const isSettled = (node: Node, path: Node[] = []) =>
    (node.state !== 'waiting' && node.state !== 'running') || skipOf(node, path) !== undefined

  function reasonToSkip(node: Node, path: Node[]): SkipReason | undefined {
    if (isStopping) return skipReasons.stopping
    if (requested === 'CancelledRunFinally') return skipReasons.cancelled
    if (requested === 'StoppedRunFinally') return skipReasons.stopped
    const parents = parentsOf(node.task).flatMap((parent) => nodes.get(parent) ?? [])
    const skips = parents.map((parent) => skipOf(parent, path))
    if (skips.some((skip) => skip && skip !== skipReasons.when)) return skipReasons.parents
    if (parents.every((parent) => isSettled(parent, path))) {
      const isMissing = referencesOf(node.task).some(({ task }) => nodes.get(task)?.skip === skipReasons.when)
      if (isMissing) return skipReasons.results
      if (!whenHolds(node.task, variables)) return skipReasons.when
      if (node.task.matrix && combinationsOf(substitute(node.task.matrix, variables)).length === 0) {
        return skipReasons.emptyMatrix
      }
      if (timedOut === 'tasks') return skipReasons.tasksTimeout
    }
    return undefined
  }

  function reasonToSkipFinally({ task }: Node): SkipReason | undefined {
    if (missingResult(task, nodes)) return skipReasons.results
    if (!whenHolds(task, variables)) return skipReasons.when
    return timedOut === 'finally' ? skipReasons.finallyTimeout : undefined
  }

  for (const node of dag) skipOf(node)
  const areTasksDone = dag.every((node) => isSettled(node))
  if (areTasksDone) for (const node of finals) if (node.state === 'waiting') node.skip = reasonToSkipFinally(node)

  const ready = (areTasksDone ? finals : dag).filter(
    (node) =>
      node.state === 'waiting' &&
      !node.skip &&
      (node.isFinally || parentsOf(node.task).every((parent) => isSettledName(parent))),
  )
  function isSettledName(parent: string): boolean {
    const node = nodes.get(parent)
    return !node || isSettled(node)
  }

  for (const { task, isFinally } of ready) {
    const missing = isFinally ? undefined : missingResult(task, nodes)
    if (!missing) continue
    const what = `Could not find result with name ${missing.result} for task ${missing.task}`
    return ended('False', 'InvalidTaskResultReference', `Invalid task result reference: ${what}`, unfinished)
  }

  const haveTasksTimedOut = (timedOut === 'tasks' && !areTasksDone) || dag.some(wasTimedOut)
  const condition = conditionOf(run, [...nodes.values()], haveTasksTimedOut)
  const isDone = condition.status !== 'Unknown'
  const mustCancel = requested === 'CancelledRunFinally' || timedOut === 'tasks'
  const cancelled = [...(mustCancel ? dag : []), ...(timedOut === 'finally' ? finals : [])]
  // The creation of a matrix's TaskRuns may have been interrupted.
  const canStart = !requested && !timedOut
  const incompleteMatrices = [...nodes.values()].filter(
    ({ task, state, isFinally }) => canStart && task.matrix && state === 'running' && (isFinally || !isStopping),
  )
  const known = new Set(taskRuns.map(({ metadata }) => metadata.name))
  return {
    start: [...ready, ...incompleteMatrices]
      .flatMap((node) => tasksToStart(node, variables))
      .filter((each) => !known.has(taskRunNameOf(run, each))),
    cancel: cancelled.flatMap((node) => node.taskRuns.filter((taskRun) => !isFinished(taskRun))),
    skippedTasks: [...nodes.values()].flatMap(({ task, skip }) =>
      skip ? [{ name: task.name, reason: skip, ...whenOf(task, variables) }] : [],
    ),
    childReferences,
    results: isDone ? resultsOf(spec, variables) : [],
    condition,
    isDone,
  }
}

const childReferencesOf = ({ task, taskRuns }: Node, variables: Variables): ChildReference[] =>
  taskRuns.map((child) => {
    const { apiVersion = 'tekton.dev/v1', kind = 'TaskRun', metadata } = child
    const displayName = displayNameOf(task, child, variables)
    return {
      apiVersion,
      kind,
      name: metadata.name ?? '',
      pipelineTaskName: task.name,
      ...(displayName && { displayName }),
      ...whenOf(task, variables),
    }
  })

/** The display name of a task or of an instance of its matrix, which may refer to the params of that instance. */
function displayNameOf({ displayName, matrix }: PipelineTask, { spec }: ChildRun, variables: Variables) {
  const written = (matrix && includeNamesOf(substitute(matrix, variables), spec.params)) ?? displayName
  const ownParams: Variables = (name) => spec.params?.find((param) => `params.${param.name}` === name)?.value
  return written && substitute(written, (name) => ownParams(name) ?? variables(name))
}

/** Whether the tasks' timeout ended this task or kept it from starting. */
const wasTimedOut = ({ skip, taskRuns }: Node): boolean =>
  skip === skipReasons.tasksTimeout || taskRuns.some(({ spec }) => spec.statusMessage === cancelMessages.timedOut)

function tasksToStart({ task, isFinally }: Node, variables: Variables): TaskToStart[] {
  const resolved = substitute(task, variables)
  const params = resolved.params ?? []
  if (!resolved.matrix) return [{ task: resolved, params, isFinally }]
  return combinationsOf(resolved.matrix).map((combination, index) => {
    const own = new Set(combination.map(({ name }) => name))
    return {
      task: resolved,
      params: [...params.filter(({ name }) => !own.has(name)), ...combination],
      combination: index,
      isFinally,
    }
  })
}

/** Omits results that refer to skipped or failed tasks. */
const resultsOf = (spec: PipelineSpec, variables: Variables): RunResult[] =>
  (spec.results ?? []).flatMap(({ name, value }) => {
    const result = substitute(value, variables)
    return JSON.stringify(result).includes('$(') ? [] : [{ name, value: result }]
  })

function conditionOf(run: PipelineRun, nodes: Node[], haveTasksTimedOut: boolean): Progress['condition'] {
  const count = (state: Node['state']) => nodes.filter((node) => node.state === state).length
  const allFailed = count('failed')
  const failed = nodes.filter(hasFailed).length
  const ignored = allFailed - failed
  const cancelled = count('cancelled')
  const skipped = nodes.filter(({ skip }) => skip).length
  const completed = count('succeeded') + allFailed + cancelled
  const incomplete = nodes.length - completed - skipped
  const ignoredText = ignored > 0 ? ` (Ignored: ${ignored})` : ''
  const completedText = `Tasks Completed: ${completed} (Failed: ${allFailed}${ignoredText}, Cancelled ${cancelled})`
  const requested = run.spec.status
  const areFinalsDone = nodes.every(
    ({ isFinally, state, skip }) => !isFinally || skip || (state !== 'waiting' && state !== 'running'),
  )
  if (haveTasksTimedOut && areFinalsDone) {
    const limit = formatGoDuration(tasksTimeoutMsOf(run) ?? Infinity)
    const message = `PipelineRun "${run.metadata.name ?? ''}" failed due to tasks failed to finish within "${limit}"`
    return { status: 'False', reason: 'PipelineRunTimeout', message }
  }
  if (incomplete > 0) {
    // A failed run still counts as running until its finally tasks are done.
    const isStopping = cancelled > 0 || (failed > 0 && areFinalsDone)
    const reason = haveTasksTimedOut
      ? 'PipelineRunTimeoutRunningFinally'
      : requested === 'CancelledRunFinally'
        ? 'CancelledRunningFinally'
        : requested === 'StoppedRunFinally'
          ? 'StoppedRunningFinally'
          : isStopping
            ? 'PipelineRunStopping'
            : 'Running'
    const message = `${completedText}, Incomplete: ${incomplete}, Skipped: ${skipped}`
    return { status: 'Unknown', reason, message }
  }
  const message = `${completedText}, Skipped: ${skipped}`
  const hasFinallyTimedOut = nodes.some(({ skip }) => skip === skipReasons.finallyTimeout)
  if (failed > 0 || hasFinallyTimedOut) return { status: 'False', reason: 'Failed', message }
  if (requested === 'CancelledRunFinally' || requested === 'StoppedRunFinally') {
    return { status: 'False', reason: 'Cancelled', message: `PipelineRun "${run.metadata.name ?? ''}" was cancelled` }
  }
  if (cancelled > 0) return { status: 'False', reason: 'Cancelled', message }
  return { status: 'True', reason: skipped > 0 ? 'Completed' : 'Succeeded', message }
}
