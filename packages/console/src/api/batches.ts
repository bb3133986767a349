import { type Clock, systemClock } from '@slipway/kube/clock'

interface BatchOptions {
  /** A batch is loaded once no key has been requested for this long, so that rows scrolled past are never loaded. */
  pauseMs?: number
  clock?: Clock
}

interface Waiting<K, V> {
  key: K
  settle: (value: V | PromiseLike<V>) => void
}

/**
 * Collects requests for single keys, and loads keys requested together in batches of at most `size`.
 * @param load returns the values in the order of the keys
 * @returns a function that loads one key; aborting its signal takes a waiting key out of the batch
 */
export function inBatches<K, V>(
  size: number,
  load: (keys: K[]) => Promise<V[]>,
  { pauseMs = 0, clock = systemClock }: BatchOptions = {},
): (key: K, signal?: AbortSignal) => Promise<V> {
  const waiting = new Set<Waiting<K, V>>()
  let stopPause = () => {}

  function flush() {
    const requested = [...waiting]
    waiting.clear()
    for (let start = 0; start < requested.length; start += size) {
      const batch = requested.slice(start, start + size)
      const results = load(batch.map(({ key }) => key))
      // One value per key, in the same order.
      batch.forEach(({ settle }, index) => settle(results.then((values) => values[index] as V)))
    }
  }

  return (key, signal) =>
    new Promise<V>((resolve, reject) => {
      const entry = { key, settle: resolve }
      waiting.add(entry)
      signal?.addEventListener(
        'abort',
        () => {
          if (waiting.delete(entry)) reject(signal.reason as Error) // The AbortError of `abort()`.
        },
        { once: true },
      )
      // Even a pause of 0 includes everything that the current render requests.
      stopPause()
      stopPause = clock.after(pauseMs, flush)
    })
}
