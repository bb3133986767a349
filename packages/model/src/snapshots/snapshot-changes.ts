import { asText } from '@slipway/kube/parse'
import { compareUrl, type Repository, repositoryAt } from '../git/git-host'
import { isSha } from '../git/git-facts'
import { componentsIn, imageIdOf, type Snapshot, type SnapshotComponent } from './snapshot'
import { referenceOf } from './snapshot-origin'

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
