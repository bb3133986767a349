import { systemClock, type Clock } from '@slipway/kube/clock'

export interface FastClock extends Clock {
  /** Moves the time forward without running timers sooner. */
  skip(ms: number): void
  /** How many seconds pass per real second from now on, also for timers that are already set. */
  setSpeed(factor: number): void
}

/** The real time that counts between two turns of the event loop, at most. */
const turnMs = 20

/**
 * A clock on which ten seconds pass per real second, to test back-offs against a real server without the wait. While
 * timers are set, it runs no faster than the event loop: on a slow or busy machine, and while a page is rendered, time
 * limits do not expire before what they wait for could happen.
 */
export function fastClock(speed = 10): FastClock {
  let factor = speed
  let skippedMs = 0
  let since = { realMs: systemClock.now(), ms: systemClock.now() }
  const timers = new Set<{ dueMs: number; run: () => void }>()
  let stopTurn: (() => void) | undefined

  function elapsed(): number {
    const realMs = systemClock.now() - since.realMs
    return since.ms + (stopTurn ? Math.min(realMs, turnMs) : realMs) * factor
  }
  /** Makes the time that has passed count, whatever happens next. */
  const settle = () => void (since = { ms: elapsed(), realMs: systemClock.now() })

  function scheduleTurn() {
    stopTurn?.()
    if (timers.size === 0) return void (stopTurn = undefined)
    const nextMs = Math.min(...[...timers].map(({ dueMs }) => dueMs))
    stopTurn = systemClock.after(Math.min(turnMs, Math.max(0, nextMs - since.ms) / factor), turn)
  }
  function turn() {
    settle()
    const due = [...timers].filter(({ dueMs }) => dueMs <= since.ms).toSorted((a, b) => a.dueMs - b.dueMs)
    for (const timer of due) {
      // An earlier one may have cancelled it.
      if (timers.delete(timer)) timer.run()
    }
    scheduleTurn()
  }

  return {
    now: () => elapsed() + skippedMs,
    after(delayMs, run) {
      settle()
      const timer = { dueMs: since.ms + delayMs, run }
      timers.add(timer)
      scheduleTurn()
      return () => {
        settle()
        timers.delete(timer)
        scheduleTurn()
      }
    },
    skip: (ms) => void (skippedMs += ms),
    setSpeed(next) {
      settle()
      factor = next
      scheduleTurn()
    },
  }
}
