import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/releases/release'
import { useArchivedOfEach } from '../../api/archive/archived-of-each'
import {
  objectRows,
  type RowKind,
  type Source,
  useDerived,
  useJoined,
  useList,
  useListOfEach,
  withoutFreshness,
} from '../../api/source'
import { namespaces } from '../../resources/namespaces'
import { releases } from '../../resources/releases'

/** A row of the release monitor. */
export interface MonitoredRelease {
  release: Release
  /** Whether its component has no newer release; true for a release without a component. */
  isLatest: boolean
}

const monitoredRows: RowKind<MonitoredRelease> = {
  idOf: ({ release }) => objectRows.idOf(release),
  nameOf: ({ release }) => nameOf(release),
  isBeingDeleted: ({ release }) => objectRows.isBeingDeleted(release),
  objectOf: ({ release }) => release,
}

/** The lists of more namespaces are polled in turns, since each watch is a connection. */
const mostWatched = 10

/** The releases of all namespaces that the user can see, those in the archive on demand. */
export function useMonitoredReleases(): Source<MonitoredRelease> {
  const visible = withoutFreshness(useList(namespaces.list(), 'namespaces'))
  const isPolled = (visible.rows?.length ?? 0) > mostWatched
  const all = useListOfEach(visible, (namespace) => ({
    name: `namespace ${nameOf(namespace)}`,
    query: releases.monitored(nameOf(namespace), isPolled),
  }))
  const past = useArchivedOfEach(visible, (namespace) => ({
    name: `the archive of namespace ${nameOf(namespace)}`,
    query: releases.archived(nameOf(namespace)),
  }))
  return useDerived(useJoined([all, past], mergeArchived, objectRows), markLatest, monitoredRows)
}

type Releases = readonly Release[] | undefined

/** An archive may have what is still in the cluster, and its pages may overlap. */
const mergeArchived = ([current, archived]: readonly [Releases, Releases]): Releases =>
  current && archived && archived.length > 0
    ? [...new Map([...archived, ...current].map((release) => [uidOf(release), release])).values()]
    : current

export const componentOf = ({ metadata }: Release): string | undefined => metadata.labels?.[labels.component]

interface Marked {
  releases: readonly Release[]
  rows: readonly MonitoredRelease[]
}

/** Marks the latest release of each component, a step of `useDerived`: a row that stays the same keeps its identity. */
export function markLatest(releases: readonly Release[], before?: Marked): Marked {
  if (before?.releases === releases) return before
  const latest = new Map<string, Release>()
  for (const release of releases) {
    const key = keyOf(release)
    const other = key === undefined ? undefined : latest.get(key)
    if (key !== undefined && (!other || createdAt(other) < createdAt(release))) latest.set(key, release)
  }
  const known = new Map(before?.rows.map((row) => [row.release, row]))
  const rows = releases.map((release) => {
    const key = keyOf(release)
    const isLatest = key === undefined || latest.get(key) === release
    const row = known.get(release)
    return row?.isLatest === isLatest ? row : { release, isLatest }
  })
  return { releases, rows }
}

/** Two namespaces may have components of the same name. */
const keyOf = (release: Release): string | undefined =>
  componentOf(release) && `${namespaceOf(release)}/${componentOf(release)}`

const createdAt = ({ metadata }: Release): string => metadata.creationTimestamp ?? ''
