import type { Clock } from '../src/clock'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Lets time pass, running on the way what falls due. */
  advance(ms: number): void
}

export function manualClock(now = Date.parse('2026-03-02T09:00:00Z')): ManualClock {
  const tasks = new Set<{ at: number; everyMs?: number; run: () => void }>()
  const add = (task: { at: number; everyMs?: number; run: () => void }) => {
    tasks.add(task)
    return () => void tasks.delete(task)
  }
  return {
    now: () => now,
    after: (ms, run) => add({ at: now + ms, run }),
    every: (ms, run) => add({ at: now + ms, everyMs: ms, run }),
    advance(ms) {
      const end = now + ms
      for (;;) {
        const [due] = [...tasks].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
        if (!due) break
        now = due.at
        if (due.everyMs === undefined) tasks.delete(due)
        else due.at += due.everyMs
        due.run()
      }
      now = end
    },
  }
}
