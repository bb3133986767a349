import { specOf } from '@slipway/kube/object'
import { topologicalSort, neighboursOf, transitiveReduction, type Edge } from '../directed-graph'
import type { Graph, GraphNode } from './graph'
import { labels } from '../labels'
import { instanceNames } from '../runs/matrix-instances'
import { isToOtherKind } from '../runs/other-children'
import type { ChildReference, PipelineRun } from '../runs/pipeline-run'
import {
  hasTimedOut,
  ignoredFailureOf,
  taskRunStatus,
  timedOutText,
  type RunStatusWord,
  type TaskRunStatusOf,
} from '../runs/run-status'
import { testOutputOf, vulnerabilitiesOf } from '../runs/task-results'
import { taskNameIn, type TaskRun } from '../runs/task-run'
import { isFinished, startTimeOf, type PipelineSpec, type PipelineTask, type WhenExpression } from '../runs/tekton'

/** A task of a run, or one instance of its matrix. */
export interface TaskNode extends GraphNode {
  kind: 'task' | 'finally'
  status: RunStatusWord
  /** Name of the task in the pipeline. */
  task: string
  /** Name of the matrix instance; then the label shows it and the note shows the task. */
  instance?: string
  /** Name of its TaskRun; absent if there is none. */
  taskRun?: string
  /** Names of all tasks that it depends on according to the pipeline; `finally` tasks depend on every other task. */
  runAfter: string[]
  /** The task's conditions, with known values substituted; absent for a task without conditions. */
  when?: {
    expressions: WhenExpression[]
    /** Their inputs as the pipeline writes them, such as `$(params.url)`; absent if that is all that is known. */
    inputs?: (string | undefined)[]
    outcome: WhenOutcome | undefined
  }
  /** Name of its TaskRun, which no longer exists anywhere. */
  lostRun?: string
  /** The run has ended without it. Present only then: a task of an unfinished run may still run. */
  hasNotRun?: true
  /** Why it was skipped, in Tekton's words. */
  skipReason?: string
  /** What the pipeline says about a task that has no TaskRun. */
  description?: string
  /** Number of retries. */
  retries?: number
}

export type WhenOutcome = 'met' | 'unmet'

interface GraphKnowledge {
  /** Whether these are all task runs, including archived ones. */
  isComplete?: boolean
  statusOf?: TaskRunStatusOf
}

/**
 * The graph of a run's tasks. The pipeline comes from the status, or else from the spec. If both are missing (archives
 * may drop them), the graph contains the tasks that have run, without edges. Never throws, even for missing or invalid
 * data. Specification 2, "Workflow graphs".
 * @param taskRuns task runs of the run, in any order; `undefined` if they cannot be known
 */
