import type { Clock } from '@slipway/kube/clock'

/** Which sessions were signed out before their cookie would have expired. */
export interface SignOuts {
  has(id: string): boolean
  /** @param until when the cookie is worth nothing by itself, in ms since 1970 */
  add(id: string, until: number): Promise<void>
}

/** Known to this process alone: others notice when they check the session with its provider, who has ended it too. */
export function memorySignOuts(clock: Clock): SignOuts {
  const ended = new Map<string, number>()
  return {
    has: (id) => ended.has(id),
    async add(id, until) {
      for (const [known, over] of ended) if (over <= clock.now()) ended.delete(known)
      ended.set(id, until)
    },
  }
}
