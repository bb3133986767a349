import { cvesIn, digestIn } from '../search-term'

/** What a search takes a text for, in words for users. */
export type TextKind =
  'a digest' | 'a commit' | 'a pull request' | 'a CVE' | 'an image by its tag' | 'a name, a title or an author'

/** @param term as from `searchTermOf` */
export function textKindOf(term: string): TextKind {
  if (digestIn(term)) return 'a digest'
  if (/^[0-9a-f]{7,64}$/.test(term) && /\d/.test(term)) return 'a commit'
  if (cvesIn(term).length > 0) return 'a CVE'
  if (/#[1-9]\d*\/$/.test(term)) return 'a pull request'
  return /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+:[\w.-]+$/.test(term) ? 'an image by its tag' : 'a name, a title or an author'
}

const mostNames = 6
/** A name of a run has at least a word and a random part. */
const leastParts = 2

/**
 * The names of runs that a task run or a pod may belong to, the longest first: Tekton puts the name of the run in front
 * of that of the task, and ends that of a pod with `-pod`.
 * @param term as from `searchTermOf`
 */
export function runNamesIn(term: string): string[] {
  if (textKindOf(term) !== 'a name, a title or an author' || !/^[a-z0-9][a-z0-9.-]*$/.test(term)) return []
  const parts = term.replace(/-pod(?:-retry\d+)?$/, '').split('-')
  return Array.from({ length: parts.length - leastParts }, (_, index) =>
    parts.slice(0, parts.length - 1 - index).join('-'),
  ).slice(0, mostNames)
}

/**
 * The path of a page of ours, or of another console with the same addresses, that was pasted; `undefined` for other
 * texts.
 */
export function pathInAddress(text: string): string | undefined {
  const address = text.trim().replace(/^[<"'`(](.+)[>"'`)]$/, '$1')
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const { pathname, search, hash } = new URL(address)
  const [path] = /\/(?:ns\/[^/]+(?:\/.*)?|releasemonitor\/?)$/.exec(pathname) ?? []
  return path && path + search + hash
}
