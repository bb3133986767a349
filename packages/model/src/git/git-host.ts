import { parseGitUrl } from './git-url'

/** Repositories at their git hosts, and the URLs of the pages there. */

export type GitProvider = 'github' | 'gitlab' | 'bitbucket' | 'forgejo'

export interface Repository {
  /** Web URL. */
  repoUrl: string | undefined
  gitProvider: GitProvider | undefined
}

/** Provider names as in Pipelines as Code: `github`, `bitbucket-cloud`, `gitea`, … */
const providerNames: readonly [RegExp, GitProvider][] = [
  [/github/, 'github'],
  [/gitlab/, 'gitlab'],
  [/bitbucket/, 'bitbucket'],
  [/forgejo|gitea|codeberg/, 'forgejo'],
]
/** The git service whose name a text contains, such as the name of a host. */
export const gitProviderIn = (text: string): GitProvider | undefined =>
  providerNames.find(([name]) => name.test(text.toLowerCase()))?.[1]

/**
 * A repository by its git URL.
 * @param service its git service if known; otherwise derived from the host name
 */
export function repositoryAt(address: string | undefined, service = ''): Repository {
  const repoUrl = webUrl(address, { isRepository: true })
  return {
    repoUrl,
    gitProvider: gitProviderIn(service) ?? (repoUrl ? gitProviderIn(new URL(repoUrl).hostname) : undefined),
  }
}

/** Annotations are untrusted: only http and https URLs become links. */
export function webUrl(text: string | undefined, { isRepository = false } = {}): string | undefined {
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
