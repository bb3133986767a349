import type { Message, Type } from '../protobuf/message'
import type { JsonSchema } from '../apiextensions/json-schema'
import { bytes, boolean, intOrString, listOf, mapOf, objectOf, string, time } from './schema-parts'

const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

/** The JSON schema of a protobuf message. Names and types are defined once, in the message tables. */
export const messageSchema = (message: Message): JsonSchema => objectOf(propertiesOf(message))

const propertiesOf = (message: Message): Record<string, JsonSchema> =>
  Object.assign(
    {},
    ...Object.values(message).map((field) =>
      'inline' in field ? propertiesOf(field.inline) : { [field[0]]: schemaOf(field[1]) },
    ),
  ) as Record<string, JsonSchema> // Every part is such a record.

function schemaOf(type: Type): JsonSchema {
  switch (type.is) {
    case 'string':
      return string
    case 'int':
      return { type: 'integer' }
    case 'bool':
      return boolean
    case 'bytes':
      return bytes
    case 'time':
    case 'microTime':
      return time
    case 'intOrString':
      return intOrString
    case 'message':
      return messageSchema(type.message)
    case 'list':
      return listOf(schemaOf(type.of))
    case 'map':
      return mapOf(schemaOf(type.of))
    // Quantities, for example, are strings or numbers.
    case 'wrapped':
    case 'json':
      return anything
  }
}

/** A schema with details added to some of its parts, at any depth. */
export function withDetails(schema: JsonSchema | undefined, { properties, items, ...rest }: JsonSchema): JsonSchema {
  if (!schema) return { ...rest, ...(properties && { properties }), ...(items && { items }) }
  const known = schema.properties ?? {}
  const parts = Object.entries(properties ?? {}).map(([name, part]) => [name, withDetails(known[name], part)] as const)
  return {
    ...schema,
    ...rest,
    ...(properties && { properties: { ...known, ...Object.fromEntries(parts) } }),
    ...(items && { items: withDetails(schema.items, items) }),
  }
}
