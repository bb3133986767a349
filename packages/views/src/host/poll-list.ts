import { type FollowedList, type FollowOptions, type ListOptions, listPages, rejectionOf } from './follow-list'

const pollMs = 30_000
/** When the user comes back, a list is read again this long after it was last requested. */
const wakeAfterMs = 10_000
const firstRetryMs = 2_000

export const polledMessage = 'More lists are shown than can be watched: each is read again every 30 s.'

/** Lists again and again, for a page with more lists than it can watch. A list that failed is repeated sooner. */
export function pollList(
  options: ListOptions & Pick<FollowOptions, 'clock' | 'onProblem' | 'postponeMs'>,
): FollowedList {
  const { clock, onProblem, postponeMs = () => 0 } = options
  let current = new AbortController()
  let requestedAtMs = clock.now()
  let failures = 0
  let stopTimer = () => {}

  async function list(): Promise<void> {
    stopTimer()
    current.abort()
    const own = (current = new AbortController())
    requestedAtMs = clock.now()
    try {
      await listPages(options, own.signal)
      failures = 0
      onProblem(polledMessage, { isPolled: true })
      schedule(pollMs)
    } catch (error) {
      if (own.signal.aborted) return
      const rejection = rejectionOf(error)
      onProblem(error instanceof Error ? error.message : String(error), rejection)
      schedule(rejection ? pollMs : Math.min(firstRetryMs * 2 ** failures++, pollMs))
    }
  }

  function schedule(delayMs: number): void {
    const due = () => {
      const waitMs = postponeMs()
      if (waitMs > 0) stopTimer = clock.after(waitMs, due)
      else void list()
    }
    stopTimer = clock.after(delayMs, due)
  }

  void list()
  return {
    wake: () => clock.now() - requestedAtMs >= wakeAfterMs && void list(),
    refresh: () => void list(),
    close() {
      stopTimer()
      current.abort()
    },
  }
}
