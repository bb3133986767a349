import { isRecord } from '@slipway/kube/object'
import type { JsonSchema } from '../schema/json-schema'
import { isSameJson } from './equality'

/** RFC 7396: a member that is null goes, objects are merged, everything else is replaced. */
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
 * The merge patch of built-in kinds: the schema tells which lists are merged, and by which member.
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
      const gone = Array.isArray(value) ? value : []
      if (Array.isArray(result[name])) result[name] = result[name].filter((item) => !gone.includes(item))
    } else if (value === null) delete result[key]
    else if (!key.startsWith(orderPrefix)) result[key] = mergedMember(result[key], value, memberSchema(schema, key))
  }
  for (const [key, order] of Object.entries(members)) {
    if (!key.startsWith(orderPrefix) || !Array.isArray(order)) continue
    const name = key.slice(orderPrefix.length)
    if (Array.isArray(result[name])) result[name] = ordered(result[name], order, mergeKeyOf(memberSchema(schema, name)))
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
  const before = Array.isArray(current) ? current : []
  const key = mergeKeyOf(schema)
  if (!isMerged) return patch.map(withoutDirectives)
  if (!key) return [...before, ...patch.filter((item) => !before.some((other) => isSameJson(other, item)))]
  if (patch.some((item) => isRecord(item) && item['$patch'] === 'replace')) {
    return patch.filter((item) => !(isRecord(item) && item['$patch'] === 'replace'))
  }
  const result = [...before]
  for (const item of patch) {
    const at = result.findIndex((other) => isRecord(other) && isRecord(item) && other[key] === item[key])
    const merged = strategicMergePatch(result[at], item, schema?.items)
    if (at < 0) {
      if (merged !== undefined) result.push(merged)
    } else if (merged === undefined) result.splice(at, 1)
    else result[at] = merged
  }
  return result
}

/** In the order given; what it does not name keeps its place after the one before it. */
function ordered(list: unknown[], order: unknown[], key: string | undefined): unknown[] {
  const idOf = (item: unknown) => (key && isRecord(item) ? item[key] : item)
  const ranks = new Map(order.map((item, index) => [idOf(item), index]))
  let last = -1
  const ranked = list.map((item) => ({ item, rank: (last = ranks.get(idOf(item)) ?? last) }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item)
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
