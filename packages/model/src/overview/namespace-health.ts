import { type KubeObject, nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { shortSha } from '../git/git-facts'
import { groupBy } from '../grouping'
import { labels } from '../labels'
import type { Release } from '../releases/release'
import { failureMessages } from '../releases/release'
import type { PipelineRun } from '../runs/pipeline-run'
import { snapshotStatus } from '../snapshots/snapshot-status'
import type { Snapshot } from '../snapshots/snapshot'
import { referenceOf } from '../snapshots/snapshot-origin'

/** What lists say of a namespace or an application, and of what is held back in it. */

/** The worst first. `Unknown` comes after what is known to be wrong, and before what is known to be well. */
export const healthStates = ['Failing', 'Held back', 'Unknown', 'Running', 'Healthy'] as const
export type HealthState = (typeof healthStates)[number]

/** Whose health it is: a namespace's, or that of each application of one namespace. */
export type HealthSubject = 'namespace' | 'application'

export interface Health {
  /** Of the namespace or application. */
  name: string
  state: HealthState
  /** RFC 3339: since when it has been failing or held back; `undefined` if it is not, or if that is not known. */
  since: string | undefined
  /** How many newest builds, tests and releases have failed. */
  failing: number
  heldBack: number
  running: number
  /** The newest release that has succeeded. */
  lastRelease: Release | undefined
}

/** What is known; a part that could not be read is `undefined`. */
export interface HealthParts {
  /** The newest build of each component and the newest run of each test, of those that have failed. */
  failedRuns: readonly PipelineRun[] | undefined
  /** The newest release of each plan, of those that have failed. */
  failedReleases: readonly Release[] | undefined
  /** The newest merged snapshot of each application, of those whose tests have failed. */
  heldSnapshots: readonly Snapshot[] | undefined
  /** How many runs are running, by the name of the subject. */
  running: Readonly<Record<string, number>> | undefined
  /** The newest release of each subject, of those that have succeeded. */
  lastReleases: readonly Release[] | undefined
}

/**
 * The health of each namespace or application, the worst first, then by name.
 * @param isUnread whether some part of it could not be read
 */
export function healthOf(
  subject: HealthSubject,
  names: readonly string[],
  parts: HealthParts,
  isUnread: (name: string) => boolean,
): Health[] {
  const keyOf = subjectOf[subject]
  const failedRuns = groupBy(parts.failedRuns ?? [], keyOf)
  const failedReleases = groupBy(parts.failedReleases ?? [], keyOf)
  const heldSnapshots = groupBy(parts.heldSnapshots ?? [], keyOf)
  const lastReleases = groupBy(parts.lastReleases ?? [], keyOf)
  const isAllKnown = parts.failedRuns && parts.failedReleases && parts.heldSnapshots && parts.running
  return names
    .map((name) => {
      const runs = failedRuns.get(name) ?? []
      const releases = failedReleases.get(name) ?? []
      const snapshots = heldSnapshots.get(name) ?? []
      const running = parts.running?.[name] ?? 0
      const failing = runs.length + releases.length
      const state: HealthState =
        failing > 0
          ? 'Failing'
          : snapshots.length > 0
            ? 'Held back'
            : !isAllKnown || isUnread(name)
              ? 'Unknown'
              : running > 0
                ? 'Running'
                : 'Healthy'
      return {
        name,
        state,
        since: failing > 0 ? earliest([...runs, ...releases].map(endOf)) : earliest(snapshots.map(creationOf)),
        failing,
        heldBack: snapshots.length,
        running,
        lastRelease: lastReleases.get(name)?.[0],
      }
    })
    .sort((a, b) => healthRank(a.state) - healthRank(b.state) || (a.name < b.name ? -1 : 1))
}

/** For sorting: the worst first. */
export const healthRank = (state: HealthState): number => healthStates.indexOf(state)

const subjectOf: Record<HealthSubject, (object: KubeObject) => string | undefined> = {
  namespace: namespaceOf,
  application: ({ metadata }) => metadata.labels?.[labels.application],
}

type Ended = PipelineRun | Release
const endOf = ({ status }: Ended): string | undefined => status?.completionTime
const creationOf = ({ metadata }: Snapshot): string | undefined => metadata.creationTimestamp

/** RFC 3339 in UTC, as Kubernetes writes times, sorts as text. */
const earliest = (times: readonly (string | undefined)[]): string | undefined =>
  times.reduce((first, time) => (first === undefined || (time !== undefined && time < first) ? time : first), undefined)

/** Something that does not move on by itself: a failed release, or a snapshot that its tests keep from being released. */
export type HeldBack =
  | { release: Release; snapshot?: undefined; reason: string; since: string | undefined }
  | { snapshot: Snapshot; release?: undefined; reason: string; since: string | undefined }

/** What is held back and why, the newest first. */
export const heldBackOf = (releases: readonly Release[], snapshots: readonly Snapshot[]): HeldBack[] =>
  [
    ...releases.map((release) => ({
      release,
      reason: failureMessages(release)[0] ?? `The release with plan ${specOf(release).releasePlan ?? '-'} has failed.`,
      since: endOf(release) ?? release.metadata.creationTimestamp,
    })),
    ...snapshots.map((snapshot) => ({
      snapshot,
      reason: snapshotStatus(snapshot) === 'Invalid' ? 'The snapshot is not valid.' : 'Required tests have not passed.',
      since: creationOf(snapshot),
    })),
  ].sort((a, b) => ((a.since ?? '') < (b.since ?? '') ? 1 : -1))

/** What people call a snapshot: the title of its commit, or else its short SHA or its name. */
export function snapshotTitle(snapshot: Snapshot): string {
  const { shaTitle, sha } = referenceOf(snapshot)
  return shaTitle ?? (sha ? shortSha(sha) : nameOf(snapshot))
}
