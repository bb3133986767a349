import type { Clock } from '@slipway/kube/clock'
import { isRejection } from '@slipway/kube/status'
import type { Query, QueryClient } from '@tanstack/react-query'
import { waitForTurnMs } from './idle'

/** A list that is polled is read again this long after it was last requested. */
const pollAfterMs = 30_000
const checkEveryMs = 5_000
/** When the user comes back, a list is read again this long after it was last requested. */
const wakeAfterMs = 10_000

export interface Polling {
  /** The computer or the tab may have slept. */
  wake(): void
  stop(): void
}

/**
 * Keeps the lists on screen up to date that are polled instead of watched (`isPolled`), the oldest first. A hidden tab
 * polls nothing, and in an idle one the lists take turns with those that wait for a connection.
 */
export function startPolling(queryClient: QueryClient, clock: Clock): Polling {
  const requestedAtMs = new WeakMap<Query, number>()
  /** The time since the last request of a list, or since it was first seen. */
  const ageOf = (query: Query): number => {
    const known = requestedAtMs.get(query) ?? clock.now()
    requestedAtMs.set(query, known)
    return clock.now() - known
  }
  const poll = (afterMs: number) => {
    const due = queryClient
      .getQueryCache()
      .findAll({ type: 'active', fetchStatus: 'idle', predicate: ({ meta }) => meta?.isPolled === true })
      .filter((query) => ageOf(query) >= afterMs && !isRejection(query.state.error))
      .sort((a, b) => ageOf(b) - ageOf(a))
    if (document.visibilityState === 'hidden') return
    for (const query of due) {
      if (waitForTurnMs() > 0) return
      requestedAtMs.set(query, clock.now())
      void queryClient.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    }
  }
  const schedule = () =>
    clock.after(checkEveryMs, () => {
      poll(pollAfterMs)
      stopTimer = schedule()
    })
  let stopTimer = schedule()
  return { wake: () => poll(wakeAfterMs), stop: () => stopTimer() }
}
