import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseType, type Release, type ReleaseAttempt } from '@slipway/model/releases/release'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { nameSuffix } from '../keyed-random'
import { artifactsOf } from '../release/artifacts'
import { withCollected } from '../release/collected'
import { admissionFor } from '../release/matching'
import { phaseNames, phases } from '../release/phases'
import { withReleaseMetadata } from '../release/release-metadata'
import { releaseRunFor } from '../release/release-run-for'
import {
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
import { outcomeAnnotation, type Outcome } from '../tekton/outcome'
import type { World } from '../tekton/facts'
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

const outOfMemory = {
  lastTask: 'push-snapshot',
  lastStep: 'push-snapshot',
  successfulTasks: 5,
  mitigation: { memoryLimit: '4Gi', memoryRequest: '4Gi' },
}

/** The failed first attempt of a retried managed run. */
function failedAttempt(run: PipelineRun, { random }: World): PipelineRun {
  const name = `managed-${nameSuffix(random(`attempt before ${nameOf(run)}`))}`
  const outcome = { [outcomeAnnotation]: JSON.stringify({ [outOfMemory.lastTask]: 'oom' }) }
  const { labels: known, annotations: marks } = run.metadata
  const metadata = { labels: { ...known, [labels.releaseAttempt]: '1' }, annotations: { ...marks, ...outcome } }
  return { ...run, metadata: { ...run.metadata, ...metadata, name } }
}

function withAttempt(release: Release, run: PipelineRun, more: Partial<ReleaseAttempt> = {}): Release {
  const { startTime, completionTime } = run.status ?? {}
  const attempt: ReleaseAttempt = {
    pipelineRun: `${namespaceOf(run) ?? ''}/${nameOf(run)}`,
    startTime,
    completionTime,
    status: succeededCondition(run)?.status === 'True' ? 'Succeeded' : 'Failed',
    ...more,
  }
  const managedPipelineAttempts = [...(release.status?.managedPipelineAttempts ?? []), attempt]
  return { ...release, status: { ...release.status, managedPipelineAttempts } }
}

/** Adds a finished release with all its runs. @returns when it ended */
export function playRelease(input: PastReleaseInput, history: History, { world }: ScenarioContext): number {
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
  for (const phase of phaseNames) {
    const run = releaseRunFor({ phase, release, plan, admission, random: world.random })
    if (!run) {
      release = phaseSkipped(release, phase, at())
      continue
    }
    nowMs += betweenPhasesMs
    if (isRetried && phase === 'managed') {
      const failed = failedAttempt(run, world)
      const { pipelineRun } = history.run(failed, nowMs, 'archive')
      release = withAttempt(release, pipelineRun, { failureReason: 'OOMKill', ...outOfMemory })
      nowMs = endOf(pipelineRun) + betweenPhasesMs
    }
    release = phaseStarted(release, phase, run, undefined, at())
    const isLast = phase === lastPhase
    const requested =
      isCancelled && isLast ? { ...run, spec: { ...run.spec, status: 'CancelledRunFinally' as const } } : run
    const { pipelineRun } = history.run(requested, nowMs, where)
    nowMs = endOf(pipelineRun)
    if (isRetried && phase === 'managed') release = withAttempt(release, pipelineRun)
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
