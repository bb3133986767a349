import type { KubeClient } from '@slipway/kube/client'
import { configMapType } from '@slipway/kube/core-types'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ApiError } from '@slipway/kube/status'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isSameRepository, pullUrl, repositoryKey } from './git-url'
import type { View } from './parts'
import {
  closePullRequest,
  commentOn,
  mergePullRequest,
  openPullRequest,
  push,
  updatePullRequest,
  type GitRepository,
  type PullRequest,
} from './repository'
import { gitHostNamespace, readRepository, repositoryConfigMapName, repositoryLabel, saveRepository } from './store'
import { style } from './style'
import { branchPage, commitPage, document, filePage, message, overview, pullPage, repositoryList } from './views'

/** What its pages read; they write repositories (`repositoryWrites`). */
export const gitHostReads: readonly ResourceType[] = [configMapType, pipelineRunType]

interface GitHostOptions {
  client: KubeClient
  /** Milliseconds since 1970. */
  now(): number
  /**
   * The origins under which browsers reach it. Requests with any other Host are rejected. Read on each request, since
   * the port may not be known at the start.
   */
  origins(): readonly string[]
  /** Path below which the git host is served, without a trailing slash; default: the root. */
  basePath?: string
}

/** Author of everything that the user of the pages does. */
export const visitor = 'you'

/** Forbids scripts, styles other than our own file, frames, and forms that post elsewhere. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`, with which forms would send a null origin.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** A rejected request; the message is shown to the user. */
class RequestError extends Error {
  readonly code: number
  constructor(code: number, text: string) {
    super(text)
    this.code = code
  }
}

/**
 * Serves the pages of the simulated git host: every repository at `/{host}/{organization}/{name}`, with its provider's
 * paths below. The pages read and write the ConfigMaps of repositories, and read PipelineRuns to show them as checks.
 */
export function createGitHost({
  client,
  now,
  origins,
  basePath = '',
}: GitHostOptions): (request: Request) => Promise<Response> {
  const timestamp = () => new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const addressOf = ({ host, organization, name }: GitRepository) =>
    `${basePath}/${[host, ...organization.split('/'), name].map(encodeURIComponent).join('/')}`
  const page = (content: Parameters<typeof document>[0], status = 200) =>
    new Response(document(content, basePath).markup, {
      status,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    })

  async function respond(request: Request): Promise<Response> {
    // Any other name may be that of another site that resolves to this machine (DNS rebinding).
    const host = request.headers.get('host') ?? new URL(request.url).host
    const origin = origins().find((each) => new URL(each).host === host.toLowerCase())
    if (origin === undefined) throw new RequestError(400, 'The git host is not served under this host name.')
    const { pathname } = new URL(request.url)
    if (basePath && pathname !== basePath && !pathname.startsWith(`${basePath}/`)) throw notFound()
    const parts = segmentsOf(pathname.slice(basePath.length))
    if (request.method === 'POST') return act(request, origin, parts)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new RequestError(405, 'This method is not allowed. Use GET, HEAD or POST.')
    if (parts.join('/') === '-/style.css') {
      return new Response(style, { headers: { ...headers, 'content-type': 'text/css; charset=utf-8' } })
    }
    const repositories = await readAll()
    if (parts.length === 0) {
      return page(repositoryList(repositories.map((repository) => ({ repository, at: addressOf(repository) }))))
    }
    const { repository, rest } = locate(repositories, parts)
    return page(await show({ repository, at: addressOf(repository), nowMs: now() }, rest))
  }

  async function readAll(): Promise<GitRepository[]> {
    const list = { namespace: gitHostNamespace, labels: { matchLabels: { [repositoryLabel]: 'true' } } }
    const { items } = await client.list(configMapType, list)
    return items.flatMap((configMap) => readRepository(configMap) ?? [])
  }

  async function runsOf(repository: GitRepository, sha: string): Promise<PipelineRun[]> {
    const { items } = await client.list(pipelineRunType, { labels: { matchLabels: { [labels.commitSha]: sha } } })
    return items.filter((run) =>
      isSameRepository(run.metadata.annotations?.[annotations.pacRepositoryUrl] ?? '', repository.url),
    )
  }

  async function show(view: View, [kind, ...rest]: string[]) {
    const { repository } = view
    switch (kind) {
      case undefined:
      case 'pulls':
        return overview(view)
      case 'pull':
      case 'merge_requests':
      case 'pull-requests': {
        if (rest.length === 0) return overview(view)
        const pull = pullOf(repository, rest)
        return pullPage(view, pull, await runsOf(repository, pull.commits[0].sha))
      }
      case 'commit':
      case 'commits': {
        const commit = commitOf(repository, rest[0])
        if (commit) return commitPage(view, commit, await runsOf(repository, commit.sha))
        return branchPage(view, branchAt(repository, rest).branch)
      }
      case 'tree':
      case 'branch':
      case 'src':
      case 'blob': {
        const { branch, path } = branchAt(repository, rest)
        return path ? filePage(view, branch.name, path) : branchPage(view, branch)
      }
      default:
        throw notFound()
    }
  }

  async function act(request: Request, origin: string, parts: string[]): Promise<Response> {
    if (!isSameOrigin(request, origin)) throw new RequestError(403, 'This form was sent by another site.')
    const type = request.headers.get('content-type') ?? ''
    if (!type.startsWith('application/x-www-form-urlencoded'))
      throw new RequestError(415, 'Only form data is accepted.')
    const form = new URLSearchParams(await request.text())
    const { repository, rest } = locate(await readAll(), parts)
    const target = await change(repository, (draft) => perform(draft, rest, form))
    return new Response(null, { status: 303, headers: { ...headers, location: target } })
  }

  /** Edits the current version of the repository, again after a write conflict. */
  async function change(known: GitRepository, edit: (draft: GitRepository) => string): Promise<string> {
    for (let tries = 0; ; tries++) {
      const configMap = await client.get(configMapType, repositoryConfigMapName(known), { namespace: gitHostNamespace })
      const draft = readRepository(configMap)
      if (!draft) throw notFound()
      const target = edit(draft)
      try {
        await saveRepository(client, configMap, draft)
        return target
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 409) || tries >= 4) throw error
      }
    }
  }

  /** @returns the path to redirect to */
  function perform(repository: GitRepository, [kind, ...rest]: string[], form: URLSearchParams): string {
    const signature = { author: visitor, time: timestamp() }
    const at = addressOf(repository)
    const site = { provider: repository.provider, url: at }
    const action = form.get('action')
    if (kind === undefined) {
      const branch = branchAt(repository, segmentsOf(form.get('branch') ?? '')).branch.name
      const title = textOf(form, 'title', 200)
      if (action === 'push') {
        push(repository, branch, { title, ...signature })
        return at
      }
      if (action !== 'open-pull-request') throw new RequestError(400, 'Unknown action.')
      const source = `${branchNameFrom(title)}-${repository.counts.pullRequests + 1}`
      const pull = openPullRequest(repository, { title, body: '', source, target: branch, ...signature })
      return pullUrl(site, pull.number)
    }
    const pull = pullOf(repository, rest)
    switch (action) {
      case 'merge': {
        const conflict = mergePullRequest(repository, pull, signature)
        if (conflict) throw new RequestError(409, conflict)
        break
      }
      case 'close':
        closePullRequest(repository, pull, signature)
        break
      case 'retest':
        commentOn(repository, pull, { ...signature, text: '/retest' })
        break
      case 'comment':
        commentOn(repository, pull, { ...signature, text: textOf(form, 'text', 4_000) })
        break
      case 'commit':
        if (pull.state !== 'open') throw new RequestError(409, `This pull request is already ${pull.state}.`)
        updatePullRequest(repository, pull, { title: textOf(form, 'title', 200), ...signature })
        break
      default:
        throw new RequestError(400, 'Unknown action.')
    }
    return pullUrl(site, pull.number)
  }

  return async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      if (error instanceof RequestError) return page(message('Request rejected', error.message), error.code)
      if (error instanceof ApiError) return page(message('The cluster could not be reached', error.message), 502)
      throw error
    }
  }
}

