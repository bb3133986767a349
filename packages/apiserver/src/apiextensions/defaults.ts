import { isRecord } from '@slipway/kube/object'
import { ownValue } from './json'
import type { JsonSchema } from './json-schema'

/**
 * Fills in defaults in place. Removes remaining nulls that are not allowed: clients send them for "not set".
 * Source: apiextensions-apiserver, structural defaulting.
 */
export function applyDefaults(schema: JsonSchema | undefined, value: unknown): void {
  if (!schema) return
  if (Array.isArray(value)) {
    const { items } = schema
    value.forEach((item, i) => {
      if (takesDefault(items, item)) value[i] = structuredClone(items?.default)
      applyDefaults(items, value[i])
    })
    return
  }
  if (!isRecord(value)) return
  for (const [key, property] of propertiesWithDefaults(schema)) {
    if (takesDefault(property, ownValue(value, key))) value[key] = structuredClone(property.default)
  }
  for (const key of Object.keys(value)) {
    const known = valueSchema(schema, key)
    if (!known) continue
    if (value[key] === null && takesDefault(known, null)) value[key] = structuredClone(known.default)
    if (value[key] === null && !known.nullable) delete value[key]
    else applyDefaults(known, value[key])
  }
}

/** Cached for each schema: there are few schemas and very many values. */
const defaultedProperties = new WeakMap<JsonSchema, [string, JsonSchema][]>()

function propertiesWithDefaults(schema: JsonSchema): [string, JsonSchema][] {
  let found = defaultedProperties.get(schema)
  if (!found) {
    found = Object.entries(schema.properties ?? {}).filter(([, property]) => property.default !== undefined)
    defaultedProperties.set(schema, found)
  }
  return found
}

/** A null where null is not allowed counts as absent. */
const takesDefault = (schema: JsonSchema | undefined, value: unknown): boolean =>
  schema?.default !== undefined && (value === undefined || (value === null && !schema.nullable))

function valueSchema(schema: JsonSchema, key: string): JsonSchema | undefined {
  const known = ownValue(schema.properties, key) ?? schema.additionalProperties
  return typeof known === 'object' ? known : undefined
}
