import { msOf } from '../duration'
import type { PipelineRun } from './pipeline-run'
import type { QueuePosition } from './queue-position'
import { startTimeOf } from './tekton'

/** When a run in a queue starts: estimated, since no object says so (ADR 65). Times are in milliseconds since 1970. */

/** Where a run was in its queue. */
export interface QueueObservation extends QueuePosition {
  atMs: number
}

/** How long an earlier run of the queue waited: from its creation to its start. */
export interface PastWait {
  createdMs: number
  startedMs: number
}

export interface QueueFacts {
  /** When the run was created. */
  createdMs: number
  /** Where it was, the oldest first. */
  observations: readonly QueueObservation[]
  /** Those of its queue, the last one to start first (`pastWaitsOf`); `undefined` if they are not known. */
  past: { waits: readonly PastWait[]; readAtMs: number } | undefined
}

/** In milliseconds from the last observation. */
export interface StartEstimate {
  inMs: number
  /** In nine of ten cases, the run starts between these two. */
  earliestMs: number
  latestMs: number
  from: 'movement' | 'past waits'
  certainty: 'Fairly certain' | 'Uncertain' | 'A guess'
}

/** Older observations say nothing of the present pace. */
const observedMs = 20 * 60_000
/** Enough to even out chance, and few enough to follow a change. */
const mostPastWaits = 10
const fewestPastWaits = 3
/**
 * By how many standard deviations the range extends to either side, as a logarithm. More than the 1.65 of a normal
 * distribution, since runs arrive in groups, and since those with a higher priority move ahead.
 */
const deviations = 2.4

/** Adds the latest observation to those that still count. */
export const observe = (earlier: readonly QueueObservation[], latest: QueueObservation): QueueObservation[] => [
  ...earlier.filter(({ atMs }) => atMs < latest.atMs && latest.atMs - atMs <= observedMs),
  latest,
]

/** The waits of runs that have started, of those that started last. @param runs of one queue, in any order */
export const pastWaitsOf = (runs: readonly PipelineRun[]): PastWait[] =>
  runs
    .flatMap((run) => {
      const [createdMs, startedMs] = [msOf(run.metadata.creationTimestamp), msOf(startTimeOf(run))]
      return createdMs === undefined || startedMs === undefined || startedMs < createdMs ? [] : { createdMs, startedMs }
    })
    .sort((a, b) => b.startedMs - a.startedMs)
    // One more than counts, since the count begins with its start.
    .slice(0, mostPastWaits + 1)

/** The more certain one of what the movement in the queue and its past waits say; `undefined` if neither says anything. */
export function estimateStart(facts: QueueFacts): StartEstimate | undefined {
  const [best] = [fromMovement(facts), fromPastWaits(facts)]
    .filter((each) => each !== undefined)
    .sort((a, b) => a.spread - b.spread)
  if (!best) return undefined
  const { inMs, spread, from } = best
  const certainty = spread < 2 ? 'Fairly certain' : spread < 5 ? 'Uncertain' : 'A guess'
  return { inMs, earliestMs: inMs / spread, latestMs: inMs * spread, from, certainty }
}

interface Pace extends Pick<StartEstimate, 'inMs' | 'from'> {
  /** By which factor the run may start sooner or later. */
  spread: number
}

/** How long it takes until so many runs have started, given in what time how many others did. */
const paceOf = (left: number, startedCount: number, tookMs: number, from: Pace['from']): Pace => ({
  inMs: (tookMs * left) / startedCount,
  spread: Math.exp(deviations * Math.sqrt(1 / left + 1 / startedCount)),
  from,
})

/** From how much closer the run has come to the front of the cluster queue, all that went ahead of it deducted. */
function fromMovement({ observations }: QueueFacts): Pace | undefined {
  const [first, last] = [observations[0], observations.at(-1)]
  if (!first || !last || first.aheadInCluster <= last.aheadInCluster) return undefined
  const moved = first.aheadInCluster - last.aheadInCluster
  return paceOf(last.aheadInCluster + 1, moved, last.atMs - first.atMs, 'movement')
}

/** From how often a run of the local queue started while any was waiting. */
function fromPastWaits({ createdMs, observations, past }: QueueFacts): Pace | undefined {
  const last = observations.at(-1)
  const before = past?.waits.at(-1)
  if (!last || !past || !before || past.waits.length <= fewestPastWaits) return undefined
  const counted = past.waits.slice(0, -1)
  const waits = [...counted, { createdMs, startedMs: past.readAtMs }].sort((a, b) => a.createdMs - b.createdMs)
  let waitedMs = 0
  let untilMs = before.startedMs
  for (const { createdMs: sinceMs, startedMs } of waits) {
    waitedMs += Math.max(0, startedMs - Math.max(sinceMs, untilMs))
    untilMs = Math.max(untilMs, startedMs)
  }
  return paceOf(last.aheadInQueue + 1, counted.length, waitedMs, 'past waits')
}
