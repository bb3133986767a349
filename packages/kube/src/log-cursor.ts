/**
 * The position in a log that is read over several connections, so that no line is lost or repeated. The next connection
 * requests everything since shortly before the last line (Kubernetes counts in whole seconds, and two streams of a
 * container may overtake each other by a moment); lines that come again are dropped.
 */
export interface LogCursor {
  /** What the next connection has to request; `undefined` for everything. */
  readonly sinceTime: string | undefined
  /** Call this before the first line of a connection. */
  start(): void
  /** Returns those lines that are new. All lines are complete, and start with their timestamp. */
  accept(lines: readonly string[]): readonly string[]
  /** Whether known lines are still expected to come again. */
  readonly isRepeating: boolean
}

/** The length of `2026-01-31T09:00:00`, a line's timestamp up to the seconds. */
const secondLength = 19
const marginMs = 1_000

export function createLogCursor(): LogCursor {
  /** The second of the last line, as text and in milliseconds. */
  let second = ''
  let secondMs = NaN
  /** Lines of this second, and of the one before it that had any. */
  let current: string[] = []
  let earlier: { secondMs: number; lines: string[] } = { secondMs: NaN, lines: [] }
  let expected = new Map<string, number>()

  function remember(line: string): void {
    const written = line.slice(0, secondLength)
    if (written !== second) {
      const ms = Date.parse(`${written}Z`)
      // A line out of order, or without a timestamp, is stored with those around it.
      if (!Number.isNaN(ms) && !(ms <= secondMs)) {
        earlier = { secondMs, lines: current }
        current = []
        second = written
        secondMs = ms
      }
    }
    current.push(line)
  }

  function isKnown(line: string): boolean {
    const count = expected.get(line)
    if (count === undefined) return false
    if (count === 1) expected.delete(line)
    else expected.set(line, count - 1)
    return true
  }

  return {
    get sinceTime() {
      return Number.isNaN(secondMs) ? undefined : new Date(secondMs - marginMs).toISOString().replace('.000Z', 'Z')
    },
    start() {
      expected = new Map()
      const known = earlier.secondMs < secondMs - marginMs ? current : [...earlier.lines, ...current]
      for (const line of known) expected.set(line, (expected.get(line) ?? 0) + 1)
    },
    accept(lines) {
      const newLines = expected.size === 0 ? lines : lines.filter((line) => !isKnown(line))
      for (const line of newLines) remember(line)
      return newLines
    },
    get isRepeating() {
      return expected.size > 0
    },
  }
}
