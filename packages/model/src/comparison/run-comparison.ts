import { neighboursOf } from '../directed-graph'
import { runGraph, type TaskNode } from '../graphs/pipeline-graph'
import { groupBy } from '../grouping'
import type { RunStatusWord } from '../runs/run-status'
import { durationMsOf } from '../runs/tekton'
import { type Fact, factKinds, type FactKind, factsOf, type RunWithTasks } from './run-facts'

/** What differs between two runs of a pipeline, such as one that failed and the last one that did not. */

export interface Difference extends Pick<Fact, 'kind' | 'task' | 'name'> {
  /** `undefined` if only the later run has it. */
  before: string | undefined
  after: string | undefined
}

/** A task in both runs. */
export interface ComparedTask {
  /** Its name, with that of the instance for one of a matrix. */
  name: string
  /** `undefined` in a run whose pipeline does not have it. */
  before: TaskState | undefined
  after: TaskState | undefined
}

export interface TaskState {
  status: RunStatusWord
  /** `undefined` for a task that has not run to its end. */
  durationMs: number | undefined
  /** Name of its task run; `undefined` if there is none. */
  taskRun: string | undefined
}

export interface RunComparison {
  /** The most suspicious ones first. Empty if nothing differs but times and generated names. */
  differences: Difference[]
  /** In the order of the pipeline. */
  tasks: ComparedTask[]
}

/** Swapping the runs swaps `before` and `after` of each difference, and changes neither which there are nor their order. */
export function compareRuns(before: RunWithTasks, after: RunWithTasks): RunComparison {
  const [earlier, later] = [runGraph(before.run, before.taskRuns).nodes, runGraph(after.run, after.taskRuns).nodes]
  const tasks = alignedTasks(statesOf(earlier, before), statesOf(later, after))
  const onWay = tasksOnTheWay([...earlier, ...later])
  const found = [...differingFacts(factsOf(before), factsOf(after)), ...differingDurations(tasks)]
  const differences = withoutConsequences(found)
    .map((difference) => ({ difference, suspicion: suspicionOf(difference, onWay) }))
    .sort((a, b) => b.suspicion - a.suspicion || compareNames(a.difference, b.difference))
    .map(({ difference }) => difference)
  return { differences, tasks }
}

const compareNames = (a: Difference, b: Difference): number =>
  factKinds.indexOf(a.kind) - factKinds.indexOf(b.kind) ||
  (a.task ?? '').localeCompare(b.task ?? '', 'en') ||
  a.name.localeCompare(b.name, 'en')

/** Facts that a task which did not get so far cannot have: without them in one of the runs, nothing is known to differ. */
const outputs: ReadonlySet<FactKind> = new Set(['Result', 'Base image', 'Step image', 'Outcome', 'Tekton'])

function differingFacts(before: readonly Fact[], after: readonly Fact[]): Difference[] {
  const [earlier, later] = [byIdentity(before), byIdentity(after)]
  return [...new Map([...earlier, ...later]).keys()].flatMap((key) => {
    const [a, b] = [earlier.get(key), later.get(key)]
    const either = a ?? b
    if (!either || a?.compared === b?.compared) return []
    if (outputs.has(either.kind) && !(a && b)) return []
    const { kind, task, name } = either
    return { kind, ...(task !== undefined && { task }), name, before: a?.text, after: b?.text }
  })
}

/** The task runs of a matrix state a fact once each: what differs is the set of what they say. */
function byIdentity(facts: readonly Fact[]): Map<string, Fact> {
  const groups = groupBy(facts, ({ kind, task, name }) => JSON.stringify([kind, task, name]))
  return new Map([...groups].flatMap(([key, [first, ...others]]) => (first ? [[key, joined(first, others)]] : [])))
}

const joined = (first: Fact, others: readonly Fact[]): Fact =>
  others.length === 0
    ? first
    : { ...first, text: joinedTexts([first, ...others], textOf), compared: joinedTexts([first, ...others], comparedOf) }

const textOf = ({ text }: Fact): string => text
const comparedOf = ({ text, compared = text }: Fact): string => compared
const joinedTexts = (facts: readonly Fact[], of: (fact: Fact) => string): string =>
  [...new Set(facts.map(of))].sort().join(', ')

/** A task takes longer or shorter in every run: by less than this factor and this time, it means nothing. */
const leastFactor = 1.5
const leastMs = 10_000

