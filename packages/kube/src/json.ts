import { isRecord } from './object'

/** Deep equality of JSON values. The order of members is ignored, and an `undefined` member counts as absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSameJson(item, b[i]))
  if (!isRecord(a) || !isRecord(b)) return false
  let surplus = 0
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue
    // Only own members: `__proto__` may be a key.
    if (!Object.hasOwn(b, key) || !isSameJson(a[key], b[key])) return false
    surplus++
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) surplus--
  return surplus === 0
}
