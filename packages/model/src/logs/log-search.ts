/** Looking for something in the lines of a log. */

export interface LogQuery {
  text: string
  isRegex: boolean
  isCaseSensitive: boolean
}

/** How to look for it; with why not, for a regular expression that is none. */
export type LogPattern = { pattern: RegExp; problem?: undefined } | { pattern?: undefined; problem: string }

/** @returns `undefined` for a query of nothing */
export function logPatternOf({ text, isRegex, isCaseSensitive }: LogQuery): LogPattern | undefined {
  if (text === '') return undefined
  const source = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  try {
    return { pattern: new RegExp(source, isCaseSensitive ? 'g' : 'gi') }
  } catch (error) {
    // `Invalid regular expression: /(/gi: Unterminated group`: only the last part is news to whoever wrote it.
    const reason = error instanceof Error ? error.message.split(': ').at(-1) : ''
    return { problem: `Not a regular expression: ${reason}` }
  }
}

/** Where something was found, in order. Three lists of numbers: there may be very many. */
export interface LogHits {
  lines: number[]
  starts: number[]
  ends: number[]
}

export const noHits = (): LogHits => ({ lines: [], starts: [], ends: [] })

/** More are not counted: nobody steps through them. */
export const maxHits = 100_000

/** Adds what is found in a line. A match of nothing is none. */
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

/** The first hit in a line or after it; the number of hits when there is none. */
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
