import { systemClock, type Clock } from './clock'

/** Same limit as client-go. Source: k8s.io/client-go, rest/request.go. */
const maxRetries = 10
const longestWaitMs = 30_000

/**
 * A `fetch` that resends a request when the server responds 429 or 503 with `Retry-After`, which mean that it did
 * nothing. Bodies must be strings. A request stops waiting when its signal aborts.
 */
export const retryingFetch =
  (send: typeof fetch, clock: Clock = systemClock): typeof fetch =>
  async (input, init = {}) => {
    for (let retries = 0; ; retries++) {
      const response = await send(input, init)
      const waitMs = Math.min(retryAfterMsOf(response), longestWaitMs)
      if (waitMs === 0 || retries === maxRetries) return response
      await response.body?.cancel()
      await wait(clock, waitMs, init.signal)
    }
  }

/** How long the server asks to wait; 0 for a final response. A date in the header is ignored: no API server sends one. */
export function retryAfterMsOf({ status, headers }: Response): number {
  const seconds = Number(headers.get('retry-after'))
  return (status === 429 || status === 503) && seconds > 0 ? seconds * 1_000 : 0
}

/** @throws the reason of the signal */
function wait(clock: Clock, delayMs: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel()
      reject(signal?.reason as Error) // The caller's reason.
    }
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}
