import { type LogLines, logLinesOf } from '../logs/log-lines'
import { withoutNoise } from '../logs/log-noise'

export interface NumberedLine {
  /** For users, starting at 1. */
  number: number
  text: string
}

/** The lines of two logs that the other one does not have. */
export interface LogDifference {
  /** The first of them. */
  before: NumberedLine[]
  after: NumberedLine[]
  /** How many there are. */
  beforeCount: number
  afterCount: number
}

/** Enough to see where the logs part. */
const mostLines = 20

/**
 * What only one of two logs says, but for noise. The order of the lines does not count: programs that work in parallel
 * write them in another order each time.
 */
export function logDifference(before: string, after: string): LogDifference {
  const [earlier, later] = [textsOf(logLinesOf(before)), textsOf(logLinesOf(after))]
  const [knownBefore, knownAfter] = [earlier.map(withoutNoise), later.map(withoutNoise)]
  const onlyBefore = linesMissingIn(knownAfter, earlier, knownBefore)
  const onlyAfter = linesMissingIn(knownBefore, later, knownAfter)
  return {
    before: onlyBefore.slice(0, mostLines),
    after: onlyAfter.slice(0, mostLines),
    beforeCount: onlyBefore.length,
    afterCount: onlyAfter.length,
  }
}

const textsOf = (log: LogLines): string[] => Array.from({ length: log.count }, (_, line) => log.text(line))

/** The lines that the other log does not have. @param compared the same lines without noise */
function linesMissingIn(
  other: readonly string[],
  lines: readonly string[],
  compared: readonly string[],
): NumberedLine[] {
  const known = new Set(other)
  return lines.flatMap((text, index) =>
    text.trim() === '' || known.has(compared[index] ?? '') ? [] : [{ number: index + 1, text }],
  )
}
