import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TimedOut } from './dag'
import { parseGoDuration } from './go-duration'

interface Time {
  now(): number
  scale(realMs: number): number
}

/** Tekton's own default of a PipelineRun. */
const defaultPipelineMs = 3_600_000

/**
 * Which of the timeouts of a run that has started has passed, and when the next one will. What `tasks` and `finally`
 * are not given is what the other leaves of the whole. Source: Tekton, docs/pipelineruns.md, "Configuring a failure
 * timeout".
 */
export function timeoutsOf(run: PipelineRun, { now, scale }: Time): { passed?: TimedOut; nextMs?: number } {
  const { timeouts, status } = { timeouts: run.spec.timeouts ?? {}, status: run.status ?? {} }
  const pipelineMs = parseGoDuration(timeouts.pipeline) ?? defaultPipelineMs
  const rest = (otherMs: number | undefined) =>
    otherMs === undefined || otherMs === Infinity ? undefined : pipelineMs - otherMs
  const givenTasksMs = parseGoDuration(timeouts.tasks)
  const givenFinallyMs = parseGoDuration(timeouts.finally)
  const tasksMs = givenTasksMs ?? rest(givenFinallyMs) ?? Infinity
  const finallyMs = givenFinallyMs ?? rest(givenTasksMs) ?? Infinity
  const startMs = Date.parse(status.startTime ?? '')
  const finallyStartMs = status.finallyStartTime ? Date.parse(status.finallyStartTime) : undefined
  // In the order of their weight: the tasks of a run that is at its last ones are over.
  const deadlines: [TimedOut, number][] = [
    ['pipeline', startMs + scale(pipelineMs)],
    finallyStartMs === undefined ? ['tasks', startMs + scale(tasksMs)] : ['finally', finallyStartMs + scale(finallyMs)],
  ]
  const passed = deadlines.find(([, atMs]) => now() >= atMs)?.[0]
  const coming = deadlines.map(([, atMs]) => atMs).filter((atMs) => atMs > now() && atMs < Infinity)
  return { ...(passed && { passed }), ...(coming.length > 0 && { nextMs: Math.min(...coming) }) }
}
