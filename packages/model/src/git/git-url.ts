/** Longest URL or path that a form takes. */
export const maxUrlLength = 2_000
export const urlTooLong = `Must be at most ${maxUrlLength} characters long.`

/** Where a git URL leads, without the protocol, user, port and `.git`. */
interface GitLocation {
  host: string
  /** `organization/repository`, or more segments where organizations nest. */
  path: string
}

const urlPattern = /^(?:ssh|git|https?):\/\/(?:[^@/\s]+@)?(\[[\da-f:]+\]|[^@/:\s]+)(?::\d+)?\/([^\s?#]+)$/i
const scpPattern = /^[\w.-]+@([\w.-]+):(?!\/\/)([^\s?#]+)$/

/** Reads a URL that git can clone: with `ssh`, `git`, `http` or `https`, or as `git@host:org/repo.git`. */
export function parseGitUrl(text: string): GitLocation | undefined {
  const [, host, rest = ''] = urlPattern.exec(text.trim()) ?? scpPattern.exec(text.trim()) ?? []
  const path = rest.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return host && path ? { host: host.toLowerCase(), path } : undefined
}
