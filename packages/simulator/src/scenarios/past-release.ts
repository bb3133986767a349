import { nameOf } from '@slipway/kube/object'
import { releaseType, type Release } from '@slipway/model/release'
import type { Snapshot } from '@slipway/model/snapshot'
import { artifactsOf } from '../release/artifacts'
import { phaseNames } from '../release/phases'
import { withReleaseMetadata } from '../release/release-metadata'
import { releaseRunFor } from '../release/release-run-for'
import {
  begun,
  invalid,
  isOver,
  phaseBegun,
  phaseEnded,
  phaseSkipped,
  released,
  validated,
} from '../release/release-status'
import { validityOf } from '../release/validation'
import { outcomeAnnotation, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { endOf, type History, type Whereabouts } from './history'
import type { ReleaseSetup } from './release-setup'
import { seed, type ScenarioContext } from './scenario'
import { uidFor } from './uids'

interface PastReleaseInput extends ReleaseSetup {
  /** As it was created. */
  release: Release
  snapshot: Snapshot
  startMs: number
  outcomes?: Record<string, Outcome>
  /** Of its runs. */
  where: Whereabouts
}

const betweenPhasesMs = 3_000

/** A release that is over, with all its runs. @returns when it ended */
export function playRelease(input: PastReleaseInput, history: History, { world }: ScenarioContext): number {
  const { plan, admission, snapshot, startMs, outcomes, where } = input
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
  let release = begun(created, plan, at())
  const validity = validityOf(release, { plan, snapshot, admission })
  if ('fault' in validity) {
    history.add(seed(releaseType, invalid(release, validity.fault, at())))
    return nowMs
  }
  release = withReleaseMetadata(validated(release, validity, at()), snapshot)
  for (const phase of phaseNames) {
    const run = releaseRunFor({ phase, release, plan, admission, random: world.random })
    if (!run) {
      release = phaseSkipped(release, phase, at())
      continue
    }
    nowMs += betweenPhasesMs
    release = phaseBegun(release, phase, run, undefined, at())
    const { pipelineRun } = history.run(run, nowMs, where)
    nowMs = endOf(pipelineRun)
    release = phaseEnded(release, phase, pipelineRun, at())
    if (isOver(release)) break
    if (phase === 'managed' && admission) {
      const artifacts = artifactsOf({ run: pipelineRun, admission, snapshot, random: world.random })
      if (artifacts) release = { ...release, status: { ...release.status, artifacts } }
    }
  }
  if (!isOver(release)) release = released(release, at())
  history.add(seed(releaseType, release))
  return nowMs
}