export function runGraph(
  run: PipelineRun,
  taskRuns: readonly TaskRun[] | undefined,
  { isComplete: isComplete = taskRuns !== undefined, statusOf = taskRunStatus }: GraphKnowledge = {},
): Graph<TaskNode> {
  const tasks = tasksOf(run, taskRuns ?? [])
  const known = new Set(tasks.filter(({ isFinally }) => !isFinally).map(({ task }) => task.name))
  const nodes: TaskNode[] = []
  const nodesOfTask = new Map<string, string[]>()
  for (const each of tasks) {
    const runAfter = each.isFinally ? [] : parentsOf(each.task).filter((name) => known.has(name))
    const own = nodesFor(each, run, { isComplete: isComplete, statusOf }, runAfter)
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

/** Outcome of a task's conditions, derived from its status. Specification 2, "Workflow graphs". */
export function whenOutcome(status: RunStatusWord): WhenOutcome | undefined {
  return outcomes[status]
}

const outcomes: Partial<Record<RunStatusWord, WhenOutcome>> = {
  Succeeded: 'met',
  Failed: 'met',
  // Any task that has started met its conditions, including one that succeeded with test findings.
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
  /** Several runs are matrix instances rather than successive runs. */
  hasInstances: boolean
}

/** Tasks of the pipeline in its order, followed by tasks that have run but are not in it. */
function tasksOf(run: PipelineRun, taskRuns: readonly TaskRun[]): KnownTask[] {
  const spec = [run.status?.pipelineSpec, specOf(run).pipelineSpec].find(hasTasks)
  const runsOf = new Map<string, TaskRun[]>()
  for (const taskRun of taskRuns) {
    const name = taskNameIn(run, taskRun)
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
  // Without a list of the tasks that have run, skipped tasks are part of the run as well.
  for (const { name } of listOf(run.status?.skippedTasks)) add({ name }, false)
  return [...tasks.values()]
}

function nodesFor(
  { task, isFinally, runs, hasInstances }: KnownTask,
  run: PipelineRun,
  { isComplete: isComplete, statusOf }: Required<GraphKnowledge>,
  runAfter: string[],
): TaskNode[] {
  const base = { kind: isFinally ? 'finally' : 'task', task: task.name, runAfter } as const
  if (hasInstances && runs.length > 1) {
    const names = instanceNames(
      task,
      runs,
      runs.map(({ metadata }) => displayNameOf(run, metadata.name)),
    )
    return runs.map((taskRun, index) => ({
      ...base,
      id: `${task.name}/${taskRun.metadata.name ?? index}`,
      label: names[index] ?? '',
      note: task.name,
      instance: names[index] ?? '',
      ...factsOf(taskRun, statusOf(taskRun)),
      ...whenOf(task, run, statusOf(taskRun), taskRun),
    }))
  }
  const taskRun = hasInstances ? runs[0] : newestOf(runs)
  const skipped = listOf(run.status?.skippedTasks).find(({ name }) => name === task.name)
  const status = taskRun ? statusOf(taskRun) : statusWithoutRun(run, task.name, isComplete)
  // Archives may drop the references: then only the task runs tell.
  const areRunsKnown = isComplete || run.status?.childReferences !== undefined
  const hasNotRun = !taskRun && !skipped && isFinished(run) && areRunsKnown && referencesTo(run, task.name).length === 0
  const description = [task.description, task.taskSpec?.description].find(isText)
  const other = taskRun ? undefined : referencesTo(run, task.name).find(isToOtherKind)
  const lostRun = taskRun || skipped || !isComplete ? undefined : lostRunOf(run, task.name)
  return [
    {
      ...base,
      id: task.name,
      ...namesOf(task, run, taskRun),
      status,
      ...(taskRun && factsOf(taskRun, status)),
      ...(hasNotRun && { hasNotRun, detail: 'did not run' }),
      ...(!taskRun && description && { description }),
      ...(other && { detail: `${other.kind} ${other.name}` }),
      ...(lostRun && { lostRun, detail: 'task run deleted' }),
      ...(!taskRun && isText(skipped?.reason) && { skipReason: skipped.reason }),
      ...whenOf(task, run, status, taskRun),
    },
  ]
}

/**
 * Status of a task without a TaskRun. Specification 2, "Workflow graphs".
 * @param task name of the task in the pipeline
 * @param isComplete whether all task runs of the run are known
 */
function statusWithoutRun(run: PipelineRun, task: string, isComplete: boolean): RunStatusWord {
  if (!run.status) return 'Pending'
  if (listOf(run.status.skippedTasks).some(({ name }) => name === task)) return 'Skipped'
  // The pipeline run says that it did run, but its outcome is unknown.
  const references = referencesTo(run, task)
  return (references.length > 0 && !isComplete) || references.some(isToOtherKind) ? 'Unknown' : 'Idle'
}

/** A TaskRun is deleted on its own only after its run has ended; before that it may not have been created yet. */
const lostRunOf = (run: PipelineRun, task: string): string | undefined =>
  isFinished(run)
    ? referencesTo(run, task)
        .filter(isToTaskRun)
        .map(({ name }) => name)
        .join(', ') || undefined
    : undefined

/** Names of the task runs and custom runs that a run refers to. */
export const childNamesOf = (run: PipelineRun): string[] =>
  listOf(run.status?.childReferences)
    .filter((reference) => !isToOtherKind(reference))
    .map(({ name }) => name)

/** The name that the pipeline gives a task run, such as an instance of a matrix. */
export function displayNameOf(run: PipelineRun, taskRun: string | undefined): string | undefined {
  const name = listOf(run.status?.childReferences).find(({ name }) => name === taskRun)?.displayName
  return isText(name) ? name : undefined
}

/** What a task is called: by its display name, and then with its name as the note. */
function namesOf(task: PipelineTask, run: PipelineRun, taskRun: TaskRun | undefined): Pick<TaskNode, 'label' | 'note'> {
  const given = displayNameOf(run, taskRun?.metadata.name ?? referencesTo(run, task.name)[0]?.name)
  // Tekton fills in variables only when it creates the task run.
  const written = isText(task.displayName) && !task.displayName.includes('$(') ? task.displayName : undefined
  const label = given ?? written
  return label && label !== task.name ? { label, note: task.name } : { label: task.name }
}

const isToTaskRun = ({ kind = 'TaskRun' }: ChildReference): boolean => kind === 'TaskRun'

const referencesTo = (run: PipelineRun, task: string): ChildReference[] =>
  listOf(run.status?.childReferences).filter(({ pipelineTaskName }) => pipelineTaskName === task)

function factsOf(taskRun: TaskRun, status: RunStatusWord) {
  const tests = testOutputOf(taskRun)
  const vulnerabilities = vulnerabilitiesOf(taskRun)
  const tries = listOf(taskRun.status?.retriesStatus).length
  const verdict = ignoredFailureOf(taskRun)
  return {
    status,
    ...(verdict && { verdict }),
    taskRun: taskRun.metadata.name ?? '',
    // If the outcome is unknown, so is the time of the end.
    ...(status !== 'Unknown' && { startTime: startTimeOf(taskRun), endTime: taskRun.status?.completionTime }),
    ...(isFinished(taskRun) && !taskRun.status?.completionTime && { isEndUnknown: true }),
    ...(hasTimedOut(taskRun) && { detail: timedOutText }),
    ...(tests?.failures && { testFailCount: tests.failures }),
    ...(tests?.warnings && { testWarnCount: tests.warnings }),
    ...(vulnerabilities && { vulnerabilities }),
    ...(tries > 0 && { retries: tries }),
  }
}

function whenOf(
  task: PipelineTask,
  run: PipelineRun,
  status: RunStatusWord,
  taskRun: TaskRun | undefined,
): Pick<TaskNode, 'when'> {
  const written = listOf(task.when)
  const reference = listOf(run.status?.childReferences).find(({ pipelineTaskName }) => pipelineTaskName === task.name)
  const skipped = listOf(run.status?.skippedTasks).find(({ name }) => name === task.name)
  const known = listOf(reference?.whenExpressions ?? skipped?.whenExpressions)
  if (written.length === 0 && known.length === 0) return {}
  const inputs = known.length === written.length ? written.map(({ input }) => input) : []
  return {
    when: {
      expressions: known.length > 0 ? known : written,
      ...(inputs.length > 0 && { inputs }),
      // Tekton creates the TaskRun of a task only once its conditions are met.
      outcome: whenOutcome(status) ?? (taskRun && 'met'),
    },
  }
}

/** Tasks that must finish before this one, because of `runAfter` or because it uses their results. */
function parentsOf(task: PipelineTask): string[] {
  // `resources` is a field of v1beta1, in which archives may contain runs.
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

/** Tekton numbers the instances: `…-2` comes before `…-10`. */
const byName = (a: TaskRun, b: TaskRun) =>
  (a.metadata.name ?? '').localeCompare(b.metadata.name ?? '', 'en', { numeric: true })

const createdAt = (run: TaskRun | undefined): string => run?.metadata.creationTimestamp ?? run?.status?.startTime ?? ''

const newestOf = (runs: TaskRun[]): TaskRun | undefined =>
  runs.reduce<TaskRun | undefined>(
    (newest, run) => (newest && createdAt(newest) > createdAt(run) ? newest : run),
    undefined,
  )

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Archives and custom pipelines may contain anything in place of a list. Drops entries that are not objects. */
function listOf<T>(value: readonly T[] | undefined | null): T[] {
  return Array.isArray(value) ? (value as T[]).filter((each) => each !== null && each !== undefined) : []
}
