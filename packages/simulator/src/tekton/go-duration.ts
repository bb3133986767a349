const unitMs: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }

/**
 * Milliseconds of a Go duration such as `1h30m`; `undefined` if it is not valid. Zero means "no limit" in Tekton, so it
 * returns `Infinity`.
 */
export function parseGoDuration(text: string | undefined): number | undefined {
  if (!text || !/^(\d+(\.\d+)?(h|ms|m|s))+$|^0$/.test(text)) return undefined
  let totalMs = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) {
    totalMs += Number(amount) * (unitMs[unit ?? ''] ?? 0)
  }
  return totalMs === 0 ? Infinity : totalMs
}

/** A duration as Go writes it: `1h0m0s`, `1m30s`, `300ms`; `0s` for no limit. */
export function formatGoDuration(durationMs: number): string {
  if (durationMs === Infinity) return '0s'
  if (durationMs < 1_000) return `${durationMs}ms`
  const hours = Math.floor(durationMs / 3_600_000)
  const minutes = Math.floor(durationMs / 60_000) % 60
  const seconds = `${(durationMs % 60_000) / 1_000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

/** A timeout as Tekton stores it: `1m30s` for `90s`. Returns what is not a duration unchanged. */
export function normalizedTimeout(text: string): string {
  const durationMs = parseGoDuration(text)
  return durationMs === undefined ? text : formatGoDuration(durationMs)
}
