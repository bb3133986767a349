import { steady, systemClock, type Clock } from './clock'
import { retryAfterMsOf } from './retry-after'
import type { Rate } from './token-buckets'

/** Lets requests start at a limited rate, in the order in which they asked. */
export interface Pacer {
  /** Resolves when a request may start. @throws the reason of the signal */
  turn(signal?: AbortSignal | null): Promise<void>
  /** Lets none start for this long. */
  hold(delayMs: number): void
}

/** @param rate how many requests may start at once after a pause, and how many in a second from then on */
export function createPacer({ burst, perSecond }: Rate, time: Clock = systemClock): Pacer {
  const clock = steady(time)
  const waiting = new Set<() => void>()
  let tokens = burst
  let filledAtMs = clock.now()
  let heldUntilMs = 0
  let cancelTimer = () => {}

  function admit() {
    cancelTimer()
    const nowMs = clock.now()
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * perSecond)
    filledAtMs = nowMs
    for (const start of waiting) {
      if (nowMs < heldUntilMs || tokens < 1) break
      tokens--
      waiting.delete(start)
      start()
    }
    if (waiting.size === 0) return
    const refillMs = Math.max(0, (1 - tokens) / perSecond) * 1000
    cancelTimer = clock.after(Math.ceil(Math.max(heldUntilMs - nowMs, refillMs)), admit)
  }

  return {
    turn: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error) // The caller's reason.
        const leave = () => {
          waiting.delete(start)
          admit()
          reject(signal?.reason as Error)
        }
        const start = () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.add(start)
        admit()
      }),
    hold(delayMs) {
      heldUntilMs = Math.max(heldUntilMs, clock.now() + delayMs)
      admit()
    },
  }
}

/** As many as `retryingFetch`. */
const maxRetries = 10

/**
 * A `fetch` whose requests wait for their turn at each of the pacers. When the server nevertheless responds 429 with
 * `Retry-After`, since others use the same allowance, the last of the pacers lets none start for that long, and the
 * request is sent again. Bodies must be strings.
 */
export const pacedFetch =
  (send: typeof fetch, ...pacers: [Pacer, ...Pacer[]]): typeof fetch =>
  async (input, init = {}) => {
    for (let retries = 0; ; retries++) {
      for (const pacer of pacers) await pacer.turn(init.signal)
      const response = await send(input, init)
      const waitMs = response.status === 429 ? retryAfterMsOf(response) : 0
      if (waitMs === 0 || retries === maxRetries) return response
      pacers.at(-1)?.hold(waitMs)
      await response.body?.cancel()
    }
  }
