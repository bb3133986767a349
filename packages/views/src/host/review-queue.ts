/** Runs reviews, a limited number at once, and takes turns between users: one with many namespaces does not delay others. */
export interface ReviewQueue {
  /** @param isUrgent whether a user waits for it; the others run only when none is urgent */
  add(user: string, isUrgent: boolean, run: () => Promise<void>): void
  readonly running: number
  readonly waiting: number
}

/** @param run must not reject */
type Run = () => Promise<void>

export function createReviewQueue(maxRunning: number): ReviewQueue {
  const urgent = new Map<string, Run[]>()
  const routine = new Map<string, Run[]>()
  let running = 0

  /** The first task of the user whose turn it is, who then comes last. */
  function take(lane: Map<string, Run[]>): Run | undefined {
    const [first] = lane
    if (!first) return undefined
    const [user, runs] = first
    const run = runs.shift()
    lane.delete(user)
    if (runs.length > 0) lane.set(user, runs)
    return run
  }

  function start(): void {
    while (running < maxRunning) {
      const run = take(urgent) ?? take(routine)
      if (!run) return
      running++
      void run().finally(() => {
        running--
        start()
      })
    }
  }

  const count = (lane: Map<string, Run[]>) => [...lane.values()].reduce((sum, runs) => sum + runs.length, 0)
  return {
    add(user, isUrgent, run) {
      const lane = isUrgent ? urgent : routine
      const runs = lane.get(user)
      if (runs) runs.push(run)
      else lane.set(user, [run])
      start()
    },
    get running() {
      return running
    },
    get waiting() {
      return count(urgent) + count(routine)
    },
  }
}
