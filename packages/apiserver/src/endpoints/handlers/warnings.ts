/** The warnings of a response, as headers. Source: k8s.io/apiserver, server/filters/warnings.go. */

export interface Warnings {
  /** Header values in the order of the calls to `warn`. */
  readonly headers: readonly string[]
  /** Adds a warning; a repeated text is ignored. */
  warn(text: string): void
}

/** Total for a response; clients reject headers a few times as long. */
const maxLength = 4 * 1024
/** For each warning, once the total is exceeded. */
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
    // Escaping never makes a text shorter.
    if ((text.length <= maxLength && add(text)) || isTruncating) return
    isTruncating = true
    length = 0
    headers.length = 0
    recorded.forEach(add)
  }

  first.forEach(warn)
  return { headers, warn }
}

/** Field names may contain any character; headers must be ASCII. */
function warningHeader(text: string): string {
  const ascii = text
    .replace(/[\r\n]\s*/g, ' ')
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `299 - ${JSON.stringify(ascii)}`
}
