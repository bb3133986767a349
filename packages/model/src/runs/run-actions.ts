import { type KubeObject, uidOf } from '@slipway/kube/object'
import { eventTypeOf, type MetadataKey } from '../git/git-facts'
import { labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import { pipelineRunStatus } from './run-status'
import { isFinished } from './tekton'

/** Actions on a run: which are possible, why others are not, and what they write. */

/** Ways to end a run early. Source: tektoncd/pipeline, pipelineruns.md, "Gracefully cancelling". */
export const stopRequests = {
  /** Running tasks finish and no others start; then the `finally` tasks run. */
  stop: 'StoppedRunFinally',
  /** Running tasks are cancelled; then the `finally` tasks run. */
  cancel: 'CancelledRunFinally',
  /** Everything is cancelled, `finally` tasks too. */
  cancelAll: 'Cancelled',
} as const
export type StopRequest = keyof typeof stopRequests

/**
 * Why a run cannot be stopped or cancelled; `undefined` if it can. Specification 2, section 4: only while Running. A run
 * that is being ended can only be ended faster (ADR 49).
 */
export function stopDisabledReason(run: PipelineRun, request: StopRequest): string | undefined {
  if (isFinished(run)) return 'This pipeline run has ended'
  const status = pipelineRunStatus(run)
  if (status === 'Running' && request !== 'cancelAll') return undefined
  if (status !== 'Cancelling') return 'This pipeline run is not running'
  const requests: readonly string[] = Object.values(stopRequests)
  const isFaster = requests.indexOf(stopRequests[request]) > requests.indexOf(run.spec?.status ?? '')
  return isFaster ? undefined : 'This pipeline run is already being stopped'
}

/** How a run is cancelled: with its `finally` tasks too, if it is being cancelled without them already. */
export const cancelRequestOf = (run: PipelineRun): 'cancel' | 'cancelAll' =>
  stopDisabledReason(run, 'cancelAll') === undefined && run.spec?.status === stopRequests.cancel
    ? 'cancelAll'
    : 'cancel'

/** How to rerun a run: build its component again, or test its snapshot again. */
export type RerunRequest =
  | { kind: 'build'; component: string }
  /** Sets a label on the snapshot, which the integration service removes once the test has started. */
  | { kind: 'test'; snapshot: string; scenario: string }

/** Value of the rerun label that repeats all tests of a snapshot, in place of the name of one. */
export const everyTest = 'all'

/** Value of the annotation `build.appstudio.openshift.io/request` that starts a build. */
export const startBuildRequest = 'trigger-pac-build'

const rebuiltEvents = new Set(['push', 'Push', 'incoming'])

/** How to rerun a run, or why it cannot be rerun. Specification 2, section 8, "Rerun disabled reasons". */
export function rerunOf(run: PipelineRun): RerunRequest | { disabledReason: string } {
  const { metadata } = run
  const type = metadata.labels?.[labels.pipelineType]
  if (type === 'build') {
    if (!rebuiltEvents.has(eventTypeOf(run) ?? '')) {
      return { disabledReason: 'Comment `/retest` on pull request to rerun' }
    }
    const component = metadata.labels?.[labels.component]
    return component ? { kind: 'build', component } : { disabledReason: 'Action not available for this build type' }
  }
  if (type === 'test') {
    const snapshot = snapshotOf(run)
    const scenario = metadata.labels?.[labels.scenario]
    return snapshot && scenario
      ? { kind: 'test', snapshot, scenario }
      : { disabledReason: 'Missing snapshot or scenario' }
  }
  return {
    disabledReason: type
      ? `Cannot re-run pipeline run for the type ${type}`
      : 'Action not available for this build type',
  }
}

/**
 * How to rerun several runs, with the runs that each request repeats: one build of a component, however many of its
 * builds are given, and one request for a snapshot, whose label has room for one test or for all of them. Runs that
 * cannot be rerun are left out.
 */
export function rerunsOf(runs: readonly PipelineRun[]): { request: RerunRequest; runs: PipelineRun[] }[] {
  const reruns = new Map<string, { request: RerunRequest; runs: PipelineRun[] }>()
  for (const run of runs) {
    const request = rerunOf(run)
    if ('disabledReason' in request) continue
    const key = request.kind === 'build' ? `build/${request.component}` : `test/${request.snapshot}`
    const same = reruns.get(key)
    if (!same) reruns.set(key, { request, runs: [run] })
    else {
      same.runs.push(run)
      const isOther = JSON.stringify(same.request) !== JSON.stringify(request)
      if (isOther && request.kind === 'test') same.request = { ...request, scenario: everyTest }
    }
  }
  return [...reruns.values()]
}

/** Whether the next thing that users may want is to rerun a run: it has ended, and was a build or a test. */
export const isRerunLikely = (run: PipelineRun): boolean =>
  isFinished(run) && ['build', 'test'].includes(run.metadata.labels?.[labels.pipelineType] ?? '')

/**
 * Builds of the same component, or the same tests of the same snapshot, created since a rerun was requested. This does
 * not compare clocks: the new runs are at least as new as the newest run known at that time.
 * @param known uids of all runs known at the time of the request
 */
export function runsSince(runs: readonly PipelineRun[], run: PipelineRun, known: ReadonlySet<string>): PipelineRun[] {
  const again = rerunOf(run)
  if ('disabledReason' in again) return []
  const createdAt = ({ metadata }: PipelineRun) => metadata.creationTimestamp ?? ''
  const newest = runs.filter((each) => known.has(uidOf(each))).reduce((time, each) => max(time, createdAt(each)), '')
  return runs.filter(
    (each) =>
      !known.has(uidOf(each)) && createdAt(each) >= newest && JSON.stringify(rerunOf(each)) === JSON.stringify(again),
  )
}

const max = (a: string, b: string): string => (a > b ? a : b)

/** The label and the annotation that may name the snapshot of a run. */
export const snapshotKeys: readonly MetadataKey[] = [
  ['labels', labels.snapshot],
  ['annotations', labels.snapshot],
]

/** Whether a run built, tested or released this snapshot, by its label or its annotation. */
export const isOfSnapshot = ({ metadata }: KubeObject, snapshot: string): boolean =>
  snapshotKeys.some(([where, key]) => metadata[where]?.[key] === snapshot)

/** The snapshots that a run built, tested or released. */
export const snapshotsOf = ({ metadata }: KubeObject): string[] => [
  ...new Set(snapshotKeys.flatMap(([where, key]) => metadata[where]?.[key] ?? [])),
]

/** Name of the snapshot that a run tested, released or created: an annotation, or a label on older runs. */
export const snapshotOf = ({ metadata }: PipelineRun): string | undefined =>
  metadata.annotations?.[labels.snapshot] ?? metadata.labels?.[labels.snapshot]
