/** Seconds since `startedMs` (of `performance.now()`), such as `3.2 s`. @param {number} startedMs */
export const secondsSince = (startedMs) => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`

/**
 * Runs work that prints nothing itself: with a line at the start, every ten seconds, and at the end.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const startedMs = performance.now()
  console.log(`${label} …`)
  const ticker = setInterval(() => console.log(`${label} … ${secondsSince(startedMs)}`), 10_000)
  try {
    const result = await work()
    console.log(`${label}: done in ${secondsSince(startedMs)}`)
    return result
  } finally {
    clearInterval(ticker)
  }
}
