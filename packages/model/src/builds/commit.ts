import type { KubeObject } from '@slipway/kube/object'
import { annotations, copiedPacKey, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { commitStatus, type RunStatusOf, type RunStatusWord } from '../runs/run-status'
import { parseGitUrl } from './git-url'

/**
 * Commits are not stored: all information about them comes from their runs, and from copies on snapshots.
 * Specification 2, section 3.
 */

export type GitProvider = 'github' | 'gitlab' | 'bitbucket' | 'forgejo'

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

export interface Commit extends GitFacts {
  sha: string
  shaTitle: string
  /** Creation time of its earliest run. */
  creationTime: string | undefined
  /** Sorted names. */
  components: string[]
  application: string | undefined
  status: RunStatusWord | undefined
  /** Newest first. */
  pipelineRuns: PipelineRun[]
}

const manualBuild = 'manual build'
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
  branch: [annotation(annotations.branch), annotation(annotations.pacBranch)],
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

/** The commits of the given runs, latest first. Runs without a commit are dropped. */
export function commitsOf(runs: readonly PipelineRun[]): Commit[] {
  const bySha = new Map<string, PipelineRun[]>()
  for (const run of runs) {
    const sha = commitShaOf(run)
    if (!sha) continue
    const known = bySha.get(sha)
    if (known) known.push(run)
    else bySha.set(sha, [run])
  }
  return [...bySha].map(([sha, own]) => commitOf(sha, own)).sort(latestFirst)
}

const latestFirst = (a: Commit, b: Commit): number => compare(b.creationTime ?? '', a.creationTime ?? '')

/** @param runs all runs of this commit, in any order */
export function commitOf(sha: string, runs: readonly PipelineRun[], statusOf?: RunStatusOf): Commit {
  const pipelineRuns = [...runs].sort((a, b) => compare(createdAt(b), createdAt(a)))
  // Builds have the original data; other runs have at most copies.
  const isBuild = (run: PipelineRun) => run.metadata.labels?.[labels.pipelineType] === 'build'
  const witnesses = [...pipelineRuns.filter(isBuild), ...pipelineRuns.filter((run) => !isBuild(run))]
  const git = gitFactsOf(sha, witnesses)
  return {
    sha,
    ...git,
    shaTitle: git.shaTitle ?? manualBuild,
    creationTime: pipelineRuns.at(-1)?.metadata.creationTimestamp,
    components: [...new Set(pipelineRuns.flatMap((run) => run.metadata.labels?.[labels.component] || []))].sort(),
    application: firstFact(witnesses, (run) => run.metadata.labels?.[labels.application] || undefined),
    status: commitStatus(pipelineRuns, statusOf),
    pipelineRuns,
  }
}

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
    shaTitle: first((object) => fact(object, 'title')?.split('\n', 1)[0]),
    shaUrl: first((object) => webUrl(fact(object, 'url'))) ?? (sha ? commitUrl(repository, sha) : undefined),
    branch,
    branchUrl: branch === undefined ? undefined : branchUrl(repository, branch),
    user: first((object) => fact(object, 'user')),
    isPullRequest: first(isOfPullRequest) ?? pullRequestNumber !== undefined,
    pullRequestNumber,
    pullRequestUrl: pullRequestNumber === undefined ? undefined : pullRequestUrl(repository, pullRequestNumber),
  }
}

function firstFact<O, T>(objects: readonly O[], read: (object: O) => T | undefined): T | undefined {
  for (const object of objects) {
    const found = read(object)
    if (found !== undefined) return found
  }
  return undefined
}

const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? ''
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

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

function pullRequestNumberOf(object: KubeObject): number | undefined {
  const text = fact(object, 'pullRequest') ?? ''
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}

