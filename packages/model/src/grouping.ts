import { type Dated, newestFirst } from './newest'

/** Values by their key, in their order. Values without a key, or with an empty one, are left out. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const key = keyOf(value)
    if (!key) continue
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}

/** The object of each key that was created last. Objects without a key are left out. */
export function newestBy<T extends Dated>(
  objects: readonly T[],
  keyOf: (object: T) => string | undefined,
): Map<string, T> {
  const newest = new Map<string, T>()
  for (const object of objects) {
    const key = keyOf(object)
    const known = key === undefined ? undefined : newest.get(key)
    if (key !== undefined && !(known && newestFirst(known, object) <= 0)) newest.set(key, object)
  }
  return newest
}
