import type { Clock } from './clock'

const mostEntries = 10_000

/** Caches results for a time. Concurrent requests for the same key share one call, and failures are not cached. */
export function expiringCache<T>(clock: Clock, lastsMs: number) {
  const entries = new Map<string, { untilMs: number; answer: Promise<T> }>()
  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const known = entries.get(key)
    if (known && known.untilMs > clock.now()) return known.answer
    for (const [each, { untilMs }] of entries) if (untilMs <= clock.now()) entries.delete(each)
    if (entries.size >= mostEntries) entries.clear()
    const answer = ask()
    entries.set(key, { untilMs: clock.now() + lastsMs, answer })
    answer.catch(() => {
      if (entries.get(key)?.answer === answer) entries.delete(key)
    })
    return answer
  }
}
