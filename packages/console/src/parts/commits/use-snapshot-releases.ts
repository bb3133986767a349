import { specOf } from '@slipway/kube/object'
import { type Commit, snapshotsOf } from '@slipway/model/builds/commit'
import { groupBy } from '@slipway/model/grouping'
import type { Release } from '@slipway/model/releases/release'
import { objectRows, type Source, useJoined, useList } from '../../api/source'
import { useFold } from '../../lib/use-fold'
import { releases } from '../../resources/releases'

/** Releases by the names of their snapshots. */
export type SnapshotReleases = ReadonlyMap<string, readonly Release[]>

/** The releases of a namespace that are in the cluster; none until they have loaded. */
export function useSnapshotReleases(namespace: string): { source: Source<Release>; bySnapshot: SnapshotReleases } {
  const list = useList(releases.progress(namespace), 'releases')
  const source = useJoined([list], ([rows]) => rows ?? none, objectRows)
  const { bySnapshot } = useFold(foldBySnapshot, list.rows)
  return { source, bySnapshot }
}

/** The releases of a commit: those of the snapshots that its runs created or tested. */
export const releasesOf = (commit: Commit, releases: SnapshotReleases): Release[] =>
  snapshotsOf(commit).flatMap((snapshot) => releases.get(snapshot) ?? [])

const none: never[] = []

interface Grouped {
  rows: readonly Release[] | undefined
  bySnapshot: SnapshotReleases
}

const foldBySnapshot = (rows: Grouped['rows'], before?: Grouped): Grouped =>
  before && before.rows === rows
    ? before
    : { rows, bySnapshot: groupBy(rows ?? none, (release) => specOf(release).snapshot) }
