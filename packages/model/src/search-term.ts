import type { GitFacts } from './git/git-facts'

/**
 * What a search looks for, in lower case. What users paste from elsewhere becomes what objects are searched by: the
 * reference of an image its digest, the URL of a commit its SHA, that of a pull request `host/repository#12/`, and a
 * number `#12/`; anything else stays as it was typed.
 */
export function searchTermOf(typed: string): string {
  const text = typed.trim().toLowerCase()
  const digest = /sha256[:-]([0-9a-f]{64})(?![0-9a-f])/.exec(text)?.[1]
  if (digest) return `sha256:${digest}`
  const sha = /^https?:\/\/\S+\/commits?\/([0-9a-f]{7,64})(?:[/?#]|$)/.exec(text)?.[1]
  if (sha) return sha
  const [, repository, number] =
    /^https?:\/\/(\S+?)(?:\/-)?\/(?:pull|pulls|pull-requests|merge_requests)\/([1-9]\d*)(?:[/?#]|$)/.exec(text) ?? []
  if (number) return `${repository}#${number}/`
  const alone = /^[#!]([1-9]\d*)$/.exec(text)?.[1]
  // The slash ends the number: 1 is not the start of 12.
  return alone ? `#${alone}/` : text
}

/** What a pull request is searched by, in the form of `searchTermOf`; empty if the number is not known. */
export const pullRequestTerm = ({
  repoUrl,
  number,
}: {
  repoUrl: GitFacts['repoUrl']
  number: number | undefined
}): string => (number === undefined ? '' : `${repoUrl?.toLowerCase().replace(/^https?:\/\//, '') ?? ''}#${number}/`)

/** The number of the pull request whose URL was pasted, as labels have it. @param term as from `searchTermOf` */
export const pullRequestIn = (term: string): string | undefined => /^\S+#([1-9]\d*)\/$/.exec(term)?.[1]

/** The digest in a term, `sha256:…`. @param term as from `searchTermOf` */
export const digestIn = (term: string): string | undefined => (/^sha256:[0-9a-f]{64}$/.test(term) ? term : undefined)

/** The CVEs that a text names, each once and in capitals. */
export const cvesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\bCVE-\d{4}-\d{4,19}\b/gi)].map(([key]) => key.toUpperCase())),
]
