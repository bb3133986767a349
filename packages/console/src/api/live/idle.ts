import { systemClock, type Clock } from '@slipway/kube/clock'

/** A tab is idle while it is hidden, or when it has had no input for this long. */
const idleAfterMs = 5 * 60_000

/**
 * In an idle tab, lists without a connection take turns: one of them may act in this time. Together with the other
 * background requests of a page, that makes at most six requests a minute, whatever has failed and however many lists
 * there are. It is longer than a minute, so that a late turn cannot bring two turns into the same minute.
 */
export const idleTurnMs = 90_000

const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focus'] as const

let lastInputMs = -Infinity
let clock = systemClock
let nextTurnAtMs = -Infinity

export const isIdle = (): boolean => document.visibilityState === 'hidden' || clock.now() - lastInputMs >= idleAfterMs

/** How long the caller has to wait for its turn; a return value of 0 takes the turn. */
export function waitForTurnMs(): number {
  if (!isIdle()) return 0
  const waitMs = nextTurnAtMs - clock.now()
  if (waitMs > 0) return waitMs
  nextTurnAtMs = clock.now() + idleTurnMs
  return 0
}

/** Starts watching for input. Returns a function that stops it. @param onReturn called when the user is back */
export function startIdle(onReturn: () => void, on: Clock = systemClock): () => void {
  clock = on
  lastInputMs = clock.now()
  nextTurnAtMs = -Infinity
  const onInput = () => {
    const wasIdle = isIdle()
    lastInputMs = clock.now()
    if (wasIdle && !isIdle()) onReturn()
  }
  const listening = new AbortController()
  const options = { passive: true, capture: true, signal: listening.signal }
  for (const event of inputEvents) globalThis.addEventListener(event, onInput, options)
  return () => listening.abort()
}
