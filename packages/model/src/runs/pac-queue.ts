import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { annotations, labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { isFinished } from './tekton'

/**
 * The queue that Pipelines as Code keeps for a repository that limits how many of its runs may run at the same time.
 * Source: its guide on concurrency; labels and annotations of the runs.
 */

/** What has to end before a queued run starts. */
export interface PacQueue {
  /** Runs of the repository that are running. */
  running: number
  /** Runs of the repository that are queued before it. */
  before: number
}

const stateOf = ({ metadata }: PipelineRun): string | undefined => metadata.labels?.[labels.runState]
const repositoryOf = ({ metadata }: PipelineRun): string | undefined => metadata.labels?.[labels.repository]

/** The name of the Repository in whose queue a run is held; `undefined` for any other run. */
export const pacQueueNameOf = (run: PipelineRun): string | undefined =>
  stateOf(run) === 'queued' && specOf(run).status === 'PipelineRunPending' && !isFinished(run)
    ? repositoryOf(run)
    : undefined

/** @param runs of the namespace, the run itself included or not */
export function pacQueueOf(run: PipelineRun, runs: readonly PipelineRun[]): PacQueue {
  const others = runs.filter(
    (other) => repositoryOf(other) === repositoryOf(run) && nameOf(other) !== nameOf(run) && !isFinished(other),
  )
  return {
    running: others.filter((other) => stateOf(other) === 'started').length,
    before: others.filter((other) => pacQueueNameOf(other) !== undefined && isBefore(other, run)).length,
  }
}

/** The runs of one event start in the order that each of them names; those of other events in that of their creation. */
function isBefore(other: PipelineRun, run: PipelineRun): boolean {
  const order = (run.metadata.annotations?.[annotations.executionOrder] ?? '').split(',').map((name) => name.trim())
  const at = (each: PipelineRun) => order.indexOf(`${namespaceOf(each)}/${nameOf(each)}`)
  if (at(other) >= 0 && at(run) >= 0) return at(other) < at(run)
  return creationKey(other) < creationKey(run)
}

/** Whole seconds, so that names decide between the runs of one. */
const creationKey = ({ metadata }: PipelineRun): string => `${metadata.creationTimestamp ?? ''} ${metadata.name ?? ''}`

/** @example `Waits for 1 of 1 runs of this repository to end: 1 is running, none is queued before it.` */
export function pacQueueText({ running, before }: PacQueue): string {
  const held = 'Pipelines as Code holds it in the queue of this repository'
  if (running === 0) {
    return before === 0
      ? `${held}, although no other run of the repository is running or queued before it.`
      : `${held}, and ${counted(before)} queued before it.`
  }
  // The repository runs as many at a time as it may: otherwise this one would not be held.
  const ending = `Waits for ${before + 1} of ${running + before} runs of this repository to end`
  return `${ending}: ${counted(running)} running, ${counted(before)} queued before it.`
}

const counted = (count: number): string => `${count === 0 ? 'none' : count} ${count > 1 ? 'are' : 'is'}`
