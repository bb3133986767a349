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
