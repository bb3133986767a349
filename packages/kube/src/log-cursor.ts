/**
 * Where one has come to in a log that is read over several connections, so that no line is lost and none is there
 * twice. The next connection asks for everything since a little before the last line (Kubernetes counts in whole
 * seconds, and two streams of a container may overtake each other by a moment); what comes again is left out.
 */
export interface LogCursor {
  /** What the next connection is to ask for; `undefined` for everything. */
  readonly sinceTime: string | undefined
  /** To be called before the first line of a connection. */
  begin(): void
  /** Those of some whole lines that are new. Each begins with the time of its source. */
  take(lines: readonly string[]): readonly string[]
  /** Are lines that are known still expected? */
  readonly isRepeating: boolean
}

/** `2026-01-31T09:00:00` of a line's time. */
const secondLength = 19
const marginMs = 1_000

export function createLogCursor(): LogCursor {
  /** The second of the last line, as it is written, and in milliseconds. */
  let second = ''
  let secondMs = NaN
  /** Lines of this second, and of the one before it that had any. */
  let current: string[] = []
  let earlier: { secondMs: number; lines: string[] } = { secondMs: NaN, lines: [] }
  let expected = new Map<string, number>()

  function keep(line: string): void {
    const written = line.slice(0, secondLength)
    if (written !== second) {
      const ms = Date.parse(`${written}Z`)
      // A line out of turn, or without a time, is kept with those around it.
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
    begin() {
      expected = new Map()
      const known = earlier.secondMs < secondMs - marginMs ? current : [...earlier.lines, ...current]
      for (const line of known) expected.set(line, (expected.get(line) ?? 0) + 1)
    },
    take(lines) {
      const news = expected.size === 0 ? lines : lines.filter((line) => !isKnown(line))
      for (const line of news) keep(line)
      return news
    },
    get isRepeating() {
      return expected.size > 0
    },
  }
}
