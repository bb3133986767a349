import { ownValue, type JsonObject } from '../schema/json'

/** Do two JSON values say the same? Order of members does not matter; a member that is `undefined` counts as absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => isSameJson(item, b[index]))
  }
  const left = a as JsonObject
  const right = b as JsonObject
  let more = 0
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue
    if (!isSameJson(left[key], ownValue(right, key))) return false
    more++
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) more--
  return more === 0
}
