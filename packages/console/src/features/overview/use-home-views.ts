import { uidOf } from '@slipway/kube/object'
import { componentType, type Component } from '@slipway/model/builds/component'
import { type HealthParts, healthOf, type HeldBack, heldBackOf } from '@slipway/model/overview/namespace-health'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { startKey } from '@slipway/model/runs/tekton'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { type RowsQuery, useView } from '../../api/views/use-view'
import { objectRows, type RowKind, useJoined } from '../../api/source'

/** What most cards show; all of what has failed is counted. */
const listed = 10
const counted = 500

const failed = { status: ['Failed', 'FailedToStart'] }

/** What has failed or is held back now: the newest of its kind has. */
const queries = {
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
  running: { kind: pipelineRunType.plural, where: { status: ['Running', 'In Progress'] }, facets: ['namespace'] },
  lastReleases: {
    kind: releaseType.plural,
    where: { status: ['Succeeded'] },
    sort: '-completed',
    firstOf: 'namespace',
  },
  merges: { kind: componentType.plural, where: { awaitsMerge: ['yes'], isBeingDeleted: ['no'] } },
} satisfies Record<string, Omit<RowsQuery, 'namespaces'>>

const heldBackRows: RowKind<HeldBack> = {
  idOf: ({ release, snapshot }) => uidOf(release ?? snapshot),
  nameOf: ({ reason }) => reason,
  isBeingDeleted: () => false,
}

/** The views of the overview over some namespaces, and the health that follows from them. */
export function useHomeViews(namespaces: readonly string[]) {
  const of = (query: Omit<RowsQuery, 'namespaces'>): RowsQuery => ({ ...query, namespaces })
  const builds = useView<PipelineRun>(of(queries.builds), 'failing builds', counted)
  const tests = useView<PipelineRun>(of(queries.tests), 'failing tests', counted)
  const releases = useView<Release>(of(queries.releases), 'failed releases', counted)
  const snapshots = useView<Snapshot>(of(queries.snapshots), 'snapshots', counted)
  const running = useView<PipelineRun>(of(queries.running), 'running pipelines', listed)
  const lastReleases = useView<Release>(of(queries.lastReleases), 'last releases', counted)
  const merges = useView<Component>(of(queries.merges), 'components', listed)

  const failing = useJoined(
    [builds, tests],
    ([ofBuilds, ofTests]) =>
      ofBuilds && ofTests && [...ofBuilds, ...ofTests].sort((a, b) => (startKey(a) < startKey(b) ? 1 : -1)),
    objectRows,
  )
  const heldBack = useJoined(
    [releases, snapshots],
    ([failedReleases, held]) => failedReleases && held && heldBackOf(failedReleases, held),
    heldBackRows,
  )
  const all = [builds, tests, releases, snapshots, running, lastReleases]
  const unread = new Set(
    all.flatMap(({ rows, missing }) =>
      rows ? missing.map(({ name }) => name.replace(/^namespace /, '')) : namespaces,
    ),
  )
  const parts: HealthParts = {
    failedRuns: failing.rows,
    failedReleases: releases.rows,
    heldSnapshots: snapshots.rows,
    running: running.window?.counts.namespace,
    lastReleases: lastReleases.rows,
  }
  return {
    failing,
    heldBack,
    running,
    merges,
    lastReleases,
    health: healthOf(namespaces, parts, unread),
    isHealthKnown: all.some(({ rows }) => rows),
  }
}
