import { neighboursOf } from '../directed-graph'
import { latestMs, msOf } from '../duration'
import { runGraph, type TaskNode } from './pipeline-graph'
import type { PipelineRun } from '../runs/pipeline-run'
import { runSteps, startFailureOf, type RunStep } from '../runs/run-steps'
import { taskRunStatus, type RunStatusWord, type TaskRunStatusOf } from '../runs/run-status'
import type { TaskRun } from '../runs/task-run'
import { isFinished } from '../runs/tekton'

/** When the tasks of a run were waiting and running, in milliseconds since 1970. */
export interface Timeline {
  fromMs: number
  /** End of the run, or now if it is still running. */
  toMs: number
  /** In the order in which they were created; at equal times `finally` tasks come last. */
  spans: Span[]
}

export interface Span {
  /** Id of the graph node. */
  id: string
  node: TaskNode
  createdMs: number
  /**
   * Start of the first step of the first attempt: until then it waited for a node, a volume or an image. Without steps
   * (archives may drop them), the start time set by Tekton. `undefined` while it is waiting.
   */
  startMs: number | undefined
  /** End, or now if it is still running. */
  endMs: number
  isOver: boolean
  /** If this task had been faster, so would the run. */
  isCritical: boolean
  steps: StepSpan[]
  /** Failed attempts that were followed by another. */
  tries: { startMs: number; endMs: number }[]
}

export interface StepSpan extends Pick<RunStep, 'name' | 'status' | 'verdict'> {
  startMs: number
  endMs: number
}

/**
 * Excludes tasks whose outcome or end time is unknown.
 * @param nowMs end of the spans that are still running
 */
export function timelineOf(
  run: PipelineRun,
  taskRuns: readonly TaskRun[],
  nowMs: number,
  statusOf: TaskRunStatusOf = taskRunStatus,
): Timeline {
  const graph = runGraph(run, taskRuns, { statusOf })
  const byName = new Map(taskRuns.map((taskRun) => [taskRun.metadata.name ?? '', taskRun]))
  const spans = graph.nodes
    .flatMap((node) => {
      const taskRun = node.status === 'Unknown' ? undefined : byName.get(node.taskRun ?? '')
      return (taskRun && node.taskRun !== undefined && spanOf(node, taskRun, nowMs)) || []
    })
    .sort((a, b) => a.createdMs - b.createdMs || Number(a.node.kind === 'finally') - Number(b.node.kind === 'finally'))
  const parents = neighboursOf(graph.edges, 'to', 'from')
  const critical = criticalPath(spans, parents)
  const begun = msOf(run.status?.startTime) ?? msOf(run.metadata.creationTimestamp)
  const ended = msOf(run.status?.completionTime)
  const fromMs = Math.min(...[begun ?? Infinity, ...spans.map(({ createdMs }) => createdMs)])
  const goesOn = ended === undefined && !isFinished(run)
  const toMs = Math.max(ended ?? -Infinity, ...spans.map(({ endMs }) => endMs), goesOn ? nowMs : -Infinity)
  return {
    fromMs: Number.isFinite(fromMs) ? fromMs : toMs,
    toMs: Math.max(toMs, Number.isFinite(fromMs) ? fromMs : toMs),
    spans: spans.map((span) => ({ ...span, isCritical: critical.has(span.id) })),
  }
}

function spanOf(node: TaskNode, { metadata, status, ...run }: TaskRun, nowMs: number): Span | undefined {
  const isOver = isFinished({ metadata, status, ...run })
  const ends = (Array.isArray(status?.steps) ? status.steps : []).map((step) => msOf(step?.terminated?.finishedAt))
  const completedMs = msOf(status?.completionTime) ?? (isOver ? latestMs(ends) : undefined)
  // It has ended at an unknown time.
  if (isOver && completedMs === undefined) return undefined
  const tries = (Array.isArray(status?.retriesStatus) ? status.retriesStatus : []).flatMap((each) => {
    const [startMs, endMs] = [msOf(each?.startTime), msOf(each?.completionTime)]
    return startMs === undefined || endMs === undefined ? [] : [{ startMs, endMs: Math.max(startMs, endMs) }]
  })
  const begunMs = msOf(status?.startTime)
  const steps = runSteps({ metadata, status, ...run }).flatMap(({ startTime, endTime, ...step }) => {
    const startMs = msOf(startTime)
    if (startMs === undefined) return []
    return [{ ...step, startMs, endMs: Math.max(startMs, msOf(endTime) ?? completedMs ?? nowMs) }]
  })
  const created = msOf(metadata.creationTimestamp) ?? tries[0]?.startMs ?? begunMs
  if (created === undefined) return undefined
  const hasNotStarted = startFailureOf({ metadata, status, ...run }) !== undefined
  const isWaiting =
    hasNotStarted || (steps.length === 0 && completedMs === undefined && (status?.steps?.length ?? 0) > 0)
  const firstMs = Math.min(...tries.map(({ startMs }) => startMs), ...steps.map(({ startMs }) => startMs))
  const startMs = Number.isFinite(firstMs) ? firstMs : isWaiting || !hasBegun(node.status) ? undefined : begunMs
  // Node clocks may differ slightly, but nothing ends before it was created.
  const createdMs = Math.min(created, startMs ?? created)
  const endMs = Math.max(createdMs, startMs ?? createdMs, completedMs ?? nowMs)
  return {
    id: node.id,
    node,
    createdMs,
    startMs,
    endMs,
    isOver: completedMs !== undefined,
    isCritical: false,
    steps,
    tries,
  }
}

const hasBegun = (status: RunStatusWord): boolean => status !== 'Pending'

/**
 * Goes back from the span that ended last, each time to the parent that ended last. A skipped task delays nothing
 * itself, but its parents do.
 */
function criticalPath(spans: readonly Span[], parents: Map<string, string[]>): Set<string> {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const path = new Set<string>()
  let current = latest(spans)
  while (current && !path.has(current.id)) {
    path.add(current.id)
    current = latest(spansBefore(current.id, byId, parents))
  }
  return path
}

function spansBefore(id: string, byId: Map<string, Span>, parents: Map<string, string[]>): Span[] {
  const found: Span[] = []
  const left = [...(parents.get(id) ?? [])]
  const seen = new Set(left)
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const span = byId.get(next)
    if (span) {
      found.push(span)
      continue
    }
    for (const parent of parents.get(next) ?? []) {
      if (seen.has(parent)) continue
      seen.add(parent)
      left.push(parent)
    }
  }
  return found
}

/** The span that ended last; among equal ends, the one that started last. */
const latest = (spans: readonly Span[]): Span | undefined =>
  spans.reduce<Span | undefined>(
    (last, span) =>
      last && (last.endMs > span.endMs || (last.endMs === span.endMs && last.createdMs > span.createdMs)) ? last : span,
    undefined,
  )
