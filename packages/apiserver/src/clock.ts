/** Time, handed in so that a test decides when it passes. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once after `delayMs`; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** As objects carry it: UTC, whole seconds. */
export const timestamp = (clock: Clock): string => `${new Date(clock.now()).toISOString().slice(0, 19)}Z`
