import { specOf } from '@slipway/kube/object'
import type { Release } from './release'

/** The newest release of each snapshot, by name of the snapshot. @param releases of one namespace */
export function lastReleasesBySnapshot(releases: readonly Release[]): Map<string, Release> {
  const newest = new Map<string, Release>()
  for (const release of releases) {
    const { snapshot } = specOf(release)
    if (!snapshot) continue
    const known = newest.get(snapshot)
    if (!known || createdAt(known) < createdAt(release)) newest.set(snapshot, release)
  }
  return newest
}

const createdAt = ({ metadata }: Release): string => metadata.creationTimestamp ?? ''
