/** Whether two objects or arrays have the same fields. Fields that are arrays are the same if their members are. */
export const isShallowEqual = (a: object, b: object): boolean =>
  hasSameFields(a, b, (one, other) =>
    Array.isArray(one) && Array.isArray(other) ? hasSameFields(one, other, Object.is) : Object.is(one, other),
  )

function hasSameFields(a: object, b: object, isSame: (one: unknown, other: unknown) => boolean): boolean {
  if (a === b) return true
  const fields = new Map<string, unknown>(Object.entries(b))
  const own = Object.entries(a)
  return own.length === fields.size && own.every(([key, value]) => fields.has(key) && isSame(value, fields.get(key)))
}
