import { specOf } from '@slipway/kube/object'
import { topologicalSort, neighboursOf, transitiveReduction, type Edge, type Graph, type GraphNode } from './graph'
import { labels } from '../labels'
import { instanceNames } from '../runs/matrix-instances'
import type { ChildReference, PipelineRun } from '../runs/pipeline-run'
import { taskRunStatus, type RunStatusWord, type TaskRunStatusOf } from '../runs/run-status'
import { testOutputOf, vulnerabilitiesOf } from '../runs/task-results'
import type { TaskRun } from '../runs/task-run'
import { isFinished, type PipelineSpec, type PipelineTask, type WhenExpression } from '../runs/tekton'

/** A task of a run, or one instance of its matrix. */
export interface TaskNode extends GraphNode {
  kind: 'task' | 'finally'
  status: RunStatusWord
  /** As the pipeline names it. */
  task: string
  /** Which of a matrix; the label then says it, and the note which task. */
  instance?: string
  /** Name of its TaskRun; absent while there is none. */
  taskRun?: string
  /** Names of the tasks that it comes after, all that the pipeline says; `finally` comes after every one. */
  runAfter: string[]
  /** On what the task depends, with what is known put in; absent for a task without conditions. */
  when?: { expressions: WhenExpression[]; outcome: WhenOutcome | undefined }
  /** Name of the TaskRun that it had, which nothing has any more. */
  lostRun?: string
  /** Why it was skipped, as Tekton says it. */
  skipReason?: string
  /** How often it was tried again. */
  retries?: number
}

export type WhenOutcome = 'met' | 'unmet'

interface GraphKnowledge {
  /** Whether there are no other task runs, in the cluster or an archive. */
  isComplete?: boolean
  statusOf?: TaskRunStatusOf
}

/**
 * The tasks of a run and what comes after what. The pipeline is that of the status, else that of the spec; of a run
 * of which neither is known (archives may drop both), the tasks that have run stand there without edges. Never
 * throws, whatever is missing or makes no sense. Specification 2, "Workflow graphs".
 * @param taskRuns of the run, in any order; `undefined` where they cannot be known
 */
export function runGraph(
  run: PipelineRun,
  taskRuns: readonly TaskRun[] | undefined,
  { isComplete: areAll = taskRuns !== undefined, statusOf = taskRunStatus }: GraphKnowledge = {},
): Graph<TaskNode> {
  const tasks = tasksOf(run, taskRuns ?? [])
  const known = new Set(tasks.filter(({ isFinally }) => !isFinally).map(({ task }) => task.name))
  const nodes: TaskNode[] = []
  const nodesOfTask = new Map<string, string[]>()
  for (const each of tasks) {
    const runAfter = each.isFinally ? [] : parentsOf(each.task).filter((name) => known.has(name))
    const own = nodesFor(each, run, { isComplete: areAll, statusOf }, runAfter)
    nodesOfTask.set(
      each.task.name,
      own.map(({ id }) => id),
    )
    nodes.push(...own)
  }
  const between = nodes.flatMap(({ id, runAfter }) =>
    runAfter.flatMap((parent) => (nodesOfTask.get(parent) ?? []).map((from): Edge => ({ from, to: id }))),
  )
  const dag = transitiveReduction(
    topologicalSort(
      nodes.filter(({ kind }) => kind === 'task'),
      between,
    ),
  )
  const finals = nodes.filter(({ kind }) => kind === 'finally')
  const inner = neighboursOf(dag.edges, 'from', 'to')
  const last = dag.nodes.filter(({ id }) => !inner.has(id))
  return {
    nodes: [...dag.nodes, ...finals],
    edges: [...dag.edges, ...finals.flatMap(({ id }) => last.map((node) => ({ from: node.id, to: id })))],
  }
}

/** A condition of a task as the status of the task tells it. Specification 2, "Workflow graphs". */
export function whenOutcome(status: RunStatusWord): WhenOutcome | undefined {
  return outcomes[status]
}

const outcomes: Partial<Record<RunStatusWord, WhenOutcome>> = {
  Succeeded: 'met',
  Failed: 'met',
  // What has succeeded and then been judged by its results, and what has begun at all, was let through as well.
  'Test Failures': 'met',
  'Test Warnings': 'met',
  Running: 'met',
  Cancelled: 'met',
  Cancelling: 'met',
  Skipped: 'unmet',
  'In Progress': 'unmet',
  Idle: 'unmet',
}

