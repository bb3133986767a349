/** Time as the gateway sees it, so that a test can let eight hours pass at once. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs the task once, after so many milliseconds; answers how to prevent it. */
  after(ms: number, task: () => void): () => void
  /** Runs the task every so many milliseconds; answers how to stop it. */
  every(ms: number, task: () => void): () => void
}

/** Its timers do not keep the process alive: only the listening socket does. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms).unref()
    return () => clearTimeout(timer)
  },
  every(ms, task) {
    const timer = setInterval(task, ms).unref()
    return () => clearInterval(timer)
  },
}
