import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { annotations, copiedPacKey, labels } from '../labels'
import { commitShaOf, eventTypeOf, type GitFacts, gitFactsOf, isForPullRequest, shortSha } from '../git/git-facts'
import { pullRequestUrl, type Repository, repositoryAt } from '../git/git-host'
import { componentsIn, type Snapshot } from './snapshot'

/** Why there is a snapshot: the event, the commit and the pull requests that it was created for. */

/** `Group`: of several pull requests together; `Override`: sets the images of an application; `Manual`: by a user. */
export type SnapshotOrigin = 'Push' | 'Pull request' | 'Group' | 'Override' | 'Manual'

export function originOfSnapshot(snapshot: Snapshot): SnapshotOrigin {
  const { labels: known = {}, annotations: notes = {} } = snapshot.metadata
  if (known[labels.snapshotType] === 'override') return 'Override'
  if (known[labels.snapshotType] === 'group') return 'Group'
  if (notes[annotations.integrationWorkflow] === 'pull-request' || isForPullRequest(snapshot)) return 'Pull request'
  return eventTypeOf(snapshot) || commitShaOf(snapshot) ? 'Push' : 'Manual'
}

/** Whether a snapshot contains changes that have not been merged. */
export const isUnmerged = (snapshot: Snapshot): boolean =>
  ['Pull request', 'Group'].includes(originOfSnapshot(snapshot))

/** The commit that a snapshot was created for, with its repository. */
export interface SnapshotReference extends GitFacts {
  sha: string | undefined
  organization: string | undefined
  repositoryName: string | undefined
  /** As written by Pipelines as Code: `push`, `pull_request`, … */
  eventType: string | undefined
}

export function referenceOf(snapshot: Snapshot): SnapshotReference {
  const sha = commitShaOf(snapshot)
  const git = gitFactsOf(sha, [snapshot])
  const [organization, repositoryName] = repositoryPath(git)
  return {
    ...git,
    sha,
    organization: markOf(snapshot, labels.organization) ?? organization,
    repositoryName: markOf(snapshot, labels.repositoryName) ?? repositoryName,
    eventType: eventTypeOf(snapshot),
  }
}

const repositoryPath = ({ repoUrl }: Repository): (string | undefined)[] => {
  const segments = repoUrl ? new URL(repoUrl).pathname.split('/').filter(Boolean) : []
  return segments.length < 2 ? [] : [segments.slice(0, -1).join('/'), segments.at(-1)]
}

const markOf = ({ metadata }: Snapshot, key: string): string | undefined =>
  asText(metadata.labels?.[copiedPacKey(key)]) ?? asText(metadata.annotations?.[copiedPacKey(key)])

/** What triggered a snapshot, as in `Triggered by {trigger}`; `undefined` if no commit is known. */
export function triggerOf(snapshot: Snapshot): string | undefined {
  const { sha, shaTitle } = referenceOf(snapshot)
  return shaTitle ?? (sha && `commit ${shortSha(sha)}`)
}

export interface SnapshotPullRequest {
  number: number
  url: string | undefined
  repoUrl: string | undefined
  /** The components that were built from it; empty if that is not known. */
  components: string[]
}

/** The pull requests whose changes are in a snapshot: one, or those of a group; empty for any other snapshot. */
export function pullRequestsIn(snapshot: Snapshot): SnapshotPullRequest[] {
  const origin = originOfSnapshot(snapshot)
  if (origin !== 'Group' && origin !== 'Pull request') return []
  const members = origin === 'Group' ? groupPullRequests(snapshot) : []
  if (members.length > 0) return members
  const { pullRequestNumber: number, pullRequestUrl: url, repoUrl } = referenceOf(snapshot)
  return number === undefined ? [] : [{ number, url, repoUrl, components: newComponentsOf(snapshot) }]
}

/** Pull requests of the members; a repository may have several components. */
function groupPullRequests(snapshot: Snapshot): SnapshotPullRequest[] {
  const own = referenceOf(snapshot)
  const found = new Map<string, SnapshotPullRequest>()
  for (const member of membersOf(snapshot)) {
    const number = /^[1-9]\d{0,9}$/.exec(asText(member.pullRequestNumber) ?? String(member.pullRequestNumber))?.[0]
    if (!number) continue
    const repository = knownRepository(member, own)
    const key = `${repository.repoUrl ?? ''}#${number}`
    const known = found.get(key) ?? {
      number: Number(number),
      url: pullRequestUrl(repository, Number(number)),
      repoUrl: repository.repoUrl,
      components: [],
    }
    const component = asText(member.component)
    found.set(key, component ? { ...known, components: [...known.components, component] } : known)
  }
  return [...found.values()]
}

/** A member names no git service, but most members are on the host of the event that completed the group. */
function knownRepository(member: Record<string, unknown>, own: Repository): Repository {
  const repository = repositoryAt(asText(member.repoUrl))
  const hostOf = ({ repoUrl }: Repository) => repoUrl && new URL(repoUrl).host
  const isSameHost = hostOf(repository) === hostOf(own)
  return { ...repository, gitProvider: repository.gitProvider ?? (isSameHost ? own.gitProvider : undefined) }
}

const membersOf = ({ metadata }: Snapshot): Record<string, unknown>[] =>
  asArray(parseJson(metadata.annotations?.[annotations.groupMembers] ?? '')).map(asRecord)

/** The components whose images are new in a snapshot, as far as it says so. */
export function newComponentsOf(snapshot: Snapshot): string[] {
  const { [labels.component]: built } = snapshot.metadata.labels ?? {}
  const names =
    originOfSnapshot(snapshot) === 'Group'
      ? membersOf(snapshot).flatMap(({ component }) => asText(component) ?? [])
      : built
        ? [built]
        : []
  const existing = new Set(componentsIn(snapshot).map(({ name }) => name))
  return [...new Set(names)].filter((name) => existing.has(name))
}
