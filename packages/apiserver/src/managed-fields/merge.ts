import { isRecord } from '@slipway/kube/object'
import type { JsonSchema } from '../apiextensions/json-schema'
import { partsOf } from './parts'

/**
 * Merges a configuration into a live value: granular values are merged, everything else is replaced.
 * Source: structured-merge-diff, typed/merge.go.
 */
export function merge(live: unknown, applied: unknown, schema: JsonSchema | undefined): unknown {
  if (applied === undefined) return live
  const liveParts = partsOf(live, schema)
  if (applied === null) return liveParts ? live : null
  const appliedParts = partsOf(applied, schema)
  if (!liveParts || !appliedParts || Array.isArray(live) !== Array.isArray(applied)) return applied
  const mergeMember = (element: string): unknown => {
    const part = appliedParts.get(element)
    return merge(liveParts.get(element)?.value, part?.value, part?.schema)
  }
  if (Array.isArray(applied)) {
    return mergeOrder([...liveParts.keys()], [...appliedParts.keys()]).map((element) =>
      appliedParts.has(element) ? mergeMember(element) : liveParts.get(element)?.value,
    )
  }
  if (!isRecord(applied) || !isRecord(live)) return applied
  const keys = Object.keys(applied).filter((key) => applied[key] !== undefined)
  return { ...live, ...Object.fromEntries(keys.map((key) => [key, mergeMember(`f:${key}`)])) }
}

/** Applied items keep the applied order; each other live item stays before the item that followed it. */
function mergeOrder(live: readonly string[], applied: readonly string[]): string[] {
  const inApplied = new Set(applied)
  const inLive = new Set(live)
  const shared = applied.filter((element) => inLive.has(element))
  const placed = new Set<string>()
  const order: string[] = []
  let l = 0
  let r = 0
  while (l < live.length || r < applied.length) {
    const left = live[l]
    const right = applied[r]
    if (left !== undefined && right !== undefined && left !== right) {
      // Shared, but another shared element comes first.
      if (inApplied.has(left) && shared[0] !== undefined && shared[0] !== left) {
        l++
        continue
      }
    }
    if (left !== undefined && left !== right) {
      if (!inApplied.has(left)) {
        order.push(left)
        l++
        continue
      }
      if (placed.has(left)) l++
    }
    if (right !== undefined) {
      if (left === right) l++
      placed.add(right)
      order.push(right)
      r++
      if (shared[0] === right) shared.shift()
    }
  }
  return order
}
