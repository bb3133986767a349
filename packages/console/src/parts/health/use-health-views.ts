import { uidOf } from '@slipway/kube/object'
import {
  type Health,
  healthOf,
  type HealthParts,
  type HealthSubject,
  type HeldBack,
  heldBackOf,
} from '@slipway/model/overview/namespace-health'
import { lastFirstBy } from '@slipway/model/newest'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { startKey } from '@slipway/model/runs/tekton'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { objectRows, type RowKind, useJoined } from '../../api/source'
import { type RowsQuery, useView } from '../../api/views/use-view'

/** Of what is running, the newest are listed; all of what has failed is counted. */
const listed = 10
const counted = 500

const failed = { status: ['Failed', 'FailedToStart'] }

/** What has failed or is held back now: the newest of its kind has. */
export const badQueries = {
  builds: {
    kind: pipelineRunType.plural,
    where: { ...failed, type: ['Build'], isForPullRequest: ['no'] },
    latestOf: 'pushBuild',
  },
  tests: {
    kind: pipelineRunType.plural,
    where: { ...failed, type: ['Test'], isForPullRequest: ['no'] },
    latestOf: 'pushTest',
  },
  releases: { kind: releaseType.plural, where: { status: ['Failed'] }, latestOf: 'releasePlan' },
  snapshots: {
    kind: snapshotType.plural,
    where: { status: ['Failed', 'Invalid'], isUnmerged: ['no'] },
    latestOf: 'mergedIn',
  },
} satisfies Record<string, Omit<RowsQuery, 'namespaces'>>

const running = { kind: pipelineRunType.plural, where: { status: ['Running', 'In Progress'] } }
const released = { kind: releaseType.plural, where: { status: ['Succeeded'] }, sort: '-completed' } as const

const heldBackRows: RowKind<HeldBack> = {
  idOf: ({ release, snapshot }) => uidOf(release ?? snapshot),
  nameOf: ({ reason }) => reason,
  isBeingDeleted: () => false,
}

/**
 * What fails, is held back, runs and was released last in some namespaces, and the health that follows from it.
 * @param subject for `application`, there is one namespace
 */
export function useHealthViews(namespaces: readonly string[], subject: HealthSubject) {
  const builds = useView<PipelineRun>({ ...badQueries.builds, namespaces }, 'failing builds', counted)
  const tests = useView<PipelineRun>({ ...badQueries.tests, namespaces }, 'failing tests', counted)
  const releases = useView<Release>({ ...badQueries.releases, namespaces }, 'failed releases', counted)
  const snapshots = useView<Snapshot>({ ...badQueries.snapshots, namespaces }, 'snapshots', counted)
  const runningRuns = useView<PipelineRun>({ ...running, namespaces, facets: [subject] }, 'running pipelines', listed)
  const lastReleases = useView<Release>({ ...released, namespaces, firstOf: subject }, 'last releases', counted)
  const all = [builds, tests, releases, snapshots, runningRuns, lastReleases]

  const failing = useJoined(
    [builds, tests],
    ([ofBuilds, ofTests]) => {
      const known = [...(ofBuilds ?? none), ...(ofTests ?? none)]
      // Of many namespaces, one has failing runs long before it is known that none has failing tests.
      if (known.length === 0 && !(ofBuilds && ofTests)) return undefined
      return known.sort(lastFirstBy(startKey))
    },
    objectRows,
  )
  const heldBack = useJoined(
    [releases, snapshots],
    ([failedReleases, held]) => failedReleases && held && heldBackOf(failedReleases, held),
    heldBackRows,
  )
  const parts: HealthParts = {
    failedRuns: builds.rows && tests.rows && failing.rows,
    failedReleases: releases.rows,
    heldSnapshots: snapshots.rows,
    running: runningRuns.window?.counts[subject],
    lastReleases: lastReleases.rows,
  }
  const missing = all.flatMap((each) => each.missing)
  const unread = new Set(
    all.flatMap((each) =>
      each.rows ? each.missing.map(({ name }) => name.replace(/^namespace /, '')) : [...namespaces],
    ),
  )
  return {
    failing,
    heldBack,
    running: runningRuns,
    lastReleases,
    isKnown: all.some(({ rows }) => rows),
    healthOf: (names: readonly string[]): Health[] =>
      healthOf(subject, names, parts, (name) => (subject === 'namespace' ? unread.has(name) : unread.size > 0)),
    /** For the badge of the page. */
    source: {
      freshness: all.flatMap(({ freshness }) => freshness),
      missing,
      retry() {
        for (const each of all) each.retry()
      },
    },
  }
}

const none: never[] = []
