import { ownValue, type JsonObject } from '../schema/json'

/** Deep equality of JSON values. Member order is ignored; an `undefined` member counts as absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => isSameJson(item, b[index]))
  }
  const left = a as JsonObject
  const right = b as JsonObject
  let surplus = 0
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue
    if (!isSameJson(left[key], ownValue(right, key))) return false
    surplus++
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) surplus--
  return surplus === 0
}
