import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { createdAt, firstOf, lastFirstBy } from '../newest'
import type { Snapshot } from '../snapshots/snapshot'
import { isUnmerged } from '../snapshots/snapshot-origin'
import { type Release, releaseStatus } from './release'
import type { ReleasePlan } from './release-plan'
import { type Outlook, type ReleaseProspect, releaseProspects } from './release-prospects'
import { ageOrder } from './snapshot-baseline'

/** What a release plan has brought to where it releases to, and what it has not brought there yet. */

export interface ReleasePlanState {
  plan: ReleasePlan
  /** The release whose snapshot is there now; `undefined` if none has succeeded. */
  current: Release | undefined
  /** What it released; `undefined` if it is not among the snapshots. */
  snapshot: Snapshot | undefined
  /** Merged snapshots that are newer than the one that is there, the newest first. */
  newer: readonly NewerSnapshot[]
}

export interface NewerSnapshot {
  snapshot: Snapshot
  /** Why it is not there. */
  prospect: ReleaseProspect
}

/**
 * @param releases of the plan's namespace, in any order, of any plan
 * @param snapshots of the plan's namespace, in any order; `undefined` if they could not be read
 */
export function releasePlanState(
  plan: ReleasePlan,
  releases: readonly Release[],
  snapshots: readonly Snapshot[] = [],
): ReleasePlanState {
  const current = currentReleaseOf(plan, releases)
  const released = current && snapshots.find((snapshot) => nameOf(snapshot) === specOf(current).snapshot)
  const newer = snapshots
    .filter((snapshot) => isOfPlan(snapshot, plan) && !isUnmerged(snapshot) && isNewer(snapshot, current, released))
    .sort((a, b) => (ageOrder(a) < ageOrder(b) ? 1 : -1))
    .flatMap((snapshot) => releaseProspects(snapshot, [plan], releases).map((prospect) => ({ snapshot, prospect })))
  return { plan, current, snapshot: released, newer }
}

/** What does not end by itself. */
const heldBack: readonly Outlook[] = ['Failed', 'Blocked', 'Held back']

/** Whether the newest snapshot is not released, and will not be by itself. */
export const isHeldBack = ({ newer: [newest] }: ReleasePlanState): boolean =>
  newest !== undefined && heldBack.includes(newest.prospect.outlook)

/**
 * The successful release of a plan that ended last: releases overlap, and an older snapshot may have been released again.
 * @param releases in any order, of any plan
 */
export const currentReleaseOf = (plan: ReleasePlan, releases: readonly Release[]): Release | undefined =>
  firstOf(
    releases.filter(
      (release) =>
        specOf(release).releasePlan === nameOf(plan) &&
        namespaceOf(release) === namespaceOf(plan) &&
        releaseStatus(release) === 'Succeeded',
    ),
    lastFirstBy(endOf),
  )

const endOf = ({ metadata, status }: Release): string => status?.completionTime ?? metadata.creationTimestamp ?? ''

/** A plan of a component group has no application, and releases the snapshots of the group. */
const isOfPlan = (snapshot: Snapshot, plan: ReleasePlan): boolean =>
  specOf(snapshot).application !== undefined && specOf(snapshot).application === specOf(plan).application

function isNewer(snapshot: Snapshot, current: Release | undefined, released: Snapshot | undefined): boolean {
  if (released) return ageOrder(snapshot) > ageOrder(released)
  // The age of a deleted one is not known, but it is older than its release.
  return createdAt(snapshot) > (current ? createdAt(current) : '')
}