function differingDurations(tasks: readonly ComparedTask[]): Difference[] {
  return tasks.flatMap(({ name, before, after }): Difference[] => {
    // A task that fails ends early, or late.
    if (before?.durationMs === undefined || after?.durationMs === undefined || before.status !== after.status) return []
    const [shorter = 0, longer = 0] = [before.durationMs, after.durationMs].sort((a, b) => a - b)
    if (longer < shorter * leastFactor || longer - shorter < leastMs) return []
    const [from, to] = [secondsText(before.durationMs), secondsText(after.durationMs)]
    return [{ kind: 'Duration', task: name, name: 'Duration', before: from, after: to }]
  })
}

const secondsText = (ms: number): string => `${Math.round(ms / 1_000)} s`

/** What follows from another difference, and says no more than that. */
function withoutConsequences(differences: readonly Difference[]): Difference[] {
  const ofRun = differences.filter(({ kind, task }) => kind === 'Parameter' && task === undefined)
  const passed = new Set(ofRun.map(({ before, after }) => JSON.stringify([before, after])))
  const oneSided = new Set(differences.flatMap(({ kind, task }) => (kind === 'Task' ? (task ?? []) : [])))
  const redefined = new Set(differences.flatMap(({ kind, task }) => (kind === 'Task definition' ? (task ?? []) : [])))
  return differences.filter(({ kind, task, before, after }) => {
    if (task === undefined) return true
    if (oneSided.has(task)) return kind === 'Task'
    if (kind === 'Step image') return !redefined.has(task)
    // Tekton replaces the parameters of the run in those of its tasks.
    return kind !== 'Parameter' || !passed.has(JSON.stringify([before, after]))
  })
}

/** Statuses of a task that the failure of a run may come from. */
const failedStatuses: ReadonlySet<RunStatusWord> = new Set(['Failed', 'FailedToStart', 'Test Failures'])

/** The tasks that have failed, and those whose output they may use. All of them if it is not known which has failed. */
function tasksOnTheWay(nodes: readonly TaskNode[]): (task: string) => boolean {
  const failed = nodes.filter(({ status }) => failedStatuses.has(status)).map(({ task }) => task)
  if (failed.length === 0) return () => true
  const parents = neighboursOf(
    nodes.flatMap(({ task, runAfter }) => runAfter.map((from) => ({ from, to: task }))),
    'to',
    'from',
  )
  const found = new Set(failed)
  // A set can grow while it is iterated.
  for (const task of found) for (const parent of parents.get(task) ?? []) found.add(parent)
  return (task) => found.has(task)
}

/**
 * From 1, the most suspicious, to 0. What hardly ever changes between two runs tells more than the commit, which nearly
 * always does; what the runs have come to is what is to be explained.
 */
const suspicions: Record<FactKind, number> = {
  'Task definition': 0.95,
  Parameter: 0.9,
  Task: 0.85,
  Pipeline: 0.8,
  Component: 0.78,
  'Base image': 0.75,
  Commit: 0.7,
  Setting: 0.65,
  'Step image': 0.6,
  Tekton: 0.55,
  Duration: 0.3,
  Result: 0.2,
  Outcome: 0.1,
}

/** Suspicion of a change to a task that the failed one does not depend on: less than that of a commit. */
const elsewhere = 0.5

function suspicionOf({ kind, task }: Difference, isOnTheWay: (task: string) => boolean): number {
  const suspicion = suspicions[kind]
  return task === undefined || isOnTheWay(task) ? suspicion : suspicion * elsewhere
}

function statesOf(nodes: readonly TaskNode[], { taskRuns }: RunWithTasks): Map<string, TaskState> {
  const byName = new Map(taskRuns.map((taskRun) => [taskRun.metadata.name, taskRun]))
  return new Map(
    nodes.map(({ task, instance, status, taskRun: name }) => {
      const taskRun = byName.get(name)
      const title = instance === undefined ? task : `${task} (${instance})`
      return [title, { status, durationMs: taskRun && durationMsOf(taskRun), taskRun: name }]
    }),
  )
}

/** In the order of the later run; tasks that only the earlier one has come last. */
const alignedTasks = (before: Map<string, TaskState>, after: Map<string, TaskState>): ComparedTask[] =>
  [...new Set([...after.keys(), ...before.keys()])].map((name) => ({
    name,
    before: before.get(name),
    after: after.get(name),
  }))
