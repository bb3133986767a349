import { metadataSchema } from '../openapi/builtin-schemas'
import type { JsonSchema } from '../apiextensions/json-schema'
import type { ResourceInfo } from '../resource'

const schemas = new WeakMap<JsonSchema, JsonSchema>()

/** The schema of a kind including metadata, which the schemas of kinds omit. */
export function fullSchemaOf({ schema }: ResourceInfo): JsonSchema {
  let full = schemas.get(schema)
  if (!full) {
    full = { ...schema, properties: { ...schema.properties, ...topLevel, metadata: metadataSchema } }
    schemas.set(schema, full)
  }
  return full
}

const topLevel: Record<string, JsonSchema> = { apiVersion: { type: 'string' }, kind: { type: 'string' } }
