const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Deep equality of JSON values, ignoring the order of keys and undefined properties. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  for (const key in a) if (!sameJson(a[key], b[key])) return false
  for (const key in b) if (!(key in a) && b[key] !== undefined) return false
  return true
}
