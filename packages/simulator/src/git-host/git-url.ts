export type GitProvider = 'github' | 'gitlab' | 'bitbucket'

/** Where a repository is. */
export interface GitLocation {
  /** Of the host that it is said to be on, such as `github.com`. */
  host: string
  /** Also a path of groups, with slashes. */
  organization: string
  name: string
  /** Where people look at it: no user, no `.git`, no final slash. */
  url: string
}

const scpForm = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Of any address that git takes: `https://`, `ssh://`, `git://` or `git@host:organization/name.git`.
 *
 * On a loopback address it is a page of the simulated git host, whose path names the host that is meant:
 * `http://127.0.0.1:9080/github.com/organization/name`, where the git host may be below another path.
 * @returns undefined for anything else
 */
export function parseGitUrl(text: string): GitLocation | undefined {
  const scp = scpForm.exec(text.trim())
  const address = scp ? `ssh://${scp[1]}/${scp[2]}` : text.trim()
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  // Schemes that the platform does not know leave the host empty.
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

/** The same for every way to write the address of one repository. */
export const repositoryKey = ({ host, organization, name }: Pick<GitLocation, 'host' | 'organization' | 'name'>) =>
  `${host}/${organization}/${name}`.toLowerCase()

/** As `repositoryKey`, of an address; `undefined` for what is none. */
export function addressKey(url: string): string | undefined {
  const location = parseGitUrl(url)
  return location && repositoryKey(location)
}

/** Are these addresses of one repository? */
export const isSameRepository = (a: string, b: string): boolean =>
  addressKey(a) !== undefined && addressKey(a) === addressKey(b)

const providers: GitProvider[] = ['github', 'gitlab', 'bitbucket']

/**
 * The flavour of a host, by what its owner says of it or else by its name.
 * @param declared the annotation `git-provider` of a component
 */
export const providerOf = (host: string, declared?: string): GitProvider | undefined =>
  providers.find((each) => each === declared) ?? providers.find((each) => host.includes(each))

/** Paths below the address of a repository, in the shapes of each provider. */
const shapes: Record<GitProvider, Record<'commit' | 'pull' | 'tree', string>> = {
  github: { commit: 'commit', pull: 'pull', tree: 'tree' },
  gitlab: { commit: '-/commit', pull: '-/merge_requests', tree: '-/tree' },
  bitbucket: { commit: 'commits', pull: 'pull-requests', tree: 'src' },
}

/** `webUrl`: where people look at it, if that is not where it is said to be. */
type Linked = { url: string; webUrl?: string; provider: GitProvider }
const below = ({ url, webUrl = url, provider }: Linked, shape: keyof (typeof shapes)[GitProvider], rest: string) =>
  `${webUrl}/${shapes[provider][shape]}/${rest}`

export const commitUrl = (repository: Linked, sha: string) => below(repository, 'commit', sha)
export const pullUrl = (repository: Linked, number: number) => below(repository, 'pull', String(number))
export const branchUrl = (repository: Linked, branch: string) => below(repository, 'tree', encodeURI(branch))
