import { isRecord } from '@slipway/kube/object'
import type { JsonSchema } from '../../apiextensions/json-schema'

/** RFC 7396: null removes a member, objects are merged, everything else is replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}

const deletePrefix = '$deleteFromPrimitiveList/'
const orderPrefix = '$setElementOrder/'

/**
 * The merge patch of built-in kinds: the schema defines which lists are merged, and by which key.
 * Source: Kubernetes documentation, "Notes on the strategic merge patch"; directives in design proposal
 * preserve-order-in-strategic-merge-patch.
 */
export function strategicMergePatch(target: unknown, patch: unknown, schema: JsonSchema | undefined): unknown {
  if (!isRecord(patch)) return patch
  const { $patch: directive, $retainKeys: retained, ...members } = patch
  if (directive === 'delete') return undefined
  if (directive === 'replace') return withoutDirectives(members)
  let result: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  if (Array.isArray(retained)) {
    result = Object.fromEntries(Object.entries(result).filter(([key]) => retained.includes(key)))
  }
  for (const [key, value] of Object.entries(members)) {
    if (key.startsWith(deletePrefix)) {
      const name = key.slice(deletePrefix.length)
      const removed = new Set<unknown>(Array.isArray(value) ? value : [])
      if (Array.isArray(result[name])) result[name] = result[name].filter((item) => !removed.has(item))
    } else if (value === null) delete result[key]
    else if (!key.startsWith(orderPrefix)) result[key] = mergedMember(result[key], value, memberSchema(schema, key))
  }
  for (const [key, order] of Object.entries(members)) {
    if (!key.startsWith(orderPrefix) || !Array.isArray(order)) continue
    const name = key.slice(orderPrefix.length)
    if (!Array.isArray(result[name])) continue
    result[name] = ordered(result[name], order, listIn(target, name), mergeKeyOf(memberSchema(schema, name)))
  }
  return result
}

const memberSchema = (schema: JsonSchema | undefined, key: string): JsonSchema | undefined =>
  schema?.properties?.[key] ?? (isRecord(schema?.additionalProperties) ? schema.additionalProperties : undefined)

const mergeKeyOf = (schema: JsonSchema | undefined): string | undefined => schema?.['x-kubernetes-patch-merge-key']

function mergedMember(current: unknown, patch: unknown, schema: JsonSchema | undefined): unknown {
  if (isRecord(patch)) {
    const strategies = schema?.['x-kubernetes-patch-strategy']?.split(',') ?? []
    return strategies.includes('replace') ? withoutDirectives(patch) : strategicMergePatch(current, patch, schema)
  }
  if (!Array.isArray(patch)) return patch
  const isMerged = schema?.['x-kubernetes-patch-strategy']?.split(',').includes('merge')
  const before: unknown[] = Array.isArray(current) ? current : []
  const key = mergeKeyOf(schema)
  if (!isMerged) return patch.map(withoutDirectives)
  if (!key) {
    const texts = new Set(before.map((item) => JSON.stringify(item)))
    return ordered([...before, ...patch.filter((item) => !texts.has(JSON.stringify(item)))], patch, before, undefined)
  }
  if (patch.some((item) => isRecord(item) && item['$patch'] === 'replace')) {
    return patch.filter((item) => !(isRecord(item) && item['$patch'] === 'replace'))
  }
  // The first item with a key is merged; a deleted item leaves a gap until the end, so that positions stay valid.
  const result: unknown[] = [...before]
  const positions = new Map<unknown, number>()
  const idOf = (item: unknown) => (isRecord(item) ? item[key] : noKey)
  result.forEach((item, at) => {
    if (isRecord(item) && !positions.has(idOf(item))) positions.set(idOf(item), at)
  })
  for (const item of patch) {
    const id = idOf(item)
    const at = positions.get(id)
    const merged = strategicMergePatch(at === undefined ? undefined : result[at], item, schema?.items)
    if (at !== undefined) {
      result[at] = merged
      if (merged === undefined) positions.delete(id)
    } else if (merged !== undefined) {
      if (isRecord(item)) positions.set(id, result.length)
      result.push(merged)
    }
  }
  const remaining = result.filter((item) => item !== undefined)
  return ordered(remaining, patch, before, key)
}

/** Key of an item that is not an object and so never matches another item. */
const noKey = Symbol('no key')

const listIn = (holder: unknown, name: string): unknown[] => {
  const value = isRecord(holder) ? holder[name] : undefined
  return Array.isArray(value) ? value : []
}

/**
 * Sorts the items named in `order` accordingly and keeps the others in sequence; one of these precedes a named item
 * only if it did so in the original list. Source: k8s.io/apimachinery, strategicpatch, mergeSortedSlice.
 */
function ordered(list: unknown[], order: unknown[], before: unknown[], key: string | undefined): unknown[] {
  const idOf = (item: unknown) => (key && isRecord(item) ? item[key] : item)
  const ranks = new Map(order.map((item, index) => [idOf(item), index]))
  const positions = new Map(before.map((item, index) => [idOf(item), index]))
  const rankOf = (item: unknown) => ranks.get(idOf(item)) ?? -1
  const named = list.filter((item) => rankOf(item) >= 0).sort((a, b) => rankOf(a) - rankOf(b))
  const others = list.filter((item) => rankOf(item) < 0)
  const result: unknown[] = []
  for (const item of named) {
    const position = positions.get(idOf(item)) ?? -1
    while (others.length > 0 && (positions.get(idOf(others[0])) ?? Infinity) < position) result.push(others.shift())
    result.push(item)
  }
  return [...result, ...others]
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('$'))
      .map(([key, item]) => [key, withoutDirectives(item)]),
  )
}
