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

const scpForm = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Parses any URL that git accepts: `https://`, `ssh://`, `git://` or `git@host:organization/name.git`.
 *
 * A URL on a loopback address is a page of the simulated git host, whose path contains the simulated host:
 * `http://127.0.0.1:9080/github.com/organization/name`, possibly below a base path.
 * @returns undefined for anything else
 */
export function parseGitUrl(text: string): GitLocation | undefined {
  const scp = scpForm.exec(text.trim())
  const address = scp ? `ssh://${scp[1]}/${scp[2]}` : text.trim()
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  // The host is empty for schemes that `URL` does not know.
  const host = url.hostname || new URL(address.replace(/^\w+:/, 'http:')).hostname
  const parts = decodeURI(url.pathname)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter(Boolean)
  const name = parts.at(-1)
  const simulated = loopback.test(host) ? parts.findIndex((part) => part.includes('.')) : -1
  if (simulated >= 0 && parts.length - simulated > 2 && name) {
    const [simulatedHost = '', ...rest] = parts.slice(simulated)
    return { host: simulatedHost, organization: rest.slice(0, -1).join('/'), name, url: join(url.origin, parts) }
  }
  if (!host || !name || parts.length < 2) return undefined
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const origin = isWeb ? url.origin : `https://${host}`
  return { host, organization: parts.slice(0, -1).join('/'), name, url: join(origin, parts) }
}

const join = (origin: string, parts: string[]) => `${origin}/${parts.join('/')}`

/** The same for all URLs of one repository. */
export const repositoryKey = ({ host, organization, name }: Pick<GitLocation, 'host' | 'organization' | 'name'>) =>
  `${host}/${organization}/${name}`.toLowerCase()

/** The `repositoryKey` of a URL; `undefined` if it is not valid. */
export function urlKey(url: string): string | undefined {
  const location = parseGitUrl(url)
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
