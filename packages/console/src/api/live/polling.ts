import type { Clock } from '@slipway/kube/clock'
import { isRejection } from '@slipway/kube/status'
import type { QueryClient } from '@tanstack/react-query'
import { waitForTurnMs } from './idle'

/** A list that is polled is read again at this age. */
const pollAfterMs = 30_000
const checkEveryMs = 5_000
/** The same when the user comes back. */
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
  const poll = (afterMs: number) => {
    if (document.visibilityState === 'hidden') return
    const due = queryClient
      .getQueryCache()
      .findAll({ type: 'active', fetchStatus: 'idle', predicate: ({ meta }) => meta?.isPolled === true })
      .filter(({ state }) => clock.now() - state.dataUpdatedAt >= afterMs && !isRejection(state.error))
      .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
    for (const { queryKey } of due) {
      if (waitForTurnMs() > 0) return
      void queryClient.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false })
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
