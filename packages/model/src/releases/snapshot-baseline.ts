import { nameOf, specOf } from '@slipway/kube/object'
import { labels } from '../labels'
import { createdAt, lastFirstBy, newestOf } from '../newest'
import type { Snapshot } from '../snapshots/snapshot'
import { isUnmerged } from '../snapshots/snapshot-origin'
import { type Release, releaseStatus } from './release'

/** Why a snapshot is the one to compare with. */
export interface Baseline {
  name: string
  reason: 'released' | 'previous'
}

/**
 * The snapshot that users want another one to be compared with: the one that was released last (before it, if it was
 * released itself), or else the one before it, without the changes of pull requests if possible. It is never a newer
 * one, since the comparison would show the changes backwards.
 * @param snapshots of its application
 * @param releases of its namespace
 */
export function baselineOf(
  snapshot: Snapshot,
  snapshots: readonly Snapshot[],
  releases: readonly Release[],
): Baseline | undefined {
  const ages = new Map(snapshots.map((other) => [nameOf(other), ageOrder(other)]))
  const released = lastReleasedBefore(
    snapshot,
    releases.filter((release) => {
      const age = ages.get(specOf(release).snapshot ?? '')
      // The age of a deleted one is not known, but it is older than its release.
      return age ? age < ageOrder(snapshot) : completedAt(release) < createdAt(snapshot) || isOf(release, snapshot)
    }),
  )
  if (released) return { name: released, reason: 'released' }
  const older = snapshots.filter((other) => ageOrder(other) < ageOrder(snapshot))
  const previous = newestOf(older.filter((other) => !isUnmerged(other))) ?? newestOf(older)
  return previous && { name: nameOf(previous), reason: 'previous' }
}

function lastReleasedBefore(snapshot: Snapshot, releases: readonly Release[]): string | undefined {
  const successful = successfulOf(specOf(snapshot).application, releases)
  const own = successful.filter((release) => isOf(release, snapshot)).at(-1)
  const others = successful.filter((release) => !isOf(release, snapshot))
  return others.find((release) => !own || completedAt(release) < completedAt(own))?.spec.snapshot
}

/** The snapshot that an application has released last; `undefined` if no release of it has succeeded. */
export const lastReleasedOf = (application: string, releases: readonly Release[]): string | undefined =>
  successfulOf(application, releases)[0]?.spec.snapshot

/** Those that succeeded, the last one first. */
const successfulOf = (application: string | undefined, releases: readonly Release[]): Release[] =>
  releases
    .filter(({ metadata }) => metadata.labels?.[labels.application] === application)
    .filter((release) => releaseStatus(release) === 'Succeeded' && release.status?.completionTime)
    .sort(lastFirstBy(completedAt))

const completedAt = ({ status }: Release): string => status?.completionTime ?? ''

const isOf = (release: Release, snapshot: Snapshot): boolean => specOf(release).snapshot === nameOf(snapshot)

/** Sorts snapshots by age, those of the same second by name, which contains the time. */
export const ageOrder = (snapshot: Snapshot): string => `${createdAt(snapshot)} ${nameOf(snapshot)}`
