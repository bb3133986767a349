import { metadataSchema } from '../openapi/builtin-schemas'
import type { JsonSchema } from '../schema/json-schema'
import type { ResourceInfo } from './resource'

const schemas = new WeakMap<JsonSchema, JsonSchema>()

/** The schema of a kind with that of metadata, which kinds leave out. */
export function wholeSchemaOf({ schema }: ResourceInfo): JsonSchema {
  let whole = schemas.get(schema)
  if (!whole) {
    whole = { ...schema, properties: { ...schema.properties, ...topLevel, metadata: metadataSchema } }
    schemas.set(schema, whole)
  }
  return whole
}

const topLevel: Record<string, JsonSchema> = { apiVersion: { type: 'string' }, kind: { type: 'string' } }
