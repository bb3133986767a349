/** Warnings of one answer, as headers. Source: k8s.io/apiserver, server/filters/warnings.go. */

export interface Warnings {
  /** Values of the headers, in the order in which they were given. */
  readonly headers: readonly string[]
  /** Each text counts once. */
  warn(text: string): void
}

/** All headers of an answer together; clients refuse more than a few times as much. */
const maxLength = 4 * 1024
/** Of each, once they are too many. */
const maxTruncatedLength = 256

export function createWarnings(first: readonly string[] = []): Warnings {
  const headers: string[] = []
  const recorded = new Set<string>()
  let length = 0
  let isTruncating = false

  function add(text: string): boolean {
    const header = warningHeader(isTruncating ? text.slice(0, maxTruncatedLength) : text)
    if (length + header.length > maxLength) return false
    length += header.length
    headers.push(header)
    return true
  }

  function warn(text: string) {
    if (text === '' || recorded.has(text) || (isTruncating && length > maxLength - maxTruncatedLength)) return
    recorded.add(text)
    // Escaped, no character is shorter.
    if ((text.length <= maxLength && add(text)) || isTruncating) return
    isTruncating = true
    length = 0
    headers.length = 0
    recorded.forEach(add)
  }

  first.forEach(warn)
  return { headers, warn }
}

/** Fields may be named in any script, headers may not. */
function warningHeader(text: string): string {
  const ascii = text
    .replace(/[\r\n]\s*/g, ' ')
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `299 - ${JSON.stringify(ascii)}`
}
