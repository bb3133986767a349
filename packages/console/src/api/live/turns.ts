import { ApiError } from '@slipway/kube/status'
import { createLimiter } from '../../lib/limit-concurrency'

/**
 * Reads of which a page needs so many that they take turns: a browser opens six connections to an origin, which the
 * whole console shares. A read without a response within `patienceMs` makes way for the next one and is repeated in the
 * slow lane, where it may take as long as it needs. So servers that are slow or silent hold up only each other.
 */
const fastLane = createLimiter(3)
/** A silent read takes two connections, since the client sends it again after 3 s (`kube/src/resend.ts`). */
const slowLane = createLimiter(2)
const patienceMs = 2_500

/** Those whose last response took longer. */
const slowReads = new WeakSet<object>()

/**
 * @param id the same object for the same read
 * @throws ApiError with code 408 when the read has to be repeated in the slow lane
 */
export const readInTurn = <T>(
  id: object,
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const isSlow = slowReads.has(id)
  return (isSlow ? slowLane : fastLane)(async () => {
    // While it waited for its turn, the page may have been left.
    signal.throwIfAborted()
    const impatience = new AbortController()
    const timer = setTimeout(() => {
      slowReads.add(id)
      if (!isSlow) impatience.abort(noResponse())
    }, patienceMs)
    if (isSlow) slowReads.delete(id)
    try {
      return await read(AbortSignal.any([signal, impatience.signal]))
    } finally {
      clearTimeout(timer)
    }
  })
}

const noResponse = () =>
  new ApiError({ code: 408, reason: 'Timeout', url: '', message: 'No response yet. The console keeps trying.' })
