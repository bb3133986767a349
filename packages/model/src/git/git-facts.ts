import type { KubeObject } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '../labels'
import {
  branchUrl,
  commitUrl,
  type GitProvider,
  pullRequestUrl,
  type Repository,
  repositoryAt,
  webUrl,
} from './git-host'

/** What the labels and annotations of runs and snapshots say about their commit. Specification 2, section 3. */

/** What git and the git host know about a commit. */
export interface GitFacts extends Repository {
  /** First line of the message; `undefined` if unknown. */
  shaTitle: string | undefined
  /** URL of the commit at its git host. */
  shaUrl: string | undefined
  branch: string | undefined
  branchUrl: string | undefined
  user: string | undefined
  isPullRequest: boolean
  /** Number of the pull request that it belongs to, or that merged it into its branch. */
  pullRequestNumber: number | undefined
  pullRequestUrl: string | undefined
}

const shortLength = 7

/** Whether a revision is a full commit SHA, rather than a branch or a tag. */
export const isSha = (revision: string): boolean => /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(revision)

export const shortSha = (sha: string): string => sha.slice(0, shortLength)

export type MetadataKey = readonly [where: 'labels' | 'annotations', key: string]
const label = (key: string): MetadataKey => ['labels', key]
const annotation = (key: string): MetadataKey => ['annotations', key]
/** A fact on a build, and its copy on the snapshot and later runs. */
const withCopy = (kind: typeof label, key: string): MetadataKey[] => [kind(key), kind(copiedPacKey(key))]

/** Labels and annotations that may contain each fact; the first one present counts. */
const metadataKeys = {
  sha: [
    ...withCopy(label, labels.commitSha),
    annotation(annotations.buildCommitSha),
    ...withCopy(annotation, labels.commitSha),
  ],
  title: withCopy(annotation, annotations.pacShaTitle),
  url: withCopy(annotation, annotations.pacShaUrl),
  repository: [...withCopy(annotation, annotations.pacRepositoryUrl), annotation(annotations.repository)],
  provider: [...withCopy(label, annotations.pacGitProvider), ...withCopy(annotation, annotations.pacGitProvider)],
  branch: [annotation(annotations.branch), ...withCopy(annotation, annotations.pacBranch)],
  user: [...withCopy(annotation, annotations.pacSender), label(annotations.pacSender)],
  event: withCopy(label, labels.eventType),
  pullRequest: [...withCopy(label, labels.pullRequestNumber), annotation(annotations.buildPullRequestNumber)],
} satisfies Record<string, MetadataKey[]>

/** Labels and annotations that may name the commit of a run. */
export const shaKeys: readonly MetadataKey[] = metadataKeys.sha

/** All labels and annotations read here, which a list of runs must include. */
export const commitKeys: readonly MetadataKey[] = Object.values(metadataKeys).flat()

/** Invalid values count as absent. */
function fact({ metadata }: KubeObject, name: keyof typeof metadataKeys): string | undefined {
  for (const [where, key] of metadataKeys[name]) {
    const value: unknown = metadata[where]?.[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return undefined
}

/** The event that triggered a run, its build or a snapshot, such as `push`; `undefined` if unknown. */
export const eventTypeOf = (object: KubeObject): string | undefined => fact(object, 'event')

/** The commit of a run or a snapshot, from the first key that names it. */
export const commitShaOf = (object: KubeObject): string | undefined => fact(object, 'sha')

/** The message of that commit, as far as its build recorded it: often only the first line. */
export const commitMessageOf = (object: KubeObject): string | undefined => fact(object, 'title')

/** The first line of that message. */
export const commitTitleOf = (object: KubeObject): string | undefined => commitMessageOf(object)?.split('\n', 1)[0]

/**
 * What the labels and annotations of objects say about their commit.
 * @param objects made for this commit; for each fact, the first one that has it counts
 */
export function gitFactsOf(sha: string | undefined, objects: readonly KubeObject[]): GitFacts {
  const first = <T>(read: (object: KubeObject) => T | undefined) => firstFact(objects, read)
  const repository = { repoUrl: first(repoUrlOf), gitProvider: first(gitProviderOf) }
  const branch = first(branchOf)
  const pullRequestNumber = first(pullRequestNumberOf)
  return {
    ...repository,
    shaTitle: first(commitTitleOf),
    shaUrl: first((object) => webUrl(fact(object, 'url'))) ?? (sha ? commitUrl(repository, sha) : undefined),
    branch,
    branchUrl: branch === undefined ? undefined : branchUrl(repository, branch),
    user: first(userOf),
    isPullRequest: first(isOfPullRequest) ?? pullRequestNumber !== undefined,
    pullRequestNumber,
    pullRequestUrl: pullRequestNumber === undefined ? undefined : pullRequestUrl(repository, pullRequestNumber),
  }
}

/** The first fact that one of the objects has. */
export function firstFact<O, T>(objects: readonly O[], read: (object: O) => T | undefined): T | undefined {
  for (const object of objects) {
    const found = read(object)
    if (found !== undefined) return found
  }
  return undefined
}

/** `Merge_Request` is GitLab's merge request event as a label value. */
const pullRequestEvents = new Set(['pull_request', 'Merge_Request'])
const otherEvents = new Set(['push', 'Push', 'incoming'])

/** `undefined` if the event does not say: comments exist on both pull requests and commits. */
function isOfPullRequest(object: KubeObject): boolean | undefined {
  const event = fact(object, 'event') ?? ''
  if (pullRequestEvents.has(event)) return true
  return otherEvents.has(event) ? false : undefined
}

/** Whether a run or a snapshot is for a pull request rather than a push. */
export const isForPullRequest = (object: KubeObject): boolean =>
  isOfPullRequest(object) ?? pullRequestNumberOf(object) !== undefined

/** For a run or a snapshot of a pull request: its number and, if the git host is known, its URL. */
export function pullRequestOf(object: KubeObject): { number: number; url: string | undefined } | undefined {
  const number = isOfPullRequest(object) === false ? undefined : pullRequestNumberOf(object)
  if (number === undefined) return undefined
  return { number, url: pullRequestUrl(repositoryOf(object), number) }
}

/** The number of that pull request, as in `#7`. */
export function pullRequestText(object: KubeObject): string | undefined {
  const pullRequest = pullRequestOf(object)
  return pullRequest && `#${pullRequest.number}`
}

function pullRequestNumberOf(object: KubeObject): number | undefined {
  const text = fact(object, 'pullRequest') ?? ''
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}

/** The user of the git host whose push or pull request was the reason for a run or a snapshot. */
export const userOf = (object: KubeObject): string | undefined => fact(object, 'user')

/** The branch of a run, without `refs/heads/`. */
export const branchOf = (object: KubeObject): string | undefined =>
  fact(object, 'branch')?.replace(/^refs\/heads\//, '') || undefined

/** The provider according to the run, or else derived from the host name. */
export const gitProviderOf = (object: KubeObject): GitProvider | undefined =>
  repositoryAt(fact(object, 'repository'), fact(object, 'provider')).gitProvider

/** Web URL of the repository, without a query or a final `.git`; `undefined` if it is not a web URL. */
export const repoUrlOf = (object: KubeObject): string | undefined => repositoryAt(fact(object, 'repository')).repoUrl

/** The repository of a run or a snapshot. */
export const repositoryOf = (object: KubeObject): Repository => ({
  repoUrl: repoUrlOf(object),
  gitProvider: gitProviderOf(object),
})
