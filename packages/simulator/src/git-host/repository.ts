import { hexDigits, keyedRandom } from '../keyed-random'
import { repositoryKey, type GitLocation, type GitProvider } from './git-url'

/** The simulated git host's record of one repository. Times are RFC 3339. */
export interface GitRepository extends GitLocation {
  provider: GitProvider
  defaultBranch: string
  branches: Branch[]
  /** Newest first. */
  pullRequests: PullRequest[]
  /** Events that are not yet delivered, oldest first. */
  deliveries: Delivery[]
  /** Number of commits, pull requests and actions of people so far. They seed the next ones. */
  counts: { commits: number; pullRequests: number; deeds: number }
  /** Time of the next action of people; absent while nothing in the repository is built. */
  nextDeedAt?: string
}

export interface Commit {
  sha: string
  title: string
  /** The message without its title. */
  body?: string
  author: string
  time: string
  /** The directory that it changes; absent if it changes the whole repository. */
  context?: string
  /** The pull request that it merges. */
  merges?: number
}

export interface Branch {
  name: string
  /** Newest first. */
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
  /** Newest first; never empty. */
  commits: [Commit, ...Commit[]]
  comments: Comment[]
  /** Components whose pipelines it adds or removes. */
  adds?: string[]
  removes?: string[]
  /** Time from which it is merged automatically, once its checks have finished; absent if only users merge it. */
  mergeAt?: string
}

/** An event for Pipelines as Code, as from a webhook. */
export interface Delivery {
  /** Identifies the event, also if it is delivered again. */
  id: string
  event: 'push' | 'pull_request' | 'closed' | 'retest' | 'incoming'
  /** The branch that was pushed to, or the target of the pull request. */
  branch: string
  commit: Commit
  sender: string
  pullRequest?: number
  /** If present, only this component (`namespace/name`) is built. */
  component?: string
}

/** Older entries are dropped, since a ConfigMap is limited to one megabyte. */
const maxCommits = 60
const maxPullRequests = 60

interface CommitInput {
  title: string
  body?: string
  author: string
  time: string
  context?: string
}

/** Creates a repository with this history. */
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
 * The functions below modify the repository in place: it is a draft that was read from the cluster and is then written
 * back as a whole.
 */

export function newCommit(repository: GitRepository, input: CommitInput): Commit {
  const count = ++repository.counts.commits
  return { sha: hexDigits(keyedRandom(repositoryKey(repository), `commit ${count}`), 40), ...input }
}

/** Finds a branch, or creates it at the head of the default branch. */
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
  branch.commits = [commit, ...branch.commits].slice(0, maxCommits)
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
  repository.pullRequests = [pullRequest, ...repository.pullRequests].slice(0, maxPullRequests)
  deliver(repository, pullRequest, 'pull_request', input.author)
  return pullRequest
}

export function updatePullRequest(repository: GitRepository, pullRequest: PullRequest, input: CommitInput): Commit {
  const commit = newCommit(repository, input)
  pullRequest.commits = [commit, ...pullRequest.commits]
  deliver(repository, pullRequest, 'pull_request', input.author)
  return commit
}

/** Adds a comment. One that starts with a command of Pipelines as Code (`/retest`) runs that command. */
export function commentOn(repository: GitRepository, pullRequest: PullRequest, comment: Comment) {
  pullRequest.comments.push(comment)
  if (pullRequest.state === 'open' && /^\/(re)?test\b/.test(comment.text.trim())) {
    deliver(repository, pullRequest, 'retest', comment.author, ` ${pullRequest.comments.length}`)
  }
}

/** @returns why it cannot be merged, for users; `undefined` after it was merged */
export function mergePullRequest(
  repository: GitRepository,
  pullRequest: PullRequest,
  { author, time }: { author: string; time: string },
): string | undefined {
  if (pullRequest.state !== 'open') return `This pull request is already ${pullRequest.state}.`
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

/** Title of a merge commit, as each provider writes it. */
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

/** Requests a build of a branch's head for one component, as the incoming webhook does. */
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

/** Components whose pipelines an event can start: those on its branch, including the changes of its pull request. */
export function pipelinesAt(repository: GitRepository, { branch, pullRequest: number, event }: Delivery): string[] {
  const defined = repository.branches.find(({ name }) => name === branch)?.pipelines ?? []
  const pullRequest = repository.pullRequests.find((each) => each.number === number)
  if (event === 'push' || event === 'incoming' || !pullRequest) return defined
  const { adds = [], removes = [] } = pullRequest
  return [...new Set([...defined, ...adds])].filter((each) => !removes.includes(each))
}
