import type { GroupVersionKind, JsonSchema } from '../apiextensions/json-schema'
import { operationsOf, pathParameters, type OpenApiKind } from './operations'
import { schemasOf } from './v3'

/** The OpenAPI 2 document, in a form that both encodings use. */
export interface V2Document {
  swagger: '2.0'
  info: { title: string; version: string }
  paths: Record<string, Record<string, V2Operation>>
  definitions: Record<string, V2Schema>
}

export interface V2Operation {
  operationId: string
  parameters: { name: string; in: 'query' | 'path'; type: 'string'; required: boolean }[]
  responses: Record<string, { description: string }>
  'x-kubernetes-action': string
  'x-kubernetes-group-version-kind': GroupVersionKind
}

/** The part of a schema that OpenAPI 2 can express and kubectl reads. */
export interface V2Schema {
  $ref?: string
  description?: string
  type?: string
  format?: string
  required?: readonly string[]
  items?: V2Schema
  properties?: Record<string, V2Schema>
  additionalProperties?: V2Schema
  'x-kubernetes-patch-merge-key'?: string
  'x-kubernetes-patch-strategy'?: string
  'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[]
}

const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` })

export function v2Document(kinds: readonly OpenApiKind[], version: string): V2Document {
  const definitions = Object.fromEntries(
    Object.entries(schemasOf(kinds, ref)).map(([name, schema]) => [name, simplified(schema)]),
  )
  const paths: V2Document['paths'] = {}
  for (const kind of kinds) {
    for (const operation of operationsOf(kind)) {
      const { path, method, id, action, query, gvk } = operation
      const item = (paths[path] ??= {})
      item[method] = {
        operationId: id,
        parameters: [
          ...pathParameters(operation).map((name) => parameter(name, 'path')),
          ...query.map((name) => parameter(name, 'query')),
        ],
        responses: { [method === 'post' ? '201' : '200']: { description: 'OK' } },
        'x-kubernetes-action': action,
        'x-kubernetes-group-version-kind': gvk,
      }
    }
  }
  return { swagger: '2.0', info: { title: 'Kubernetes', version }, paths, definitions }
}

const parameter = (name: string, location: 'query' | 'path') => ({
  name,
  in: location,
  type: 'string' as const,
  required: location === 'path',
})

/**
 * Removes what kubectl would misread: it assumes that the listed properties are the only ones, and that a type excludes
 * null. Source: apiextensions-apiserver, ToStructuralOpenAPIV2.
 */
function simplified(schema: JsonSchema): V2Schema {
  const { $ref, description, type, format, required, items, properties, additionalProperties } = schema
  const extensions = {
    ...pick(schema, 'x-kubernetes-patch-merge-key'),
    ...pick(schema, 'x-kubernetes-patch-strategy'),
    ...pick(schema, 'x-kubernetes-group-version-kind'),
  }
  if ($ref) return { $ref, ...(description && { description }), ...extensions }
  const common = { ...(description && { description }), ...extensions }
  if (schema['x-kubernetes-int-or-string']) return { ...common, type: 'string', format: 'int-or-string' }
  if (schema.nullable || !type) return common
  if (schema['x-kubernetes-preserve-unknown-fields']) return { ...common, type }
  return {
    ...common,
    type,
    ...(format && { format }),
    ...(required?.length && { required }),
    ...(items && { items: simplified(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, simplified(part)])),
    }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: simplified(additionalProperties) }),
  }
}

const pick = <K extends keyof JsonSchema>(schema: JsonSchema, key: K): Pick<JsonSchema, K> | undefined =>
  schema[key] === undefined ? undefined : ({ [key]: schema[key] } as Pick<JsonSchema, K>) // The key of the value.
