/** Milliseconds from one RFC 3339 time to another; `undefined` if either of them is missing or invalid. */
export function msBetween(from: string | undefined, to: string | undefined): number | undefined {
  const ms = Date.parse(to ?? '') - Date.parse(from ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
