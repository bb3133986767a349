import { systemClock, type Clock } from '@slipway/kube/clock'
import { ApiError } from '@slipway/kube/status'

const retries = 3
const firstDelayMs = 500

/** What may pass by itself, whatever shape a proxy or a library has given it. */
export function isPassing(error: unknown): boolean {
  const { code, status, reason, name, message } = (error ?? {}) as Partial<Record<string, unknown>>
  const number = Number(code ?? (typeof status === 'object' ? (status as { code?: unknown } | null)?.code : status))
  return (
    [429, 500, 503, 504].includes(number) ||
    /^(server)?time-?out(error)?$/i.test(String(reason || name)) ||
    (error instanceof ApiError && error.code === 408) ||
    /time[d-]?\s?-?out/i.test(String(message ?? ''))
  )
}

/** Some of many changes could not be made. */
export class BulkError<T> extends Error {
  override name = 'BulkError'
  readonly failed: readonly { item: T; error: unknown }[]

  constructor(failed: readonly { item: T; error: unknown }[], describe: (item: T) => string) {
    super(`Failed for ${failed.map(({ item }) => describe(item)).join(', ')}.`)
    this.failed = failed
  }
}

interface BulkOptions<T> {
  /** Names an item in the message of a failure. */
  describe(item: T): string
  clock?: Clock
}

/**
 * Does the same to many things at once; what fails for a reason that may pass is tried up to three times more.
 * @throws BulkError with every item that failed in the end; the others are done
 */
export async function forEachRetrying<T>(
  items: readonly T[],
  change: (item: T) => Promise<unknown>,
  { describe, clock = systemClock }: BulkOptions<T>,
): Promise<void> {
  const outcomes = await Promise.allSettled(items.map((item) => retrying(() => change(item), clock)))
  const failed = outcomes.flatMap((outcome, index) => {
    const item = items[index]
    return outcome.status === 'rejected' && item !== undefined ? [{ item, error: outcome.reason as unknown }] : []
  })
  if (failed.length > 0) throw new BulkError(failed, describe)
}

async function retrying(attempt: () => Promise<unknown>, clock: Clock): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      await attempt()
      return
    } catch (error) {
      if (failures >= retries || !isPassing(error)) throw error
      await new Promise<void>((resolve) => void clock.after(firstDelayMs * 2 ** failures, resolve))
    }
  }
}
