import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { shortSha } from '../git/git-facts'
import type { Release } from '../releases/release'
import { failureMessages } from '../releases/release'
import type { PipelineRun } from '../runs/pipeline-run'
import { snapshotStatus } from '../snapshots/snapshot-status'
import type { Snapshot } from '../snapshots/snapshot'
import { referenceOf } from '../snapshots/snapshot-origin'

/** What the overview says of a namespace, and of what is held back in it. */

/** The worst first. `Unknown` comes after what is known to be wrong, and before what is known to be well. */
export const namespaceStates = ['Failing', 'Held back', 'Unknown', 'Running', 'Healthy'] as const
export type NamespaceState = (typeof namespaceStates)[number]

export interface NamespaceHealth {
  namespace: string
  state: NamespaceState
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
  /** How many runs are running, by namespace. */
  running: Readonly<Record<string, number>> | undefined
  /** The newest release of each namespace, of those that have succeeded. */
  lastReleases: readonly Release[] | undefined
}

/**
 * One line for each namespace, the worst first, then by name.
 * @param unread namespaces of which some part could not be read
 */
export function healthOf(
  namespaces: readonly string[],
  parts: HealthParts,
  unread: ReadonlySet<string>,
): NamespaceHealth[] {
  const failedRuns = byNamespace(parts.failedRuns)
  const failedReleases = byNamespace(parts.failedReleases)
  const heldSnapshots = byNamespace(parts.heldSnapshots)
  const lastReleases = byNamespace(parts.lastReleases)
  const isAllKnown = parts.failedRuns && parts.failedReleases && parts.heldSnapshots && parts.running
  return namespaces
    .map((namespace) => {
      const runs = failedRuns.get(namespace) ?? []
      const releases = failedReleases.get(namespace) ?? []
      const snapshots = heldSnapshots.get(namespace) ?? []
      const running = parts.running?.[namespace] ?? 0
      const failing = runs.length + releases.length
      const state: NamespaceState =
        failing > 0
          ? 'Failing'
          : snapshots.length > 0
            ? 'Held back'
            : !isAllKnown || unread.has(namespace)
              ? 'Unknown'
              : running > 0
                ? 'Running'
                : 'Healthy'
      return {
        namespace,
        state,
        since: failing > 0 ? earliest([...runs, ...releases].map(endOf)) : earliest(snapshots.map(creationOf)),
        failing,
        heldBack: snapshots.length,
        running,
        lastRelease: lastReleases.get(namespace)?.[0],
      }
    })
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.namespace < b.namespace ? -1 : 1))
}

const rankOf = ({ state }: NamespaceHealth): number => namespaceStates.indexOf(state)

type Ended = PipelineRun | Release
const endOf = ({ status }: Ended): string | undefined => status?.completionTime
const creationOf = ({ metadata }: Snapshot): string | undefined => metadata.creationTimestamp

/** RFC 3339 in UTC, as Kubernetes writes times, sorts as text. */
const earliest = (times: readonly (string | undefined)[]): string | undefined =>
  times.reduce((first, time) => (first === undefined || (time !== undefined && time < first) ? time : first), undefined)

function byNamespace<T extends PipelineRun | Release | Snapshot>(objects: readonly T[] | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const object of objects ?? []) {
    const namespace = namespaceOf(object) ?? ''
    groups.set(namespace, [...(groups.get(namespace) ?? []), object])
  }
  return groups
}

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
