import { nameOf, specOf } from '@slipway/kube/object'
import { asText } from '@slipway/kube/parse'
import { labels } from '../labels'
import { compareUrl, type Repository, repositoryAt } from '../git/git-host'
import { isSha } from '../git/git-facts'
import { type Release, releaseStatus } from '../releases/release'
import { componentsIn, imageIdOf, type Snapshot, type SnapshotComponent } from './snapshot'
import { isUnmerged, referenceOf } from './snapshot-origin'

/** What changed from one snapshot of an application to another. */

/** In the order in which they are shown. */
export const componentChangeKinds = ['Changed', 'Added', 'Removed', 'Unchanged'] as const
export type ComponentChangeKind = (typeof componentChangeKinds)[number]

/** One component in two snapshots. */
export interface ComponentChange {
  /** Unique within a comparison: its name, with its version if it has one. */
  name: string
  kind: ComponentChangeKind
  /** `undefined` if it was added. */
  from: SnapshotComponent | undefined
  /** `undefined` if it was removed. */
  to: SnapshotComponent | undefined
  /** Whether the image is another one, or is in one snapshot only. */
  hasNewImage: boolean
  commits: CommitRange | undefined
}

/** What a component was built from, before and after. */
export interface CommitRange {
  /** Commit, branch or tag; `undefined` if it is not known. */
  from: string | undefined
  to: string | undefined
  isOtherRepository: boolean
  /** Where the git host shows the commits between; `undefined` if it cannot be known. */
  url: string | undefined
}

/** Every component of two snapshots, by name. If the content of an archive names one twice, the first one counts. */
export function changesBetween(from: Snapshot, to: Snapshot): ComponentChange[] {
  const [before, after] = [componentsByName(from), componentsByName(to)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort((a, b) => a.localeCompare(b, 'en'))
    .map((name) => changeOf(name, before.get(name), after.get(name), [to, from]))
}

function componentsByName(snapshot: Snapshot): Map<string, SnapshotComponent> {
  const byName = new Map<string, SnapshotComponent>()
  for (const component of componentsIn(snapshot)) {
    const version = asText(component.version)
    const name = version ? `${component.name} ${version}` : component.name
    if (!byName.has(name)) byName.set(name, component)
  }
  return byName
}

/** @param snapshots tell the services of git hosts that their names do not tell */
function changeOf(
  name: string,
  from: SnapshotComponent | undefined,
  to: SnapshotComponent | undefined,
  snapshots: readonly Snapshot[],
): ComponentChange {
  const commits = commitRange(from, to, snapshots)
  if (!from || !to) return { name, kind: from ? 'Removed' : 'Added', from, to, hasNewImage: true, commits }
  const hasNewImage = imageIdOf(from) !== imageIdOf(to)
  return { name, kind: hasNewImage || commits ? 'Changed' : 'Unchanged', from, to, hasNewImage, commits }
}

/** `undefined` if both were built from the same, or if nothing is known. */
function commitRange(
  before: SnapshotComponent | undefined,
  after: SnapshotComponent | undefined,
  snapshots: readonly Snapshot[],
): CommitRange | undefined {
  const [from, to] = [revisionIn(before), revisionIn(after)]
  const [source, target] = [repositoryOf(before, snapshots), repositoryOf(after, snapshots)]
  const isOtherRepository = Boolean(source.repoUrl && target.repoUrl) && source.repoUrl !== target.repoUrl
  if (from === to && !isOtherRepository) return undefined
  const isRange = from !== undefined && to !== undefined && isSha(from) && isSha(to)
  return { from, to, isOtherRepository, url: isRange && !isOtherRepository ? compareUrl(target, from, to) : undefined }
}

const revisionIn = (component: SnapshotComponent | undefined): string | undefined =>
  asText(component?.source?.git?.revision)

/** A component names no git service, but a snapshot names that of its own commit, which may be on the same host. */
function repositoryOf(component: SnapshotComponent | undefined, snapshots: readonly Snapshot[]): Repository {
  const repository = repositoryAt(asText(component?.source?.git?.url))
  const onSameHost = snapshots.map(referenceOf).filter((reference) => hostOf(reference) === hostOf(repository))
  const known = onSameHost.find(({ gitProvider }) => gitProvider)
  return { ...repository, gitProvider: repository.gitProvider ?? known?.gitProvider }
}

const hostOf = ({ repoUrl }: Repository): string | undefined => repoUrl && new URL(repoUrl).host

/** How many components changed, as in `2 changed, 1 added, 5 unchanged`. */
export function summaryOf(changes: readonly ComponentChange[]): string {
  const counts = componentChangeKinds.map((kind) => ({
    kind,
    count: changes.filter((change) => change.kind === kind).length,
  }))
  const parts = counts.filter(({ count }) => count > 0).map(({ kind, count }) => `${count} ${kind.toLowerCase()}`)
  return parts.length > 0 ? parts.join(', ') : 'No components'
}

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
  const { application } = specOf(snapshot)
  const successful = releases
    .filter(({ metadata }) => metadata.labels?.[labels.application] === application)
    .filter((release) => releaseStatus(release) === 'Succeeded' && release.status?.completionTime)
    .sort((a, b) => (completedAt(a) < completedAt(b) ? 1 : -1))
  const own = successful.filter((release) => isOf(release, snapshot)).at(-1)
  const others = successful.filter((release) => !isOf(release, snapshot))
  return others.find((release) => !own || completedAt(release) < completedAt(own))?.spec.snapshot
}

const completedAt = ({ status }: Release): string => status?.completionTime ?? ''

const isOf = (release: Release, snapshot: Snapshot): boolean => specOf(release).snapshot === nameOf(snapshot)

const createdAt = ({ metadata }: Snapshot): string => metadata.creationTimestamp ?? ''

/** Sorts snapshots by age, those of the same second by name, which contains the time. */
const ageOrder = (snapshot: Snapshot): string => `${createdAt(snapshot)} ${nameOf(snapshot)}`

const newestOf = (snapshots: readonly Snapshot[]): Snapshot | undefined =>
  snapshots.reduce<Snapshot | undefined>(
    (newest, each) => (newest && ageOrder(newest) >= ageOrder(each) ? newest : each),
    undefined,
  )
