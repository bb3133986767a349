import type { GitFacts } from './git/git-facts'

/**
 * What a search looks for, in lower case. What users paste from elsewhere becomes what objects are searched by: the
 * reference of an image its digest or the SHA that is its tag, the URL of a commit its SHA, that of a pull request
 * `host/repository#12/`, a number `#12/`, and `pod/name` the name; anything else stays as it was typed, without quotes
 * around it and with one space between words.
 */
export function searchTermOf(typed: string): string {
  const text = unquoted(typed.toLowerCase().replace(/\s+/g, ' ').trim())
  const digest = /sha256[:-]([0-9a-f]{64})(?![0-9a-f])/.exec(text)?.[1]
  if (digest) return `sha256:${digest}`
  const sha = commitPage.exec(text)?.[1] ?? shaTag.exec(text)?.[1]
  if (sha) return sha
  const [, repository, number] = pullRequestPage.exec(text) ?? shortPullRequest.exec(text) ?? []
  if (number) return `${repository}#${number}/`
  const alone = numberAlone.exec(text)?.[1]
  // The slash ends the number: 1 is not the start of 12.
  return alone ? `#${alone}/` : (kindAndName.exec(text)?.[1] ?? text)
}

const commitPage = /^(?:https?:\/\/)?[^\s/]+\.[^\s/]+\/\S+\/commits?\/([0-9a-f]{7,64})(?:[/?#]|$)/
/** Builds tag images with the SHA, those of a pull request with a prefix. */
const shaTag = /^[^\s:]+(?::\d+)?\/\S+:(?:on-pr-)?([0-9a-f]{40})(?:[.-]\S*)?$/
const pullRequestPage =
  /^(?:https?:\/\/)?([^\s/]+\/\S+?)(?:\/-)?\/(?:pull|pulls|pull-requests|merge_requests)\/([1-9]\d*)(?:[/?#]|$)/
/** `acme/web#12`, as git hosts link to it. */
const shortPullRequest = /^([\w.-]+(?:\/[\w.-]+)+)[#!]([1-9]\d*)$/
const numberAlone = /^(?:[#!]|(?:pull|pulls|pr|mr)(?: ?#|[ /])|merge_requests\/)([1-9]\d*)$/
/** As in the output of `kubectl get -o name`. */
const kindAndName =
  /^(?:pipelineruns?|taskruns?|pods?|snapshots?|releases?|releaseplans?|components?|applications?)(?:\.[a-z0-9.]+)?\/([a-z0-9][a-z0-9.-]*)$/

const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['<', '>'],
  ['(', ')'],
]

function unquoted(typed: string): string {
  const text = typed.replace(/[,;]+$/, '')
  const isQuoted = quotes.some(([start, end]) => text.length > 2 && text.startsWith(start) && text.endsWith(end))
  return isQuoted ? unquoted(text.slice(1, -1).trim()) : text
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

/** The same, of a number alone too. */
export const pullRequestNumberIn = (term: string): string | undefined => /^\S*#([1-9]\d*)\/$/.exec(term)?.[1]

/** The digest in a term, `sha256:…`. @param term as from `searchTermOf` */
export const digestIn = (term: string): string | undefined => (/^sha256:[0-9a-f]{64}$/.test(term) ? term : undefined)

/** The CVEs that a text names, each once and in capitals. */
export const cvesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\bCVE-\d{4}-\d{4,19}\b/gi)].map(([key]) => key.toUpperCase())),
]