interface KnownTask {
  task: PipelineTask
  isFinally: boolean
  runs: TaskRun[]
  /** Several runs are instances, and not one run after the other. */
  hasInstances: boolean
}

/** Tasks of the pipeline, in its order, and then those that have run without being in it. */
function tasksOf(run: PipelineRun, taskRuns: readonly TaskRun[]): KnownTask[] {
  const spec = [run.status?.pipelineSpec, specOf(run).pipelineSpec].find(hasTasks)
  const runsOf = new Map<string, TaskRun[]>()
  for (const taskRun of taskRuns) {
    const name = taskRun.metadata.labels?.[labels.pipelineTask] ?? referenceTo(run, taskRun) ?? taskRun.metadata.name
    if (!name) continue
    const known = runsOf.get(name)
    if (known) known.push(taskRun)
    else runsOf.set(name, [taskRun])
  }
  const references = new Map<string, Set<string>>()
  for (const { name, pipelineTaskName } of listOf(run.status?.childReferences)) {
    references.set(pipelineTaskName, (references.get(pipelineTaskName) ?? new Set()).add(name))
  }
  const tasks = new Map<string, KnownTask>()
  const add = (task: PipelineTask, isFinally: boolean) => {
    if (!isText(task.name) || tasks.has(task.name)) return
    const runs = runsOf.get(task.name) ?? []
    const hasInstances = task.matrix !== undefined || !spec || (references.get(task.name)?.size ?? 0) > 1
    tasks.set(task.name, { task, isFinally, runs: runs.sort(byName), hasInstances })
  }
  for (const task of listOf(spec?.tasks)) add(task, false)
  for (const task of listOf(spec?.finally)) add(task, true)
  const others = [...runsOf].sort(([, [a]], [, [b]]) => (createdAt(a) < createdAt(b) ? -1 : 1))
  for (const [name, [first]] of others) add({ name }, first?.metadata.labels?.[labels.memberOf] === 'finally')
  for (const name of references.keys()) add({ name }, false)
  // Without a list of the tasks that have run, what is known to have been skipped is part of the run as well.
  for (const { name } of listOf(run.status?.skippedTasks)) add({ name }, false)
  return [...tasks.values()]
}

function nodesFor(
  { task, isFinally, runs, hasInstances }: KnownTask,
  run: PipelineRun,
  { isComplete: areAll, statusOf }: Required<GraphKnowledge>,
  runAfter: string[],
): TaskNode[] {
  const base = { kind: isFinally ? 'finally' : 'task', task: task.name, runAfter } as const
  if (hasInstances && runs.length > 1) {
    const names = instanceNames(task, runs)
    return runs.map((taskRun, index) => ({
      ...base,
      id: `${task.name}/${taskRun.metadata.name ?? index}`,
      label: names[index] ?? '',
      note: task.name,
      instance: names[index] ?? '',
      ...factsOf(taskRun, statusOf(taskRun)),
      ...whenOf(task, run, statusOf(taskRun)),
    }))
  }
  const taskRun = hasInstances ? runs[0] : newestOf(runs)
  const skipped = listOf(run.status?.skippedTasks).find(({ name }) => name === task.name)
  const status = taskRun ? statusOf(taskRun) : statusWithoutRun(run, task.name, areAll)
  const lostRun = taskRun || skipped || !areAll ? undefined : lostRunOf(run, task.name)
  return [
    {
      ...base,
      id: task.name,
      label: task.name,
      status,
      ...(taskRun && factsOf(taskRun, status)),
      ...(lostRun && { lostRun, detail: 'task run gone' }),
      ...(!taskRun && isText(skipped?.reason) && { skipReason: skipped.reason }),
      ...whenOf(task, run, status),
    },
  ]
}

/**
 * Status of a task of which there is no TaskRun. Specification 2, "Workflow graphs".
 * @param task as the pipeline names it
 * @param areAll whether all task runs of the run are known
 */
function statusWithoutRun(run: PipelineRun, task: string, areAll: boolean): RunStatusWord {
  if (!run.status) return 'Pending'
  if (listOf(run.status.skippedTasks).some(({ name }) => name === task)) return 'Skipped'
  // It did run, as its pipeline run says, but nobody is told how.
  return referencesTo(run, task).length > 0 && !areAll ? 'Unknown' : 'Idle'
}

