import { systemClock, type Clock } from '@slipway/kube/clock'

export interface FastClock extends Clock {
  /** Moves the time forward without running timers sooner. */
  skip(ms: number): void
  /** How many seconds pass per real second from now on, also for timers that are already set. */
  setSpeed(factor: number): void
}

/** A clock on which ten seconds pass per real second, to test back-offs against a real server without the wait. */
export function fastClock(speed = 10): FastClock {
  let factor = speed
  let skippedMs = 0
  let since = { realMs: systemClock.now(), ms: systemClock.now() }
  const elapsed = () => since.ms + (systemClock.now() - since.realMs) * factor
  const timers = new Set<{ dueMs: number; run: () => void; stop: () => void }>()
  const realMs = (dueMs: number) => Math.max(0, dueMs - elapsed()) / factor
  return {
    now: () => elapsed() + skippedMs,
    after(delayMs, run) {
      const timer = {
        dueMs: elapsed() + delayMs,
        run: () => {
          timers.delete(timer)
          run()
        },
        stop: () => {},
      }
      timer.stop = systemClock.after(realMs(timer.dueMs), timer.run)
      timers.add(timer)
      return () => {
        timers.delete(timer)
        timer.stop()
      }
    },
    skip: (ms) => void (skippedMs += ms),
    setSpeed(next) {
      since = { realMs: systemClock.now(), ms: elapsed() }
      factor = next
      for (const timer of timers) {
        timer.stop()
        timer.stop = systemClock.after(realMs(timer.dueMs), timer.run)
      }
    },
  }
}
