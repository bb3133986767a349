/** Runs work once all earlier work with the same key has ended, in order of the calls. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * For writes that have met another one. Of all that read a version only one can replace it, so that many at once would
 * do their work over and over.
 */
export function createTurns(): InTurn {
  const ends = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const turn = (ends.get(key) ?? Promise.resolve()).then(work)
    const end = turn.catch(() => undefined)
    ends.set(key, end)
    await end
    if (ends.get(key) === end) ends.delete(key)
    return turn
  }
}
