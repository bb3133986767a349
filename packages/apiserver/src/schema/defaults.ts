import { isObject, ownValue } from './json'
import type { JsonSchema } from './json-schema'

/** Fills in defaults, in place. Source: apiextensions-apiserver, structural defaulting. */
export function applyDefaults(schema: JsonSchema, value: unknown): void {
  setDefaults(schema, value)
  dropNulls(schema, value)
}

function setDefaults(schema: JsonSchema | undefined, value: unknown): void {
  if (!schema) return
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      if (takesDefault(schema.items, item)) value[i] = structuredClone(schema.items?.default)
      setDefaults(schema.items, value[i])
    })
    return
  }
  if (!isObject(value)) return
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (takesDefault(property, ownValue(value, key))) value[key] = structuredClone(property.default)
  }
  for (const key of Object.keys(value)) {
    const known = valueSchema(schema, key)
    if (value[key] === null && takesDefault(known, null)) value[key] = structuredClone(known?.default)
    setDefaults(known, value[key])
  }
}

/** A null where null is not allowed counts as absent. */
const takesDefault = (schema: JsonSchema | undefined, value: unknown): boolean =>
  schema?.default !== undefined && (value === undefined || (value === null && !schema.nullable))

/** What is left of the nulls that are not allowed goes: clients send them for "not set". */
function dropNulls(schema: JsonSchema | undefined, value: unknown): void {
  if (!schema) return
  if (Array.isArray(value)) value.forEach((item) => dropNulls(schema.items, item))
  if (!isObject(value)) return
  for (const key of Object.keys(value)) {
    const known = valueSchema(schema, key)
    if (value[key] === null && known && !known.nullable) delete value[key]
    else dropNulls(known, value[key])
  }
}

function valueSchema(schema: JsonSchema, key: string): JsonSchema | undefined {
  const known = ownValue(schema.properties, key) ?? schema.additionalProperties
  return typeof known === 'object' ? known : undefined
}
