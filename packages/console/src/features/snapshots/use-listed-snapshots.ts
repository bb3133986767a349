import { type KubeObject, nameOf, specOf, uidOf } from '@slipway/kube/object'
import { msOf } from '@slipway/model/duration'
import { newestBy } from '@slipway/model/grouping'
import type { Release } from '@slipway/model/releases/release'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { useMemo } from 'react'
import { completeSinceMs } from '../../api/archive/history'
import { useNewestArchived } from '../../api/archive/newest-archived'
import { isBeingDeleted } from '../../api/archive/origin'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { useWholeView } from '../../api/views/use-view'
import type { ApplicationParams } from '../../paths'
import { releases } from '../../resources/releases'

/** A snapshot with how it was released last. */
export interface ListedSnapshot {
  snapshot: Snapshot
  /** `undefined` if it is not known, or if there is none. */
  lastRelease: Release | undefined
  releases: 'loading' | 'known' | 'unknown'
}

export const nameOfListed = ({ snapshot }: ListedSnapshot): string => nameOf(snapshot)

const rowKind: RowKind<ListedSnapshot> = {
  idOf: ({ snapshot }) => uidOf(snapshot),
  nameOf: nameOfListed,
  isBeingDeleted: ({ snapshot }) => isBeingDeleted(snapshot),
  objectOf: ({ snapshot }) => snapshot,
}

/** Snapshots with their last releases, of which only those of the loaded snapshots are read. */
export function useListedSnapshots(source: Source<Snapshot>, at: ApplicationParams): Source<ListedSnapshot> {
  const { rows: snapshots } = source
  const last = useLastReleases(at, snapshots ?? none)
  const joined = useJoined(
    [source, last],
    ([all]) => all?.map((snapshot) => ({ snapshot, ...last.of(snapshot) })),
    rowKind,
  )
  if (!joined.rows) return { ...source, rows: undefined, kind: rowKind }
  const { rows, kind, missing, freshness, retry } = joined
  return { ...source, rows, kind, missing, freshness, retry }
}

interface LastReleases extends Source<Release> {
  of: (snapshot: Snapshot) => Omit<ListedSnapshot, 'snapshot'>
}

/** The last releases of some snapshots, and of those that the cluster has none of, what is new in an archive. */
function useLastReleases({ namespace, application }: ApplicationParams, snapshots: readonly Snapshot[]): LastReleases {
  const { view, archive } = releases.view(namespace, application)
  // Sorted, so that another order of the table is the same query.
  const names = useMemo(() => snapshots.map(nameOf).sort(), [snapshots])
  const live = useWholeView<Release>(
    {
      ...view,
      namespaces: names.length > 0 ? view.namespaces : none,
      where: { ...view.where, releaseSnapshot: names },
      firstOf: 'releaseSnapshot',
    },
    'releases',
  )
  const isWhole = live.rows !== undefined && !live.more && !live.isFetching
  const liveBySnapshot = useMemo(() => bySnapshot(live.rows), [live.rows])
  const isNeeded = isWhole && names.some((name) => !liveBySnapshot.has(name))
  const all = useNewestArchived(live, archive, isNeeded)
  const lastBySnapshot = useMemo(() => bySnapshot(all.rows), [all.rows])
  const isFailed = all.error !== null || all.retryReason !== undefined || all.missing.length > 0
  const isLoading = !isFailed && (!isWhole || all.isFetching)
  const sinceMs = isFailed ? Infinity : completeSinceMs(all)
  return {
    ...all,
    of(snapshot) {
      const lastRelease = lastBySnapshot.get(nameOf(snapshot))
      if (lastRelease) return { lastRelease, releases: 'known' }
      if (isLoading) return { lastRelease, releases: 'loading' }
      // Whatever has released it is younger than the snapshot.
      return { lastRelease, releases: createdMsOf(snapshot) >= sinceMs ? 'known' : 'unknown' }
    },
  }
}

const bySnapshot = (rows: readonly Release[] | undefined): ReadonlyMap<string, Release> =>
  newestBy(rows ?? none, (release) => specOf(release).snapshot)

const createdMsOf = ({ metadata }: KubeObject): number => msOf(metadata.creationTimestamp) ?? 0

const none: never[] = []
