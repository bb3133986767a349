import { isSameJson } from '@slipway/kube/json'
import { isRecord } from '@slipway/kube/object'
import { ownValue } from './json'
import type { JsonSchema } from './json-schema'

/** Finds the counterpart of a value in the stored object: by key, and for items of lists of type map, by their keys. */

export const schemaOfKey = (schema: JsonSchema, key: string): JsonSchema | undefined => {
  const known = ownValue(schema.properties, key) ?? schema.additionalProperties
  return typeof known === 'object' ? known : undefined
}

export const oldOfKey = (old: unknown, key: string): unknown => (isRecord(old) ? ownValue(old, key) : undefined)

/** `undefined` in other lists, where the index does not identify an item. */
export function oldOfItem(schema: JsonSchema, old: unknown, item: unknown): unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined
  const key = listKeyOf(schema, item)
  return old.find((other) => isSameJson(listKeyOf(schema, other), key))
}

/** The keys that identify an item in a list of type map, with defaults for missing keys. */
export function listKeyOf(schema: JsonSchema, item: unknown): Record<string, unknown> {
  const key: Record<string, unknown> = {}
  for (const name of schema['x-kubernetes-list-map-keys'] ?? []) {
    const value = (isRecord(item) ? ownValue(item, name) : undefined) ?? schema.items?.properties?.[name]?.default
    if (value !== undefined) key[name] = value
  }
  return key
}
