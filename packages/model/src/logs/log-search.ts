/** Searching the lines of a log. */

export interface LogQuery {
  text: string
  isRegex: boolean
  isCaseSensitive: boolean
}

/** A search pattern, or the error of an invalid regular expression. */
export type LogPattern = { pattern: RegExp; problem?: undefined } | { pattern?: undefined; problem: string }

/** @returns `undefined` for an empty query */
export function logPatternOf({ text, isRegex, isCaseSensitive }: LogQuery): LogPattern | undefined {
  if (text === '') return undefined
  const source = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  try {
    return { pattern: new RegExp(source, isCaseSensitive ? 'g' : 'gi') }
  } catch (error) {
    // `Invalid regular expression: /(/gi: Unterminated group`: only the last part is new to the user.
    const reason = error instanceof Error ? error.message.split(': ').at(-1) : ''
    return { problem: `Invalid regular expression: ${reason}` }
  }
}

/** Positions of the matches, in order. Three lists of numbers, since there may be very many. */
export interface LogHits {
  lines: number[]
  starts: number[]
  ends: number[]
}

export const noHits = (): LogHits => ({ lines: [], starts: [], ends: [] })

/** Limit of the matches counted: no user steps through more. */
export const maxHits = 100_000

/** Adds the matches in a line. Empty matches are ignored. */
export function findInLine(text: string, line: number, pattern: RegExp, { lines, starts, ends }: LogHits): void {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && lines.length < maxHits; match = pattern.exec(text)) {
    if (match[0] === '') {
      pattern.lastIndex++
      continue
    }
    lines.push(line)
    starts.push(match.index)
    ends.push(match.index + match[0].length)
  }
}

/** Index of the first hit at or after a line; the number of hits if there is none. */
export function firstHitFrom({ lines }: { lines: readonly number[] }, line: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? Infinity) < line) low = middle + 1
    else high = middle
  }
  return low
}
