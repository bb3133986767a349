import { uidOf } from '@slipway/kube/object'
import { eventTypeOf } from '../supply-chain/commit'
import { labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { pipelineRunStatus } from './run-status'
import { isFinished } from './tekton'

/** What can be asked of a run: which requests make sense, why others do not, and what they write. */

/** How a run is to end before its time. Source: tektoncd/pipeline, pipelineruns.md, "Gracefully cancelling". */
export const stopRequests = {
  /** Running tasks finish, no others begin; then the tasks of `finally` run. */
  stop: 'StoppedRunFinally',
  /** Running tasks are interrupted; then the tasks of `finally` run. */
  cancel: 'CancelledRunFinally',
} as const
export type StopRequest = keyof typeof stopRequests

/** Why a run cannot be stopped or cancelled; `undefined` when it can. Specification 2, section 4: only while Running. */
export function stopDisabledReason(run: PipelineRun): string | undefined {
  if (isFinished(run)) return 'This pipeline run has ended'
  const status = pipelineRunStatus(run)
  if (status === 'Running') return undefined
  return status === 'Cancelling' ? 'This pipeline run is being ended already' : 'This pipeline run is not running'
}

/** What runs a run again: its component is built anew, or its snapshot is tested anew. */
export type RerunRequest =
  | { kind: 'build'; component: string }
  /** A label of the snapshot, which the integration service takes away once it has begun. */
  | { kind: 'test'; snapshot: string; scenario: string }

/** Value of the annotation `build.appstudio.openshift.io/request` that starts a build. */
export const startBuildRequest = 'trigger-pac-build'

const rebuiltEvents = new Set(['push', 'Push', 'incoming'])

/** What runs a run again, or why nothing does. Specification 2, section 8, "Rerun disabled reasons". */
export function rerunOf(run: PipelineRun): RerunRequest | { refusal: string } {
  const { metadata } = run
  const type = metadata.labels?.[labels.pipelineType]
  if (type === 'build') {
    if (!rebuiltEvents.has(eventTypeOf(run) ?? '')) {
      return { refusal: 'Comment `/retest` on pull request to rerun' }
    }
    const component = metadata.labels?.[labels.component]
    return component ? { kind: 'build', component } : { refusal: 'Action not available for this build type' }
  }
  if (type === 'test') {
    const snapshot = snapshotOf(run)
    const scenario = metadata.labels?.[labels.scenario]
    return snapshot && scenario ? { kind: 'test', snapshot, scenario } : { refusal: 'Missing snapshot or scenario' }
  }
  return {
    refusal: type ? `Cannot re-run pipeline run for the type ${type}` : 'Action not available for this build type',
  }
}

/**
 * Builds of the same component, or the same tests of the same snapshot, that have been made since a run was asked to run
 * again. No clock is compared with that of the cluster: they are no older than the newest run that was known then.
 * @param known uids of all runs that were known when it was asked
 */
export function runsSince(runs: readonly PipelineRun[], run: PipelineRun, known: ReadonlySet<string>): PipelineRun[] {
  const again = rerunOf(run)
  if ('refusal' in again) return []
  const createdAt = ({ metadata }: PipelineRun) => metadata.creationTimestamp ?? ''
  const newest = runs.filter((each) => known.has(uidOf(each))).reduce((time, each) => max(time, createdAt(each)), '')
  return runs.filter(
    (each) =>
      !known.has(uidOf(each)) && createdAt(each) >= newest && JSON.stringify(rerunOf(each)) === JSON.stringify(again),
  )
}

const max = (a: string, b: string): string => (a > b ? a : b)

/** Name of the snapshot that a run has tested, released or made: an annotation, on older runs a label. */
export const snapshotOf = ({ metadata }: PipelineRun): string | undefined =>
  metadata.annotations?.[labels.snapshot] ?? metadata.labels?.[labels.snapshot]
