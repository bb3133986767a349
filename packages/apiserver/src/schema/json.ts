/** Looking into JSON of unknown shape, which may have been written to mislead (`__proto__`, `constructor`). */

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own property, never an inherited one. */
export const ownValue = <T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  object && Object.hasOwn(object, key) ? object[key] : undefined

/** Same JSON, whatever the order of keys. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

/** A copy of JSON that shares nothing with it; `structuredClone` does the same for every kind of value, and slowly. */
export function copyJson<T>(value: T): T {
  // Of the same shape as the value, member by member.
  return copied(value) as T
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== 'object' || value === null) return value
  const copy: JsonObject = {}
  for (const key of Object.keys(value)) {
    const member = copied((value as JsonObject)[key])
    if (key === '__proto__') Object.defineProperty(copy, key, { value: member, enumerable: true, writable: true })
    else copy[key] = member
  }
  return copy
}

/** As `push` with all of them, which takes only so many. */
export function addAll<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item)
}

/** `spec` and `name` make `spec.name`; either may be empty. */
export const childPath = (path: string, key: string): string => (path && key ? `${path}.${key}` : path || key)
