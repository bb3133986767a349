import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { Release } from '@slipway/model/supply-chain/release'
import { objectRows, type RowKind } from '../../api/source'

/** A row of the release monitor. */
export interface MonitoredRelease {
  release: Release
  /** Whether its component has no newer release; true for a release without a component. */
  isLatest: boolean
}

export const monitoredRows: RowKind<MonitoredRelease> = {
  idOf: ({ release }) => objectRows.idOf(release),
  nameOf: ({ release }) => nameOf(release),
  isBeingDeleted: ({ release }) => objectRows.isBeingDeleted(release),
  objectOf: ({ release }) => release,
}

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
