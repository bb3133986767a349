import { systemClock, type Clock } from '@slipway/kube/clock'

/** A clock on which ten seconds pass in one: back-offs of a live connection against a real server, without the wait. */
export function fastClock(factor = 10): Clock & { skip(ms: number): void } {
  let skippedMs = 0
  const startMs = systemClock.now()
  return {
    now: () => startMs + (systemClock.now() - startMs) * factor + skippedMs,
    after: (delayMs, run) => systemClock.after(delayMs / factor, run),
    /** Time passes, but no timer runs sooner for it. */
    skip: (ms) => void (skippedMs += ms),
  }
}
