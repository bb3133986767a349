/**
 * Asks for many things at once: what is asked for in one turn is loaded together, at most so many at a time.
 * @param load answers in the order of the keys
 */
export function inBatches<K, V>(size: number, load: (keys: K[]) => Promise<V[]>): (key: K) => Promise<V> {
  let waiting: { key: K; settle: (value: Promise<V>) => void }[] = []

  function flush() {
    const asked = waiting
    waiting = []
    for (let start = 0; start < asked.length; start += size) {
      const batch = asked.slice(start, start + size)
      const answers = load(batch.map(({ key }) => key))
      // An answer for each key, in their order.
      batch.forEach(({ settle }, index) => settle(answers.then((values) => values[index] as V)))
    }
  }

  return (key) =>
    new Promise<V>((resolve) => {
      // After all that the present drawing asks for.
      if (waiting.length === 0) setTimeout(flush)
      waiting.push({ key, settle: resolve })
    })
}
