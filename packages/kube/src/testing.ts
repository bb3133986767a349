import type { Clock } from './clock'

export interface ManualClock extends Clock {
  /** Runs the timers that are due, in order, and lets promises settle after each one. */
  advance(ms: number): Promise<void>
  /** Simulates sleep: time passes, but timers do not run until the next `advance`. */
  jump(ms: number): void
  /** Number of waiting timers. */
  readonly pending: number
}

/**
 * A clock that stands still until a test advances it.
 * @param settle what to wait for after each timer; by default, continuations of promises already resolved
 */
export function manualClock(startMs = Date.UTC(2026, 0, 31, 9), settle: () => Promise<void> = settled): ManualClock {
  let nowMs = startMs
  let lastId = 0
  const timers = new Map<number, { at: number; run: () => void }>()
  /** The earliest timer; among equal times the one set first, which comes first in the map. */
  const due = (until: number) => {
    let first: { id: number; at: number; run: () => void } | undefined
    for (const [id, { at, run }] of timers) {
      if (at <= until && (!first || at < first.at)) first = { id, at, run }
    }
    return first
  }
  return {
    now: () => nowMs,
    after(delayMs, run) {
      const id = ++lastId
      timers.set(id, { at: nowMs + Math.max(0, delayMs), run })
      return () => void timers.delete(id)
    },
    async advance(ms) {
      const until = nowMs + ms
      await settle()
      for (let next = due(until); next; next = due(until)) {
        timers.delete(next.id)
        nowMs = Math.max(nowMs, next.at)
        next.run()
        await settle()
      }
      nowMs = until
    },
    jump: (ms) => void (nowMs += ms),
    get pending() {
      return timers.size
    },
  }
}

/** Lets promises that are already resolved run their continuations, several levels deep. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
