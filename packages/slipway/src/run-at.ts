import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock, type Clock } from '@slipway/kube/clock'

export interface RunAt extends Clock {
  /** Runs the work as if at that time; concurrent work keeps the actual time. */
  inTime<T>(atMs: number, work: () => Promise<T>): Promise<T>
}

/** A clock that lets in-process calls create a cluster's history. Timers are not affected. */
export function runAt(base: Clock = systemClock): RunAt {
  const times = new AsyncLocalStorage<number>()
  let running = 0
  return {
    now: () => times.getStore() ?? base.now(),
    after: base.after,
    async inTime(atMs, work) {
      running++
      try {
        return await times.run(atMs, work)
      } finally {
        // Until then, Node 20 and 22 track every promise of the process.
        if (--running === 0) times.disable()
      }
    },
  }
}