/** A TaskRun is deleted on its own only when its run is over; before that it may be about to come. */
const lostRunOf = (run: PipelineRun, task: string): string | undefined =>
  isFinished(run)
    ? referencesTo(run, task)
        .filter(isToTaskRun)
        .map(({ name }) => name)
        .join(', ') || undefined
    : undefined

/** Names of the task runs that a run says it has had. */
export const taskRunNamesOf = (run: PipelineRun): string[] =>
  listOf(run.status?.childReferences)
    .filter(isToTaskRun)
    .map(({ name }) => name)

const isToTaskRun = ({ kind = 'TaskRun' }: ChildReference): boolean => kind === 'TaskRun'

const referencesTo = (run: PipelineRun, task: string): ChildReference[] =>
  listOf(run.status?.childReferences).filter(({ pipelineTaskName }) => pipelineTaskName === task)

function factsOf(taskRun: TaskRun, status: RunStatusWord) {
  const tests = testOutputOf(taskRun)
  const vulnerabilities = vulnerabilitiesOf(taskRun)
  const tries = listOf(taskRun.status?.retriesStatus).length
  return {
    status,
    taskRun: taskRun.metadata.name ?? '',
    // Of what nobody knows how it ended nobody knows when.
    ...(status !== 'Unknown' && { startTime: taskRun.status?.startTime, endTime: taskRun.status?.completionTime }),
    ...(isFinished(taskRun) && !taskRun.status?.completionTime && { isEndUnknown: true }),
    ...(tests?.failures && { testFailCount: tests.failures }),
    ...(tests?.warnings && { testWarnCount: tests.warnings }),
    ...(vulnerabilities && { vulnerabilities }),
    ...(tries > 0 && { retries: tries }),
  }
}

function whenOf(task: PipelineTask, run: PipelineRun, status: RunStatusWord): Pick<TaskNode, 'when'> {
  const written = listOf(task.when)
  const reference = listOf(run.status?.childReferences).find(({ pipelineTaskName }) => pipelineTaskName === task.name)
  const skipped = listOf(run.status?.skippedTasks).find(({ name }) => name === task.name)
  const known = listOf(reference?.whenExpressions ?? skipped?.whenExpressions)
  if (written.length === 0 && known.length === 0) return {}
  return { when: { expressions: known.length > 0 ? known : written, outcome: whenOutcome(status) } }
}

/** Tasks that must be over before this one, by order or because it needs what they put out. */
function parentsOf(task: PipelineTask): string[] {
  // `resources` is of v1beta1, of which archives keep runs.
  const { params, when, matrix, resources } = task as PipelineTask & { resources?: { inputs?: { from?: unknown }[] } }
  const used = JSON.stringify([params, when, matrix]).matchAll(/\$\(tasks\.([^.()[\]$\s]+)\.(?:results|outputs)\b/g)
  return [
    ...new Set([
      ...listOf(task.runAfter),
      ...[...used].flatMap(([, name]) => name ?? []),
      ...listOf(resources?.inputs).flatMap(({ from }) => listOf(from as string[] | undefined)),
    ]),
  ].filter((name) => isText(name) && name !== task.name)
}

const hasTasks = (spec: PipelineSpec | undefined): spec is PipelineSpec =>
  listOf(spec?.tasks).length > 0 || listOf(spec?.finally).length > 0

const referenceTo = (run: PipelineRun, { metadata }: TaskRun): string | undefined =>
  listOf(run.status?.childReferences).find(({ name }) => name === metadata.name)?.pipelineTaskName

/** Instances are numbered by Tekton: `…-2` is before `…-10`. */
const byName = (a: TaskRun, b: TaskRun) =>
  (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '', 'en', { numeric: true })

const createdAt = (run: TaskRun | undefined): string => run?.metadata.creationTimestamp ?? run?.status?.startTime ?? ''

const newestOf = (runs: TaskRun[]): TaskRun | undefined =>
  runs.reduce<TaskRun | undefined>(
    (newest, run) => (newest && createdAt(newest) > createdAt(run) ? newest : run),
    undefined,
  )

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** What archives and custom pipelines hold may be anything where a list ought to be; entries that are no objects go. */
function listOf<T>(value: readonly T[] | undefined | null): T[] {
  return Array.isArray(value) ? (value as T[]).filter((each) => each !== null && each !== undefined) : []
}
