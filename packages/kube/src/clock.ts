/** Time, handed in so that a test decides when it passes (`manualClock` in `testing.ts`). */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after `delayMs`; the answer prevents it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Calls `run` again and again, first after `periodMs`; the answer ends it. */
export function every(clock: Clock, periodMs: number, run: () => void): () => void {
  let cancel = clock.after(periodMs, repeat)
  return () => cancel()

  function repeat() {
    cancel = clock.after(periodMs, repeat)
    run()
  }
}

/**
 * The same clock for measuring how long ago something was: its time stands still while the time of day is set back, and
 * then goes on. Not for times that others have said, such as the end of a token.
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
