import { isRecord } from '../http/body'
import type { JsonSchema } from '../schema/json-schema'
import { isSameJson } from './equality'

/**
 * An applied configuration over what is there: objects are merged, lists as their `x-kubernetes-list-type` says.
 * Who owns a field is not kept, so a field that an earlier configuration had and this one has not stays.
 */
export function mergeApplied(current: unknown, applied: unknown, schema: JsonSchema | undefined): unknown {
  if (isRecord(applied)) {
    if (schema?.['x-kubernetes-map-type'] === 'atomic' || !isRecord(current)) return applied
    const result = { ...current }
    for (const [key, value] of Object.entries(applied)) {
      const member = schema?.properties?.[key] ?? schema?.additionalProperties
      result[key] = mergeApplied(current[key], value, isRecord(member) ? member : undefined)
    }
    return result
  }
  if (!Array.isArray(applied) || !Array.isArray(current)) return applied
  const listType = schema?.['x-kubernetes-list-type']
  if (listType === 'set') {
    return [...current, ...applied.filter((item) => !current.some((other) => isSameJson(other, item)))]
  }
  if (listType !== 'map') return applied
  const keys = schema?.['x-kubernetes-list-map-keys'] ?? []
  const isSameItem = (a: unknown, b: unknown) =>
    isRecord(a) && isRecord(b) && keys.every((key) => isSameJson(a[key] ?? null, b[key] ?? null))
  const result = [...current]
  for (const item of applied) {
    const at = result.findIndex((other) => isSameItem(other, item))
    if (at < 0) result.push(item)
    else result[at] = mergeApplied(result[at], item, schema?.items)
  }
  return result
}
