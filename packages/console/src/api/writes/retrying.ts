import type { Clock } from '@slipway/kube/clock'
import { ApiError, retryAfterMs } from '@slipway/kube/status'
import { DisconnectedError } from '../live/connectivity'
import { isTransient } from '../query-client'

const maxRetries = 3
const firstRetryDelayMs = 500

interface RetryOptions {
  clock: Clock
  /** Whether another attempt may succeed; by default, after a transient failure. */
  isRetryable?: (error: unknown) => boolean
}

/** Runs an attempt again after a failure that may go away by itself, with a delay that doubles each time. */
export async function retrying<T>(
  attempt: () => Promise<T>,
  { clock, isRetryable = isRetryableFailure }: RetryOptions,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= maxRetries || !isRetryable(error)) throw error
      const delayMs = Math.max(firstRetryDelayMs * 2 ** failures, retryAfterMs(error))
      await new Promise<void>((resolve) => void clock.after(delayMs, resolve))
    }
  }
}

/** A time-out counts whatever its code: a webhook's, for example, is reported with the code of a rejection. */
export const isRetryableFailure = (error: unknown): boolean =>
  isTransient(error) ||
  error instanceof DisconnectedError ||
  (error instanceof ApiError && (/timeout/i.test(error.reason) || /time-?out|timed out/i.test(error.message)))
