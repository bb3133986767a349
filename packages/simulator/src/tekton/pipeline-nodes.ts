import type { CustomRun } from '@slipway/model/runs/custom-run'
import { labels } from '@slipway/model/labels'
import type { TaskRun } from '@slipway/model/runs/task-run'
import {
  isFinished,
  succeededCondition,
  type ParamValue,
  type PipelineSpec,
  type PipelineTask,
  type WhenExpression,
} from '@slipway/model/runs/tekton'
import { evaluateCel } from './cel'
import { resultReferences, substitute, type ResultReference, type Variables } from './substitution'

/** The tasks of a pipeline with their current states. */

export const skipReasons = {
  when: 'When Expressions evaluated to false',
  parents: 'Parent Tasks were skipped',
  results: 'Results were missing',
  stopping: 'PipelineRun was stopping',
  cancelled: 'PipelineRun was gracefully cancelled',
  stopped: 'PipelineRun was gracefully stopped',
  tasksTimeout: 'PipelineRun Tasks timeout has been reached',
  finallyTimeout: 'PipelineRun Finally timeout has been reached',
  emptyMatrix: 'Matrix Parameters have an empty array',
} as const

export type SkipReason = (typeof skipReasons)[keyof typeof skipReasons]

/** Messages for a TaskRun that is cancelled. */
export const cancelMessages = {
  requested: 'TaskRun cancelled as the PipelineRun it belongs to has been cancelled.',
  timedOut: 'TaskRun cancelled as the PipelineRun it belongs to has timed out.',
} as const

/** An object that a run creates for a task of its pipeline. */
export type ChildRun = TaskRun | CustomRun

export interface Node {
  task: PipelineTask
  isFinally: boolean
  taskRuns: ChildRun[]
  state: 'waiting' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  skip?: SkipReason
  /** Whether `skip` has been determined. */
  isDecided?: boolean
}

/** Whether it has failed and its failure is not ignored. */
export const hasFailed = ({ state, task }: Node): boolean => state === 'failed' && task.onError !== 'continue'

export function nodesOf(spec: PipelineSpec, taskRuns: ChildRun[]): Map<string, Node> {
  const nodes = new Map<string, Node>()
  const add = (task: PipelineTask, isFinally: boolean) => {
    const own = taskRuns
      .filter(({ metadata }) => metadata.labels?.[labels.pipelineTask] === task.name)
      // Combinations of a matrix are numbered.
      .sort((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '', 'en', { numeric: true }))
    nodes.set(task.name, { task, isFinally, taskRuns: own, state: stateOf(own) })
  }
  for (const task of spec.tasks) add(task, false)
  for (const task of spec.finally ?? []) add(task, true)
  return nodes
}

const cancelledReasons = new Set<string | undefined>(['TaskRunCancelled', 'CustomRunCancelled'])

function stateOf(taskRuns: ChildRun[]): Node['state'] {
  if (taskRuns.length === 0) return 'waiting'
  if (!taskRuns.every(isFinished)) return 'running'
  const failed = taskRuns.filter((taskRun) => succeededCondition(taskRun)?.status === 'False')
  if (failed.length === 0) return 'succeeded'
  const cancelled = failed.filter((taskRun) => cancelledReasons.has(succeededCondition(taskRun)?.reason))
  // A task that was cancelled by a timeout has failed.
  if (cancelled.some(({ spec }) => spec.statusMessage === cancelMessages.timedOut)) return 'failed'
  return cancelled.length > 0 ? 'cancelled' : 'failed'
}

/** Cached by object, since tasks never change and are processed on every event of their run. */
const knownReferences = new WeakMap<PipelineTask, ResultReference[]>()

/** The results of other tasks that a task needs. */
export function referencesOf(task: PipelineTask): ResultReference[] {
  const known = knownReferences.get(task)
  if (known) return known
  const { params, when, matrix, displayName } = task
  const references = resultReferences({ params, when, matrix, displayName })
  knownReferences.set(task, references)
  return references
}

/** Tasks that must be settled before this one, by order or because it needs their results. */
export const parentsOf = (task: PipelineTask): string[] => [
  ...new Set([...(task.runAfter ?? []), ...referencesOf(task).map((reference) => reference.task)]),
]

const resultsOfNode = (node: Node, result: string): ParamValue[] => {
  const results = node.taskRuns.map((taskRun) => taskRun.status?.results?.find(({ name }) => name === result))
  return results.filter((found) => found !== undefined).map(({ value }) => value)
}

export function missingResult(task: PipelineTask, nodes: Map<string, Node>) {
  return referencesOf(task).find((reference) => {
    const node = nodes.get(reference.task)
    return !node || !node.taskRuns.some(({ status }) => status?.results?.some(({ name }) => name === reference.result))
  })
}

/** `tasks.{name}.results.{result}`, `tasks.{name}.status`, `tasks.status`, and the same of `finally`. */
export function variablesOf(nodes: Map<string, Node>): Variables {
  return (name) => {
    if (name === 'tasks.status') return aggregateStatusOf([...nodes.values()])
    const [, taskName = '', rest = ''] = /^(?:tasks|finally)\.([^.]+)\.(.+)$/.exec(name) ?? []
    const node = nodes.get(taskName)
    if (!node) return undefined
    if (rest === 'status') {
      if (node.state === 'succeeded') return 'Succeeded'
      return node.state === 'failed' || node.state === 'cancelled' ? 'Failed' : 'None'
    }
    if (!rest.startsWith('results.')) return undefined
    const values = resultsOfNode(node, rest.slice('results.'.length))
    // The results of all combinations of a matrix are joined.
    return node.task.matrix ? values.filter((value): value is string => typeof value === 'string') : values[0]
  }
}

function aggregateStatusOf(nodes: Node[]): string {
  const dag = nodes.filter(({ isFinally }) => !isFinally)
  if (dag.some(({ state }) => state === 'failed' || state === 'cancelled')) return 'Failed'
  if (dag.some(({ state }) => state === 'running')) return 'None'
  return dag.some(({ skip }) => skip) ? 'Completed' : 'Succeeded'
}

/** The `when` expressions with known variables substituted; empty for a task without any. */
export function whenOf(task: PipelineTask, variables: Variables): { whenExpressions?: WhenExpression[] } {
  return task.when?.length ? { whenExpressions: substitute(task.when, variables) } : {}
}

/** @throws Error for an invalid expression */
export const whenHolds = (task: PipelineTask, variables: Variables): boolean =>
  substitute(task.when ?? [], variables).every(({ cel, input = '', operator, values = [] }) =>
    cel ? evaluateCel(cel) : values.includes(input) === (operator === 'in'),
  )

/** Why a CEL expression of a task is invalid; `undefined` if none is. */
export function celError(tasks: PipelineTask[], variables: Variables): string | undefined {
  for (const { cel } of tasks.flatMap(({ when = [] }) => substitute(when, variables))) {
    try {
      if (cel) evaluateCel(cel)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  return undefined
}
