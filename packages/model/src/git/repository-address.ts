import { type GitProvider, gitProviderIn } from './git-host'
import { maxUrlLength, parseGitUrl, urlTooLong } from './git-url'

/** What a component is built from, as far as a URL says it. */
export interface RepositoryReference {
  /** `https://{host}/{path}`, without credentials, query and final `.git`. */
  url: string
  /** A branch, tag, commit or full reference such as `refs/pull/7/head`. */
  revision?: string
  /** Folder of the repository. */
  context?: string
  /** Path of the file in the repository, for the page of a file. */
  file?: string
}

export const credentialsInUrl = 'Must not contain credentials. Add them as a secret instead.'

/** Why the URL of a form cannot be imported; `undefined` for a valid one. Specification: import, section 5. */
export function gitUrlError(text: string): string | undefined {
  const url = text.trim()
  if (url === '') return 'Required'
  if (url.length > maxUrlLength) return urlTooLong
  if (!/^https:\/\//i.test(url)) return 'Must include a protocol (https://)'
  if (!URL.canParse(url) || !gitProviderIn(new URL(url).hostname)) return 'Must include a domain (github/gitlab)'
  const { pathname, username, password } = new URL(url)
  if (segmentsOf(pathname).length < 2) return 'User or repository name is missing'
  if (username || password) return credentialsInUrl
  return undefined
}

const hostAndPath = /^(?:[\w-]+\.)+[\w-]+\/\S+$/

/**
 * Parses any form of a repository's address that people copy: URLs of the protocols https, http, ssh and git,
 * `git@host:organization/repository.git`, the same after `git clone`, and the web page of a repository or of one of its
 * branches, folders, files, pull requests and commits. A page does not tell where the name of a branch ends, so a branch
 * is taken to have no slash unless the slash is encoded.
 * @returns `undefined` for anything else
 */
export function parseRepositoryAddress(text: string): RepositoryReference | undefined {
  const address = text.trim().replace(/^git clone\s+/, '')
  const web = hostAndPath.test(address) ? `https://${address}` : address.replace(/^http:/i, 'https:')
  if (/^https:\/\/\S+$/i.test(web)) return parsePage(web)
  const { host, path = '' } = parseGitUrl(address) ?? {}
  return host && path.includes('/') ? { url: `https://${host}/${path}` } : undefined
}

/** Parses the address of a page in a repository, such as a branch or a folder, which cannot be cloned. */
export function parseRepositoryPage(text: string): RepositoryReference | undefined {
  const address = parseRepositoryAddress(text)
  if (!address || !URL.canParse(text.trim())) return undefined
  const { pathname, search, hash, username } = new URL(text.trim())
  const isBelow = segmentsOf(pathname).length > segmentsOf(new URL(address.url).pathname).length
  // What is wrong with a URL that contains credentials is for the user to see.
  return (isBelow || search || hash) && !username ? address : undefined
}

/** @param address of any page of a repository */
function parsePage(address: string): RepositoryReference | undefined {
  if (!URL.canParse(address)) return undefined
  const { hostname, host, pathname } = new URL(address)
  const segments = segmentsOf(pathname)
  if (segments.length < 2) return undefined
  const { repository, revision, context, file } = splitPath(hostname, segments)
  return {
    url: `https://${host}/${repository.join('/').replace(/\.git$/, '')}`,
    ...(revision && { revision }),
    ...(context && { context }),
    ...(file && { file }),
  }
}

interface Page {
  /** Segments of the path of the repository. */
  repository: string[]
  revision?: string
  context?: string
  file?: string
}

function splitPath(host: string, segments: string[]): Page {
  const provider = gitProviderIn(host)
  const dash = segments.indexOf('-')
  // Only GitLab has groups in groups, and separates them from its pages.
  if (dash >= 2) return { repository: segments.slice(0, dash), ...parseView('gitlab', segments.slice(dash + 1)) }
  if (provider === 'gitlab' || !provider) return { repository: segments }
  return { repository: segments.slice(0, 2), ...parseView(provider, segments.slice(2)) }
}

/** @param segments of the path below the repository, still encoded */
function parseView(provider: GitProvider, segments: string[]): Omit<Page, 'repository'> {
  const decodedSegments = segments.map(decoded)
  // Forgejo says in a second segment what follows, as in `src/branch/main`.
  const viewLength = provider === 'forgejo' && /^(src|commits)$/.test(decodedSegments[0] ?? '') ? 2 : 1
  const view = decodedSegments.slice(0, viewLength).join('/')
  const rest = decodedSegments.slice(viewLength)
  const [first = '', ...below] = rest
  const kind = views[provider][view]
  if (!kind || !first) return {}
  if (kind === 'branch') return { revision: rest.join('/') }
  if (kind === 'folder') return { revision: first, context: below.join('/') }
  if (kind === 'file') return { revision: first, context: below.slice(0, -1).join('/'), file: below.join('/') }
  if (kind === 'commit') return { revision: first }
  return { revision: pullRequestRefs[provider]?.(first) }
}

/** Names of the pages below a repository. */
const views: Record<
  GitProvider,
  Record<string, 'branch' | 'folder' | 'file' | 'commit' | 'pullRequest' | undefined>
> = {
  github: {
    tree: 'folder',
    blob: 'file',
    commit: 'commit',
    commits: 'branch',
    pull: 'pullRequest',
  },
  gitlab: { tree: 'folder', blob: 'file', commit: 'commit', commits: 'branch', merge_requests: 'pullRequest' },
  // The address does not say whether it is of a folder or a file; Bitbucket's does not either.
  forgejo: {
    'src/branch': 'folder',
    'src/tag': 'folder',
    'src/commit': 'folder',
    commit: 'commit',
    'commits/branch': 'branch',
    pulls: 'pullRequest',
  },
  bitbucket: { src: 'folder', branch: 'branch', commits: 'commit', 'pull-requests': 'pullRequest' },
}

/** Bitbucket has no reference to a pull request. */
const pullRequestRefs: Partial<Record<GitProvider, (number: string) => string>> = {
  github: (number) => `refs/pull/${number}/head`,
  forgejo: (number) => `refs/pull/${number}/head`,
  gitlab: (number) => `refs/merge-requests/${number}/head`,
}

const segmentsOf = (pathname: string): string[] => pathname.split('/').filter(Boolean)

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Identifies a folder of a repository, whatever its address; `undefined` if the address is not valid. */
export function sourceKey({ url, context = '' }: Pick<RepositoryReference, 'url' | 'context'>): string | undefined {
  const reference = parseRepositoryAddress(url)
  const folder = context.split('/').filter((part) => part && part !== '.')
  return reference && [reference.url.toLowerCase().replace(/^https:\/\/www\./, 'https://'), ...folder].join('/')
}

/** The last part of the path of a repository; empty if the URL has none. */
export const repositoryNameOf = (url: string): string => parseRepositoryAddress(url)?.url.split('/').at(-1) ?? ''
