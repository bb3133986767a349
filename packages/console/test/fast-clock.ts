import { systemClock, type Clock } from '@slipway/kube/clock'

/** A clock on which ten seconds pass in one: back-offs of a live connection against a real server, without the wait. */
export function fastClock(factor = 10): Clock {
  const startMs = systemClock.now()
  return {
    now: () => startMs + (systemClock.now() - startMs) * factor,
    setTimeout: (run, delayMs) => systemClock.setTimeout(run, delayMs / factor),
    clearTimeout: systemClock.clearTimeout,
  }
}
