import { isObject, ownValue, sameJson } from './json'
import type { JsonSchema } from './json-schema'

/** Finding, for a part of an object, the same part of the stored one: by key, and in lists of type map by their keys. */

export const schemaOfKey = (schema: JsonSchema, key: string): JsonSchema | undefined => {
  const known = ownValue(schema.properties, key) ?? schema.additionalProperties
  return typeof known === 'object' ? known : undefined
}

export const oldOfKey = (old: unknown, key: string): unknown => (isObject(old) ? ownValue(old, key) : undefined)

/** `undefined` in other lists: there a place says nothing about identity. */
export function oldOfItem(schema: JsonSchema, old: unknown, item: unknown): unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined
  const wanted = listKeyOf(schema, item)
  return old.find((other) => sameJson(listKeyOf(schema, other), wanted))
}

/** What identifies an item of a list of type map; a key it lacks counts with its default. */
export function listKeyOf(schema: JsonSchema, item: unknown): Record<string, unknown> {
  const key: Record<string, unknown> = {}
  for (const name of schema['x-kubernetes-list-map-keys'] ?? []) {
    const value = (isObject(item) ? ownValue(item, name) : undefined) ?? schema.items?.properties?.[name]?.default
    if (value !== undefined) key[name] = value
  }
  return key
}
