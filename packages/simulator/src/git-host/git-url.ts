import { parseGitUrl } from '@slipway/model/git/git-url'

export type GitProvider = 'github' | 'gitlab' | 'bitbucket'

/** Location of a repository. */
export interface GitLocation {
  /** The host in its URL, such as `github.com`. */
  host: string
  /** May be a path of groups, separated by slashes. */
  organization: string
  name: string
  /** URL of its page: no user, no `.git`, no trailing slash. */
  url: string
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Parses any URL that git can clone, and the web page of a repository.
 *
 * A URL on a loopback address is a page of the simulated git host, whose path contains the simulated host:
 * `http://127.0.0.1:9080/github.com/organization/name`, possibly below a base path.
 * @returns undefined for anything else
 */
export function parseRepositoryUrl(text: string): GitLocation | undefined {
  const parsed = parseGitUrl(text)
  if (!parsed) return undefined
  const { host } = parsed
  const parts = decodeURI(parsed.path).split('/').filter(Boolean)
  const name = parts.at(-1)
  if (!name || parts.length < 2) return undefined
  const origin = /^https?:/i.test(text.trim()) ? new URL(text.trim()).origin : `https://${host}`
  const url = join(origin, parts)
  const simulated = loopback.test(host) ? parts.findIndex((part) => part.includes('.')) : -1
  if (simulated >= 0 && parts.length - simulated > 2) {
    const [simulatedHost = '', ...rest] = parts.slice(simulated)
    return { host: simulatedHost, organization: rest.slice(0, -1).join('/'), name, url }
  }
  return { host, organization: parts.slice(0, -1).join('/'), name, url }
}

const join = (origin: string, parts: string[]) => `${origin}/${parts.join('/')}`

/** The same for all URLs of one repository. */
export const repositoryKey = ({ host, organization, name }: Pick<GitLocation, 'host' | 'organization' | 'name'>) =>
  `${host}/${organization}/${name}`.toLowerCase()

/** The `repositoryKey` of a URL; `undefined` if it is not valid. */
export function urlKey(url: string): string | undefined {
  const location = parseRepositoryUrl(url)
  return location && repositoryKey(location)
}

/** Whether both URLs are of the same repository. */
export const isSameRepository = (a: string, b: string): boolean => urlKey(a) !== undefined && urlKey(a) === urlKey(b)

const providers: GitProvider[] = ['github', 'gitlab', 'bitbucket']

/**
 * The provider of a host, as declared or else by its name.
 * @param declared the annotation `git-provider` of a component
 */
export const providerOf = (host: string, declared?: string): GitProvider | undefined =>
  providers.find((each) => each === declared) ?? providers.find((each) => host.includes(each))

/** Paths below the URL of a repository, by provider. */
const paths: Record<GitProvider, Record<'commit' | 'pull' | 'tree', string>> = {
  github: { commit: 'commit', pull: 'pull', tree: 'tree' },
  gitlab: { commit: '-/commit', pull: '-/merge_requests', tree: '-/tree' },
  bitbucket: { commit: 'commits', pull: 'pull-requests', tree: 'src' },
}

/** `webUrl`: URL of its pages, if different from `url`. */
type Linked = { url: string; webUrl?: string; provider: GitProvider }
const below = ({ url, webUrl = url, provider }: Linked, page: keyof (typeof paths)[GitProvider], rest: string) =>
  `${webUrl}/${paths[provider][page]}/${rest}`

export const commitUrl = (repository: Linked, sha: string) => below(repository, 'commit', sha)
export const pullUrl = (repository: Linked, number: number) => below(repository, 'pull', String(number))
export const branchUrl = (repository: Linked, branch: string) => below(repository, 'tree', encodeURI(branch))
