/** Time as a machine sees it; a test gives one that it moves by hand (`manualClock` in `testing.ts`). */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  setTimeout(run: () => void, delayMs: number): unknown
  clearTimeout(timer: unknown): void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  // What setTimeout above answered; its type differs between browsers and Node.
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}
