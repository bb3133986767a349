/** An RFC 3339 time in milliseconds since 1970; `undefined` if it is missing or invalid. */
export function msOf(time: string | undefined): number | undefined {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

/** The last of the times that are known. */
export function latestMs(times: readonly (number | undefined)[]): number | undefined {
  const known = times.flatMap((time) => time ?? [])
  return known.length > 0 ? Math.max(...known) : undefined
}

/** Milliseconds from one RFC 3339 time to another; `undefined` if either of them is missing or invalid. */
export function msBetween(from: string | undefined, to: string | undefined): number | undefined {
  const ms = Date.parse(to ?? '') - Date.parse(from ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
