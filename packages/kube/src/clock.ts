/** Time as a dependency, so that tests can control it (`manualClock` in `testing.ts`). */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after `delayMs`. Returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Calls `run` every `periodMs`, for the first time after `periodMs`. Returns a function that stops it. */
export function every(clock: Clock, periodMs: number, run: () => void): () => void {
  let cancel = clock.after(periodMs, repeat)
  return () => cancel()

  function repeat() {
    cancel = clock.after(periodMs, repeat)
    run()
  }
}

/**
 * A clock for measuring elapsed time: it never goes back when the time of day is set back. Do not compare it with
 * times from elsewhere, such as the expiry of a token.
 */
export function steady(clock: Clock): Clock {
  let last = clock.now()
  let aheadMs = 0
  return {
    ...clock,
    now() {
      aheadMs = Math.max(aheadMs, last - clock.now())
      return (last = clock.now() + aheadMs)
    },
  }
}
