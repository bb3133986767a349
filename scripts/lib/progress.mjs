/** Seconds since `startedMs` (of `performance.now()`), such as `3.2 s`. @param {number} startedMs */
export const secondsSince = (startedMs) => `${((performance.now() - startedMs) / 1000).toFixed(1)} s`

/**
 * Runs work that prints nothing itself and shows progress: a live line in a terminal; in a log file, a line at the start,
 * every ten seconds, and at the end.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const startedMs = performance.now()
  const isTerminal = Boolean(process.stdout.isTTY)
  const show = () => process.stdout.write(`${isTerminal ? '\r\x1b[K' : ''}${label} … ${secondsSince(startedMs)}`)
  if (isTerminal) show()
  else console.log(`${label} …`)
  const ticker = setInterval(
    () => (isTerminal ? show() : console.log(`${label} … ${secondsSince(startedMs)}`)),
    isTerminal ? 200 : 10_000,
  )
  try {
    const result = await work()
    process.stdout.write(`${isTerminal ? '\r\x1b[K' : ''}${label}: done in ${secondsSince(startedMs)}\n`)
    return result
  } catch (error) {
    process.stdout.write(`${isTerminal ? '\r\x1b[K' : ''}${label}: failed after ${secondsSince(startedMs)}\n`)
    throw error
  } finally {
    clearInterval(ticker)
  }
}
