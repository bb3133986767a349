/** Safe access to JSON of unknown shape, possibly malicious (`__proto__`, `constructor`). */

export type JsonObject = Record<string, unknown>

/** Reads an own property, never an inherited one. */
export const ownValue = <T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  object && Object.hasOwn(object, key) ? object[key] : undefined

/** A deep copy of a JSON value, faster than `structuredClone`. */
export function copyJson<T>(value: T): T {
  // The copy has the same shape.
  return deepCopy(value) as T
}

function deepCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepCopy)
  if (typeof value !== 'object' || value === null) return value
  const copy: JsonObject = {}
  for (const key of Object.keys(value)) {
    const member = deepCopy((value as JsonObject)[key])
    if (key === '__proto__') Object.defineProperty(copy, key, { value: member, enumerable: true, writable: true })
    else copy[key] = member
  }
  return copy
}

/** Like `push` with all items, which accepts a limited number of arguments only. */
export function addAll<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item)
}

/** Joins `spec` and `name` to `spec.name`; either may be empty. */
export const childPath = (path: string, key: string): string => (path && key ? `${path}.${key}` : path || key)
