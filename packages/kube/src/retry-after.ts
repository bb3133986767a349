import { systemClock, type Clock } from './clock'

/** As client-go has it. Source: k8s.io/client-go, rest/request.go. */
const maxRetries = 10
const longestWaitMs = 30_000

/**
 * A `fetch` that sends a request again when the server asks for that: by 429 or 503 with `Retry-After`, which say that
 * nothing was done. Bodies must be texts. A request waits no longer than its own signal allows.
 */
export const retryingFetch =
  (send: typeof fetch, clock: Clock = systemClock): typeof fetch =>
  async (input, init = {}) => {
    for (let retries = 0; ; retries++) {
      const response = await send(input, init)
      const waitMs = Math.min(waitMsOf(response), longestWaitMs)
      if (waitMs === 0 || retries === maxRetries) return response
      await response.body?.cancel()
      await wait(clock, waitMs, init.signal)
    }
  }

/** 0 for an answer that is final. A date in the header, which no API server writes, counts as none. */
function waitMsOf({ status, headers }: Response): number {
  const seconds = Number(headers.get('retry-after'))
  return (status === 429 || status === 503) && seconds > 0 ? seconds * 1_000 : 0
}

/** @throws the reason of the signal */
function wait(clock: Clock, delayMs: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel()
      reject(signal?.reason as Error) // The caller's own.
    }
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}
