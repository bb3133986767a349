import { hexDigits, keyedRandom } from '../keyed-random'
import { repositoryKey, type GitLocation, type GitProvider } from './git-url'

/** What the simulated git host knows of one repository. Times are RFC 3339. */
export interface GitRepository extends GitLocation {
  provider: GitProvider
  defaultBranch: string
  branches: Branch[]
  /** The newest first. */
  pullRequests: PullRequest[]
  /** Events that nobody has been told of yet, the oldest first. */
  deliveries: Delivery[]
  /** How many commits, pull requests and deeds of people there have been: they make the next ones differ. */
  counts: { commits: number; pullRequests: number; deeds: number }
  /** When people do something next; absent while nothing in the repository is built. */
  nextDeedAt?: string
}

export interface Commit {
  sha: string
  title: string
  /** What the message says below its title. */
  body?: string
  author: string
  time: string
  /** The directory that it changes; absent for changes all over the repository. */
  context?: string
  /** The pull request that it merges. */
  merges?: number
}

export interface Branch {
  name: string
  /** The newest first. */
  commits: Commit[]
  /** Components (`namespace/name`) whose pipelines are defined in `.tekton` of this branch. */
  pipelines: string[]
}

export interface Comment {
  author: string
  text: string
  time: string
}

export interface PullRequest {
  number: number
  title: string
  body: string
  source: string
  target: string
  author: string
  state: 'open' | 'merged' | 'closed'
  openedAt: string
  closedAt?: string
  closedBy?: string
  /** The newest first; never empty. */
  commits: [Commit, ...Commit[]]
  comments: Comment[]
  /** Components whose pipelines it brings or takes away. */
  adds?: string[]
  removes?: string[]
  /** From when on somebody merges it, once its checks are through; absent if that is left to whoever looks at it. */
  mergeAt?: string
}

/** What Pipelines as Code is told, as by a webhook. */
export interface Delivery {
  /** The same for the same event, whatever becomes of its delivery. */
  id: string
  event: 'push' | 'pull_request' | 'closed' | 'retest' | 'incoming'
  /** That was pushed to, or that a pull request is for. */
  branch: string
  commit: Commit
  sender: string
  pullRequest?: number
  /** The one component (`namespace/name`) that is to be built. */
  component?: string
}

/** What is older is not of interest to anybody, and a ConfigMap holds one megabyte. */
const keptCommits = 60
const keptPullRequests = 60

interface CommitInput {
  title: string
  body?: string
  author: string
  time: string
  context?: string
}

/** A repository as somebody has made it, with a little history. */
export function newRepository(
  location: GitLocation,
  provider: GitProvider,
  history: CommitInput[],
  defaultBranch = 'main',
): GitRepository {
  const repository: GitRepository = {
    ...location,
    provider,
    defaultBranch,
    branches: [],
    pullRequests: [],
    deliveries: [],
    counts: { commits: 0, pullRequests: 0, deeds: 0 },
  }
  const commits = history.map((each) => newCommit(repository, each)).reverse()
  repository.branches.push({ name: defaultBranch, commits, pipelines: [] })
  return repository
}

/*
 * The functions below change the repository that they are given: a draft, read from the cluster for this purpose and
 * written back as a whole.
 */

export function newCommit(repository: GitRepository, input: CommitInput): Commit {
  const count = ++repository.counts.commits
  return { sha: hexDigits(keyedRandom(repositoryKey(repository), `commit ${count}`), 40), ...input }
}

/** A branch that nobody has pushed to yet begins where the default branch is. */
export function branchOf(repository: GitRepository, name: string): Branch {
  const known = repository.branches.find((branch) => branch.name === name)
  if (known) return known
  const base = repository.branches.find((branch) => branch.name === repository.defaultBranch)
  const branch: Branch = { name, commits: [...(base?.commits ?? [])], pipelines: [...(base?.pipelines ?? [])] }
  repository.branches.push(branch)
  return branch
}

export const headOf = (branch: Branch): Commit | undefined => branch.commits[0]

export function push(repository: GitRepository, branchName: string, input: CommitInput): Commit {
  const commit = newCommit(repository, input)
  addToBranch(repository, branchName, commit, input.author)
  return commit
}

function addToBranch(repository: GitRepository, branchName: string, commit: Commit, sender: string) {
  const branch = branchOf(repository, branchName)
  branch.commits = [commit, ...branch.commits].slice(0, keptCommits)
  repository.deliveries.push({
    id: `push ${branchName} ${commit.sha}`,
    event: 'push',
    branch: branchName,
    commit,
    sender,
    pullRequest: commit.merges,
  })
}

interface PullRequestInput extends Pick<
  PullRequest,
  'title' | 'body' | 'source' | 'target' | 'author' | 'adds' | 'removes' | 'mergeAt'
