import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock, type Clock } from '@slipway/kube/clock'

export interface RunAt extends Clock {
  /** Does this as if it were that time; whatever else goes on meanwhile has the time of day. */
  inTime<T>(atMs: number, work: () => Promise<T>): Promise<T>
}

/** The clock of a cluster whose past is made by calls within the process. Timers run as they always do. */
export function runAt(base: Clock = systemClock): RunAt {
  const times = new AsyncLocalStorage<number>()
  return {
    now: () => times.getStore() ?? base.now(),
    after: base.after,
    inTime: (atMs, work) => times.run(atMs, work),
  }
}
