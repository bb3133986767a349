import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { parseGoDuration } from './go-duration'

/** What has run out of time. */
export type TimedOut = 'pipeline' | 'tasks' | 'finally'

interface Time {
  now(): number
  scale(realMs: number): number
}

/** Tekton's default for PipelineRuns and TaskRuns. */
export const defaultTimeoutMs = 3_600_000

/**
 * A limit that is at least the default is never shorter than this in real time. A machine that is slow or busy takes as
 * long for a run whatever the speed of the simulation: at sixty times real time, runs that nothing was wrong with timed
 * out after a minute.
 */
const leastRealMs = 600_000

/** How long a limit lasts in real time; in milliseconds. */
export const scaledTimeout = (ms: number, scale: Time['scale']): number =>
  ms >= defaultTimeoutMs ? Math.max(scale(ms), leastRealMs) : scale(ms)

/** The limit for the tasks before finally: their own, or what finally leaves them; `undefined` without either. */
export function tasksTimeoutMsOf({ spec: { timeouts = {} } }: PipelineRun): number | undefined {
  const finallyMs = parseGoDuration(timeouts.finally)
  const ownMs = parseGoDuration(timeouts.tasks)
  if (ownMs !== undefined || finallyMs === undefined || finallyMs === Infinity) return ownMs
  return (parseGoDuration(timeouts.pipeline) ?? defaultTimeoutMs) - finallyMs
}

/**
 * Which timeout of a started run has passed, and when the next one will. If only one of `tasks` and `finally` is set,
 * the other gets the rest of the pipeline's time. Source: Tekton, docs/pipelineruns.md, "Configuring a failure
 * timeout".
 */
export function timeoutsOf(run: PipelineRun, { now, scale }: Time): { passed?: TimedOut; nextMs?: number } {
  const { timeouts, status } = { timeouts: run.spec.timeouts ?? {}, status: run.status ?? {} }
  const pipelineMs = parseGoDuration(timeouts.pipeline) ?? defaultTimeoutMs
  const ownTasksMs = parseGoDuration(timeouts.tasks)
  const restMs = ownTasksMs === undefined || ownTasksMs === Infinity ? Infinity : pipelineMs - ownTasksMs
  const tasksMs = tasksTimeoutMsOf(run) ?? Infinity
  const finallyMs = parseGoDuration(timeouts.finally) ?? restMs
  const startMs = Date.parse(status.startTime ?? '')
  const finallyStartMs = status.finallyStartTime ? Date.parse(status.finallyStartTime) : undefined
  // In order of precedence. Once finally has started, the timeout of the tasks no longer applies.
  const deadlines: [TimedOut, number][] = [
    ['pipeline', startMs + scaledTimeout(pipelineMs, scale)],
    finallyStartMs === undefined
      ? ['tasks', startMs + scaledTimeout(tasksMs, scale)]
      : ['finally', finallyStartMs + scaledTimeout(finallyMs, scale)],
  ]
  const passed = deadlines.find(([, atMs]) => now() >= atMs)?.[0]
  const upcoming = deadlines.map(([, atMs]) => atMs).filter((atMs) => atMs > now() && atMs < Infinity)
  return { ...(passed && { passed }), ...(upcoming.length > 0 && { nextMs: Math.min(...upcoming) }) }
}