const notFound = () => new RequestError(404, 'This page does not exist.')

/** Splits a path into decoded segments, including GitLab's `-`. */
function segmentsOf(path: string): string[] {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    throw notFound()
  }
}

/** The repository of a path, and the segments after it, without GitLab's `-`. */
function locate(repositories: GitRepository[], parts: string[]): { repository: GitRepository; rest: string[] } {
  for (let length = parts.length; length > 2; length--) {
    const key = parts
      .slice(0, length)
      .join('/')
      .replace(/\.git$/, '')
      .toLowerCase()
    const repository = repositories.find((each) => repositoryKey(each) === key)
    const rest = parts.slice(length)
    if (repository) return { repository, rest: rest[0] === '-' ? rest.slice(1) : rest }
  }
  throw notFound()
}

function pullOf(repository: GitRepository, [number]: string[]): PullRequest {
  const pull = repository.pullRequests.find((each) => String(each.number) === number)
  if (!pull) throw notFound()
  return pull
}

function commitOf({ branches, pullRequests }: GitRepository, sha: string | undefined) {
  if (sha === undefined || !/^[0-9a-f]{7,40}$/.test(sha)) return undefined
  const all = [...branches, ...pullRequests].flatMap(({ commits }) => commits)
  return all.find((commit) => commit.sha.startsWith(sha))
}

/** Branch names may contain slashes, and a path may follow, so the longest matching name is used. */
function branchAt({ branches }: GitRepository, parts: string[]) {
  const text = parts.join('/')
  const matching = branches.filter(({ name }) => text === name || text.startsWith(`${name}/`))
  const [branch] = matching.sort((a, b) => b.name.length - a.name.length)
  if (!branch) throw notFound()
  return { branch, path: text.slice(branch.name.length + 1) }
}

function textOf(form: URLSearchParams, name: string, maxLength: number): string {
  const text = form.get(name)?.trim() ?? ''
  if (!text || text.length > maxLength)
    throw new RequestError(400, `Enter a ${name} of at most ${maxLength} characters.`)
  return text
}

const branchNameFrom = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'change'

/** Browsers send the origin of each form, so a request without one is not from our pages. */
function isSameOrigin({ headers }: Request, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  return (site === null || site === 'same-origin') && headers.get('origin') === origin
}
