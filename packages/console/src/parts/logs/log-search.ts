import { findInLine, logPatternOf, maxHits, noHits, type LogHits, type LogQuery } from '@slipway/model/logs/log-search'
import type { StepLog } from '../../api/logs/task-log'
import { createEmitter } from '../../lib/store'

/** A search through existing lines and those that arrive. */
export interface LogSearch {
  subscribe(onChange: () => void): () => void
  version(): number
  /** By container. */
  hitsIn(container: string): LogHits
  readonly total: number
  /** Whether some lines have not been searched yet. */
  readonly isRunning: boolean
  /** Why the search failed: the query is not valid, or takes too long. */
  readonly error: string | undefined
  /** Searches what is new in these steps. */
  look(steps: readonly Pick<StepLog, 'container' | 'lines'>[]): void
  close(): void
}

/** Searches some lines, whose numbers count from the first of them. @throws Error when it takes too long */
export type Scan = (lines: readonly string[], pattern: RegExp) => LogHits | Promise<LogHits>

const linesAtOnce = 2_000
/** How long to search before pausing, so that the page stays responsive. */
const sliceMs = 8
const none = noHits()

/** For plain text, which is found in one pass over a line, whatever the line contains. */
export const scanHere: Scan = (lines, pattern) => {
  const hits = noHits()
  lines.forEach((text, line) => findInLine(text, line, pattern, hits))
  return hits
}

export function createLogSearch(query: LogQuery, scan: Scan): LogSearch {
  const { pattern, problem: syntaxError } = logPatternOf(query) ?? {}
  const found = new Map<string, { generation: number; looked: number; hits: LogHits }>()
  const changes = createEmitter()
  let steps: Parameters<LogSearch['look']>[0] = []
  let failure = syntaxError
  let total = 0
  let version = 0
  let isRunning = false
  let isClosed = false

  const notify = () => {
    version++
    changes.emit()
  }

  /** The first step with lines that have not been searched. */
  function next() {
    for (const { container, lines } of steps) {
      const known = found.get(container)
      const current = known?.generation === lines.generation ? known : undefined
      const entry = current ?? { generation: lines.generation, looked: 0, hits: noHits() }
      if (!current) {
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
      notify()
      await new Promise((resolve) => setTimeout(resolve))
      sinceMs = performance.now()
    }
  }

  function start(): void {
    if (!pattern || failure || isRunning || isClosed) return
    isRunning = true
    // Rejects only if a listener throws, which the browser reports.
    void run(pattern)
      .catch((error: unknown) => {
        failure = error instanceof Error ? error.message : String(error)
      })
      .then(() => {
        isRunning = false
        notify()
        // Lines may have arrived after the last one was searched and before this callback ran.
        if (total < maxHits && next()) start()
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
      return failure
    },
    look(given) {
      steps = given
      start()
    },
    close() {
      isClosed = true
    },
  }
}
