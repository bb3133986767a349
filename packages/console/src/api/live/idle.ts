import { systemClock, type Clock } from '@slipway/kube/clock'

/** Nobody is there: the tab is hidden, or nothing in it has been touched for so long. */
const idleAfterMs = 5 * 60_000

/**
 * While nobody is there, lists without a connection take turns: one of them may do something in this time. With what
 * else a page asks for by itself that is no more than six requests a minute, whatever has failed and however many
 * lists there are: longer than a minute, so that none has two turns in it though one was late.
 */
export const idleTurnMs = 90_000

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focus'] as const

let touchedAtMs = -Infinity
let clock = systemClock
let nextTurnAtMs = -Infinity

export const isIdle = (): boolean => document.visibilityState === 'hidden' || clock.now() - touchedAtMs >= idleAfterMs

/** How long to wait for one's turn; with 0 it is taken. */
export function waitForTurnMs(): number {
  if (!isIdle()) return 0
  const waitMs = nextTurnAtMs - clock.now()
  if (waitMs > 0) return waitMs
  nextTurnAtMs = clock.now() + idleTurnMs
  return 0
}

/** Begins to look for signs of somebody; answers how to stop. @param onReturn somebody is there again */
export function startIdle(onReturn: () => void, on: Clock = systemClock): () => void {
  clock = on
  touchedAtMs = clock.now()
  nextTurnAtMs = -Infinity
  const touched = () => {
    const wasIdle = isIdle()
    touchedAtMs = clock.now()
    if (wasIdle && !isIdle()) onReturn()
  }
  const listening = new AbortController()
  const options = { passive: true, capture: true, signal: listening.signal }
  for (const sign of signs) globalThis.addEventListener(sign, touched, options)
  return () => listening.abort()
}
