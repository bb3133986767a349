import { isObject } from '../schema/json'
import type { JsonSchema } from '../schema/json-schema'
import { partsOf } from './parts'

/**
 * A configuration over what is there: what is owned piece by piece is merged, everything else replaced.
 * Source: structured-merge-diff, typed/merge.go.
 */
export function merge(live: unknown, applied: unknown, schema: JsonSchema | undefined): unknown {
  if (applied === undefined) return live
  const there = partsOf(live, schema)
  if (applied === null) return there ? live : null
  const given = partsOf(applied, schema)
  if (!there || !given || Array.isArray(live) !== Array.isArray(applied)) return applied
  const merged = (element: string): unknown => {
    const part = given.get(element)
    return merge(there.get(element)?.value, part?.value, part?.schema)
  }
  if (Array.isArray(applied)) {
    return mergedOrder([...there.keys()], [...given.keys()]).map((element) =>
      given.has(element) ? merged(element) : there.get(element)?.value,
    )
  }
  if (!isObject(applied) || !isObject(live)) return applied
  const keys = Object.keys(applied).filter((key) => applied[key] !== undefined)
  return { ...live, ...Object.fromEntries(keys.map((key) => [key, merged(`f:${key}`)])) }
}

/** What is applied comes in the order applied; what only is there stays before what followed it. */
function mergedOrder(there: readonly string[], given: readonly string[]): string[] {
  const isGiven = new Set(given)
  const isThere = new Set(there)
  const shared = given.filter((element) => isThere.has(element))
  const taken = new Set<string>()
  const order: string[] = []
  let l = 0
  let r = 0
  while (l < there.length || r < given.length) {
    const left = there[l]
    const right = given[r]
    if (left !== undefined && right !== undefined && left !== right) {
      // Shared, but another one is due before it.
      if (isGiven.has(left) && shared[0] !== undefined && shared[0] !== left) {
        l++
        continue
      }
    }
    if (left !== undefined && left !== right) {
      if (!isGiven.has(left)) {
        order.push(left)
        l++
        continue
      }
      if (taken.has(left)) l++
    }
    if (right !== undefined) {
      if (left === right) l++
      taken.add(right)
      order.push(right)
      r++
      if (shared[0] === right) shared.shift()
    }
  }
  return order
}