> {
  time: string
  commit?: Partial<CommitInput>
}

export function openPullRequest(repository: GitRepository, { time, commit, ...input }: PullRequestInput): PullRequest {
  const first = newCommit(repository, { title: input.title, author: input.author, time, ...commit })
  const pullRequest: PullRequest = {
    number: ++repository.counts.pullRequests,
    ...input,
    state: 'open',
    openedAt: time,
    commits: [first],
    comments: [],
  }
  branchOf(repository, input.target)
  repository.pullRequests = [pullRequest, ...repository.pullRequests].slice(0, keptPullRequests)
  deliver(repository, pullRequest, 'pull_request', input.author)
  return pullRequest
}

export function updatePullRequest(repository: GitRepository, pullRequest: PullRequest, input: CommitInput): Commit {
  const commit = newCommit(repository, input)
  pullRequest.commits = [commit, ...pullRequest.commits]
  deliver(repository, pullRequest, 'pull_request', input.author)
  return commit
}

/** A comment that begins with a command of Pipelines as Code (`/retest`) is one. */
export function commentOn(repository: GitRepository, pullRequest: PullRequest, comment: Comment) {
  pullRequest.comments.push(comment)
  if (pullRequest.state === 'open' && /^\/(re)?test\b/.test(comment.text.trim())) {
    deliver(repository, pullRequest, 'retest', comment.author, ` ${pullRequest.comments.length}`)
  }
}

/** @returns what stands in the way, for people; nothing when it is merged */
export function mergePullRequest(
  repository: GitRepository,
  pullRequest: PullRequest,
  { author, time }: { author: string; time: string },
): string | undefined {
  if (pullRequest.state !== 'open') return `This pull request is ${pullRequest.state} already.`
  close(repository, pullRequest, 'merged', author, time)
  const target = branchOf(repository, pullRequest.target)
  const { adds = [], removes = [] } = pullRequest
  target.pipelines = [...new Set([...target.pipelines, ...adds])].filter((each) => !removes.includes(each))
  const commit = newCommit(repository, {
    title: mergeTitle(repository, pullRequest),
    body: pullRequest.title,
    author,
    time,
    context: pullRequest.commits[0].context,
  })
  addToBranch(repository, pullRequest.target, { ...commit, merges: pullRequest.number }, author)
  return undefined
}

/** How each provider words the commit of a merge. */
function mergeTitle({ provider, organization }: GitRepository, { number, source, target }: PullRequest): string {
  if (provider === 'gitlab') return `Merge branch '${source}' into '${target}'`
  if (provider === 'bitbucket') return `Merged in ${source} (pull request #${number})`
  return `Merge pull request #${number} from ${organization}/${source}`
}

export function closePullRequest(
  repository: GitRepository,
  pullRequest: PullRequest,
  { author, time }: { author: string; time: string },
) {
  if (pullRequest.state === 'open') close(repository, pullRequest, 'closed', author, time)
}

function close(
  repository: GitRepository,
  pullRequest: PullRequest,
  state: 'merged' | 'closed',
  closedBy: string,
  closedAt: string,
) {
  Object.assign(pullRequest, { state, closedBy, closedAt })
  delete pullRequest.mergeAt
  deliver(repository, pullRequest, 'closed', closedBy)
}

function deliver(
  repository: GitRepository,
  { number, target, commits }: PullRequest,
  event: Delivery['event'],
  sender: string,
  detail = '',
) {
  const commit = commits[0]
  const id = `${event} ${number} ${commit.sha}${detail}`
  repository.deliveries.push({ id, event, branch: target, commit, sender, pullRequest: number })
}

/** Asks for a build of the head of a branch for one component, as its webhook for incoming requests does. */
export function requestBuild(repository: GitRepository, branchName: string, component: string, id: string) {
  const commit = headOf(branchOf(repository, branchName))
  if (!commit) return
  repository.deliveries.push({
    id: `incoming ${id}`,
    event: 'incoming',
    branch: branchName,
    commit,
    sender: 'incoming',
    component,
  })
}

export const openPullRequestFrom = (repository: GitRepository, source: string): PullRequest | undefined =>
  repository.pullRequests.find((each) => each.source === source && each.state === 'open')

/** Components whose pipelines an event can start: as they are on its branch, or would be with its pull request. */
export function pipelinesAt(repository: GitRepository, { branch, pullRequest: number, event }: Delivery): string[] {
  const defined = repository.branches.find(({ name }) => name === branch)?.pipelines ?? []
  const pullRequest = repository.pullRequests.find((each) => each.number === number)
  if (event === 'push' || event === 'incoming' || !pullRequest) return defined
  const { adds = [], removes = [] } = pullRequest
  return [...new Set([...defined, ...adds])].filter((each) => !removes.includes(each))
}
