import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseType, type Release } from '@slipway/model/releases/release'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { artifactsOf } from '../release/artifacts'
import { withCollected } from '../release/collected'
import { admissionFor } from '../release/matching'
import { phaseNames, phases } from '../release/phases'
import { withReleaseMetadata } from '../release/release-metadata'
import { releaseRunFor } from '../release/release-run-for'
import { mayRetry } from '../release/retries'
import {
  attemptEnded,
  started,
  invalid,
  isReleaseFinished,
  phaseStarted,
  phaseEnded,
  phaseSkipped,
  released,
  validated,
} from '../release/release-status'
import { validityOf } from '../release/validation'
import { chosenOutcomes, outcomeAnnotation, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { endOf, type History, type Whereabouts } from './history'
import type { ReleaseSetup } from './release-setup'
import { seed, type ScenarioContext } from './scenario'
import { uidFor } from './uids'

interface PastReleaseInput extends ReleaseSetup {
  /** Its state at creation. */
  release: Release
  snapshot: Snapshot
  startMs: number
  outcomes?: Record<string, Outcome>
  isCancelled?: boolean
  isRetried?: boolean
  /** Location of its runs. */
  where: Whereabouts
}

const betweenPhasesMs = 3_000

/** The task that runs out of memory at the first attempt of a retried managed pipeline. */
const tooBig = 'push-snapshot'

const withOutcome = (run: PipelineRun, outcomes: Record<string, Outcome>): PipelineRun => ({
  ...run,
  metadata: {
    ...run.metadata,
    annotations: {
      ...run.metadata.annotations,
      [outcomeAnnotation]: JSON.stringify({ ...chosenOutcomes(run), ...outcomes }),
    },
  },
})

/** Adds a finished release with all its runs. @returns when it ended */
export function playRelease(input: PastReleaseInput, history: History, { world, platform }: ScenarioContext): number {
  const { plan, admission, snapshot, startMs, outcomes, isCancelled, isRetried, where } = input
  const created: Release = {
    ...input.release,
    metadata: {
      ...input.release.metadata,
      uid: uidFor(world, 'release', input.release.metadata.namespace ?? '', nameOf(input.release)),
      creationTimestamp: timestamp(startMs),
      ...(outcomes && {
        annotations: { ...input.release.metadata.annotations, [outcomeAnnotation]: JSON.stringify(outcomes) },
      }),
    },
  }
  let nowMs = startMs
  const at = () => timestamp(nowMs)
  let release = started(created, plan, at())
  const validity = validityOf(release, { plan, snapshot, ...admissionFor(plan, admission ? [admission] : []) })
  if ('error' in validity) {
    history.add(seed(releaseType, invalid(release, validity.error, at())))
    return nowMs
  }
  release = withReleaseMetadata(validated(release, validity, at()), snapshot)
  const lastPhase = phaseNames.filter((phase) => phases[phase].pipelineOf(plan, admission)).at(-1)
  const retryInfo = admission?.status?.retryInfo
  for (const phase of phaseNames) {
    const nextRun = () => releaseRunFor({ phase, release, plan, admission, platform, random: world.random })
    const first = nextRun()
    if (!first) {
      release = phaseSkipped(release, phase, at())
      continue
    }
    nowMs += betweenPhasesMs
    if (isRetried && phase === 'managed' && platform !== 'legacy') {
      release = phaseStarted(release, phase, first, undefined, at())
      const failed = history.run(withOutcome(first, { '*': 'success', [tooBig]: 'oom' }), nowMs, 'archive')
      nowMs = endOf(failed.pipelineRun)
      release = attemptEnded(release, failed.pipelineRun, { taskRuns: failed.taskRuns, retryInfo }, at())
      if (!mayRetry(release, retryInfo)) throw new Error(`The release ${nameOf(release)} is not retried.`)
      nowMs += betweenPhasesMs
    }
    const run = nextRun() ?? first
    release = phaseStarted(release, phase, run, undefined, at())
    const isLast = phase === lastPhase
    const requested =
      isCancelled && isLast ? { ...run, spec: { ...run.spec, status: 'CancelledRunFinally' as const } } : run
    const { pipelineRun, taskRuns } = history.run(requested, nowMs, where)
    nowMs = endOf(pipelineRun)
    if (phase === 'managed') release = attemptEnded(release, pipelineRun, { taskRuns, retryInfo: undefined }, at())
    if (succeededCondition(pipelineRun)?.status === 'True')
      release = withCollected(release, phase, { plan, admission }, world.random)
    release = phaseEnded(release, phase, pipelineRun, at())
    if (isReleaseFinished(release)) break
    if (phase === 'managed' && admission) {
      const artifacts = artifactsOf({ run: pipelineRun, admission, snapshot, random: world.random })
      if (artifacts) release = { ...release, status: { ...release.status, artifacts } }
    }
  }
  if (!isReleaseFinished(release)) release = released(release, at())
  history.add(seed(releaseType, release))
  return nowMs
}