/** The branch of a run, without `refs/heads/`. */
const branchOf = (object: KubeObject): string | undefined =>
  fact(object, 'branch')?.replace(/^refs\/heads\//, '') || undefined

/** Provider names as in Pipelines as Code: `github`, `bitbucket-cloud`, `gitea`, … */
const providerNames: readonly [RegExp, GitProvider][] = [
  [/github/, 'github'],
  [/gitlab/, 'gitlab'],
  [/bitbucket/, 'bitbucket'],
  [/forgejo|gitea|codeberg/, 'forgejo'],
]
const providerIn = (text: string): GitProvider | undefined =>
  providerNames.find(([name]) => name.test(text.toLowerCase()))?.[1]

/** The provider according to the run, or else derived from the host name. */
export const gitProviderOf = (object: KubeObject): GitProvider | undefined =>
  repositoryAt(fact(object, 'repository'), fact(object, 'provider')).gitProvider

/**
 * A repository by its git URL.
 * @param service its git service if known; otherwise derived from the host name
 */
export function repositoryAt(address: string | undefined, service = ''): Repository {
  const repoUrl = webUrl(address, { isRepository: true })
  return { repoUrl, gitProvider: providerIn(service) ?? (repoUrl ? providerIn(new URL(repoUrl).hostname) : undefined) }
}

/** Web URL of the repository, without a query or a final `.git`; `undefined` if it is not a web URL. */
export const repoUrlOf = (object: KubeObject): string | undefined =>
  webUrl(fact(object, 'repository'), { isRepository: true })

/** Annotations are untrusted: only http and https URLs become links. */
function webUrl(text: string | undefined, { isRepository = false } = {}): string | undefined {
  const isWeb = /^https?:/i.test(text ?? '')
  const location = isRepository && !isWeb ? parseGitUrl(text ?? '') : undefined
  // The port of ssh or git leads to no page.
  const asWeb = location ? `https://${location.host}/${location.path}` : text
  if (!asWeb || !URL.canParse(asWeb)) return undefined
  const url = new URL(asWeb)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  // A link must not contain credentials.
  url.username = url.password = ''
  if (!isRepository) return url.href
  url.search = url.hash = ''
  return url.href.replace(/\/+$/, '').replace(/\.git$/, '')
}

/** The repository of a run or a snapshot. */
export const repositoryOf = (object: KubeObject): Repository => ({
  repoUrl: repoUrlOf(object),
  gitProvider: gitProviderOf(object),
})

export interface Repository {
  /** Web URL. */
  repoUrl: string | undefined
  gitProvider: GitProvider | undefined
}

interface PagePaths {
  commit: string
  pullRequest: string
  branch: string
  issue: string
  comparison: (from: string, to: string) => string
}

/** URL paths of each service, relative to the repository. */
const pages: Record<GitProvider, PagePaths> = {
  github: {
    commit: '/commit/',
    pullRequest: '/pull/',
    branch: '/tree/',
    issue: '/issues/',
    comparison: (from, to) => `/compare/${from}...${to}`,
  },
  gitlab: {
    commit: '/-/commit/',
    pullRequest: '/-/merge_requests/',
    branch: '/-/tree/',
    issue: '/-/issues/',
    comparison: (from, to) => `/-/compare/${from}...${to}`,
  },
  bitbucket: {
    commit: '/commits/',
    pullRequest: '/pull-requests/',
    branch: '/branch/',
    issue: '/issues/',
    // The newer one comes first.
    comparison: (from, to) => `/branches/compare/${to}..${from}`,
  },
  forgejo: {
    commit: '/commit/',
    pullRequest: '/pulls/',
    branch: '/src/branch/',
    issue: '/issues/',
    comparison: (from, to) => `/compare/${from}...${to}`,
  },
}

/** Most services use `/commit/`, so it is the default for an unknown service. */
export const commitUrl = ({ repoUrl, gitProvider }: Repository, sha: string): string | undefined =>
  repoUrl && `${repoUrl}${pages[gitProvider ?? 'github'].commit}${encodeURIComponent(sha)}`

export const pullRequestUrl = ({ repoUrl, gitProvider }: Repository, number: number): string | undefined =>
  repoUrl && gitProvider && `${repoUrl}${pages[gitProvider].pullRequest}${number}`

export const issueUrl = ({ repoUrl, gitProvider }: Repository, id: string): string | undefined =>
  repoUrl && gitProvider && `${repoUrl}${pages[gitProvider].issue}${encodeURIComponent(id)}`

export const branchUrl = ({ repoUrl, gitProvider }: Repository, branch: string): string | undefined =>
  repoUrl &&
  gitProvider &&
  `${repoUrl}${pages[gitProvider].branch}${branch.split('/').map(encodeURIComponent).join('/')}`

/** What changed between two commits. @param from commit SHA @param to commit SHA */
export const compareUrl = ({ repoUrl, gitProvider }: Repository, from: string, to: string): string | undefined =>
  repoUrl && gitProvider && `${repoUrl}${pages[gitProvider].comparison(from, to)}`
