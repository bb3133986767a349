import { findInLine, logPatternOf, maxHits, noHits, type LogHits, type LogQuery } from '@slipway/model/logs/log-search'
import type { StepLog } from '../../api/logs/task-log'
import { createEmitter } from '../../lib/store'

/** A search through the lines that there are, and those that come. */
export interface LogSearch {
  subscribe(onChange: () => void): () => void
  version(): number
  /** By container. */
  hitsIn(container: string): LogHits
  readonly total: number
  /** Not all lines have been looked at. */
  readonly isRunning: boolean
  /** Why nothing can be found: the query cannot be read, or takes too long. */
  readonly error: string | undefined
  /** Looks at what is new in these steps. */
  look(steps: readonly Pick<StepLog, 'container' | 'lines'>[]): void
  close(): void
}

/** Looks through some lines; their numbers count from the first of them. @throws Error when it takes too long */
export type Scan = (lines: readonly string[], pattern: RegExp) => LogHits | Promise<LogHits>

const linesAtOnce = 2_000
/** Work of this long is followed by a pause, in which the page can do other things. */
const sliceMs = 8
const none = noHits()

/** What is looked for as it stands is found in one pass over a line, however the line looks. */
export const scanHere: Scan = (lines, pattern) => {
  const hits = noHits()
  lines.forEach((text, line) => findInLine(text, line, pattern, hits))
  return hits
}

export function createLogSearch(query: LogQuery, scan: Scan): LogSearch {
  const { pattern, problem: mistake } = logPatternOf(query) ?? {}
  const found = new Map<string, { generation: number; looked: number; hits: LogHits }>()
  const changes = createEmitter()
  let steps: Parameters<LogSearch['look']>[0] = []
  let problem = mistake
  let total = 0
  let version = 0
  let isRunning = false
  let isClosed = false

  const tell = () => {
    version++
    changes.emit()
  }

  /** The first step that has lines nobody has looked at. */
  function next() {
    for (const { container, lines } of steps) {
      const known = found.get(container)
      const begun = known?.generation === lines.generation ? known : undefined
      const entry = begun ?? { generation: lines.generation, looked: 0, hits: noHits() }
      if (!begun) {
        total -= known?.hits.lines.length ?? 0
        found.set(container, entry)
      }
      if (entry.looked < lines.settled) return { entry, lines }
    }
    return undefined
  }

  async function run(by: RegExp): Promise<void> {
    let sinceMs = performance.now()
    for (let step = next(); step && !isClosed && total < maxHits; step = next()) {
      const { entry, lines } = step
      const from = entry.looked
      const to = Math.min(lines.settled, from + linesAtOnce)
      const texts = Array.from({ length: to - from }, (_, index) => lines.text(from + index))
      const scanned = scan(texts, by)
      const hits = scanned instanceof Promise ? await scanned : scanned
      entry.looked = to
      for (let at = 0; at < hits.lines.length; at++) {
        entry.hits.lines.push((hits.lines[at] ?? 0) + from)
        entry.hits.starts.push(hits.starts[at] ?? 0)
        entry.hits.ends.push(hits.ends[at] ?? 0)
      }
      total += hits.lines.length
      if (performance.now() - sinceMs < sliceMs) continue
      tell()
      await new Promise((resolve) => setTimeout(resolve))
      sinceMs = performance.now()
    }
  }

  function begin(): void {
    if (!pattern || problem || isRunning || isClosed) return
    isRunning = true
    // Never rejects, but for what a listener throws, which the browser reports.
    void run(pattern)
      .catch((error: unknown) => {
        problem = error instanceof Error ? error.message : String(error)
      })
      .then(() => {
        isRunning = false
        tell()
        // What came when the last line had been looked at, and this had not been heard of.
        if (total < maxHits && next()) begin()
      })
  }

  return {
    subscribe: changes.subscribe,
    version: () => version,
    hitsIn: (container) => found.get(container)?.hits ?? none,
    get total() {
      return total
    },
    get isRunning() {
      return isRunning
    },
    get error() {
      return problem
    },
    look(given) {
      steps = given
      begin()
    },
    close() {
      isClosed = true
    },
  }
}
