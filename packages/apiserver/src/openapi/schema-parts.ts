import type { JsonSchema } from '../apiextensions/json-schema'

/** Building blocks for schemas. */

export const string: JsonSchema = { type: 'string' }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const bytes: JsonSchema = { type: 'string', format: 'byte' }
export const boolean: JsonSchema = { type: 'boolean' }
export const int32: JsonSchema = { type: 'integer', format: 'int32' }
export const int64: JsonSchema = { type: 'integer', format: 'int64' }
export const intOrString: JsonSchema = { 'x-kubernetes-int-or-string': true }
export const anyObject: JsonSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
export const strings: JsonSchema = { type: 'array', items: string }

export const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties })
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
export const objectOf = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length && { required }),
})
/** An object with some described fields, which preserves unknown ones. */
export const openObjectOf = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  ...objectOf(properties, ...required),
  'x-kubernetes-preserve-unknown-fields': true,
})
/** An object that has one owner and is replaced as a whole. */
export const atomic = (schema: JsonSchema): JsonSchema => ({ ...schema, 'x-kubernetes-map-type': 'atomic' })
/** A list whose items a strategic merge patch identifies by this key. */
export const listMap = (key: string, items: JsonSchema): JsonSchema => ({
  type: 'array',
  items,
  'x-kubernetes-patch-merge-key': key,
  'x-kubernetes-patch-strategy': 'merge',
})
export const described = (description: string, schema: JsonSchema): JsonSchema => ({ ...schema, description })
