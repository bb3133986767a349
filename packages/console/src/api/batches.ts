import { type Clock, systemClock } from '@slipway/kube/clock'

interface BatchOptions {
  /** Nothing is loaded before nobody has asked for anything this long: what is scrolled past is never asked for. */
  pauseMs?: number
  clock?: Clock
}

interface Waiting<K, V> {
  key: K
  settle: (value: V | PromiseLike<V>) => void
}

/**
 * Asks for many things at once: what is asked for in one go is loaded together, at most so many at a time.
 * @param load answers in the order of the keys
 * @returns asks for one thing; once its signal is aborted it is not wanted any more
 */
export function inBatches<K, V>(
  size: number,
  load: (keys: K[]) => Promise<V[]>,
  { pauseMs = 0, clock = systemClock }: BatchOptions = {},
): (key: K, signal?: AbortSignal) => Promise<V> {
  const waiting = new Set<Waiting<K, V>>()
  let stopPause = () => {}

  function flush() {
    const asked = [...waiting]
    waiting.clear()
    for (let start = 0; start < asked.length; start += size) {
      const batch = asked.slice(start, start + size)
      const answers = load(batch.map(({ key }) => key))
      // An answer for each key, in their order.
      batch.forEach(({ settle }, index) => settle(answers.then((values) => values[index] as V)))
    }
  }

  return (key, signal) =>
    new Promise<V>((resolve, reject) => {
      const entry = { key, settle: resolve }
      waiting.add(entry)
      signal?.addEventListener(
        'abort',
        () => {
          if (waiting.delete(entry)) reject(signal.reason as Error) // An AbortError, as `abort` makes it.
        },
        { once: true },
      )
      // Zero is after all that the present drawing asks for.
      stopPause()
      stopPause = clock.after(pauseMs, flush)
    })
}
