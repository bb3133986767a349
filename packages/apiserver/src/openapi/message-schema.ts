import type { Message, Type } from '../protobuf/message'
import type { JsonSchema } from '../schema/json-schema'
import { bytes, flag, intOrText, listOf, mapOf, objectOf, text, time } from './schema-parts'

const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }

/** The schema of what a protobuf message stands for in JSON: its names and types are written down once, in the table. */
export const messageSchema = (message: Message): JsonSchema => objectOf(propertiesOf(message))

const propertiesOf = (message: Message): Record<string, JsonSchema> =>
  Object.assign(
    {},
    ...Object.values(message).map((field) =>
      'inline' in field ? propertiesOf(field.inline) : { [field[0]]: schemaOf(field[1]) },
    ),
  ) as Record<string, JsonSchema> // Each part is one of these.

function schemaOf(type: Type): JsonSchema {
  switch (type.is) {
    case 'string':
      return text
    case 'int':
      return { type: 'integer' }
    case 'bool':
      return flag
    case 'bytes':
      return bytes
    case 'time':
    case 'microTime':
      return time
    case 'intOrString':
      return intOrText
    case 'message':
      return messageSchema(type.message)
    case 'list':
      return listOf(schemaOf(type.of))
    case 'map':
      return mapOf(schemaOf(type.of))
    // Quantities, for one, are texts or numbers of any kind.
    case 'wrapped':
    case 'json':
    case 'unsupported':
      return anything
  }
}

/** A schema with more said about some of its parts, at any depth. */
export function detailed(schema: JsonSchema | undefined, { properties, items, ...rest }: JsonSchema): JsonSchema {
  if (!schema) return { ...rest, ...(properties && { properties }), ...(items && { items }) }
  const known = schema.properties ?? {}
  const parts = Object.entries(properties ?? {}).map(([name, part]) => [name, detailed(known[name], part)] as const)
  return {
    ...schema,
    ...rest,
    ...(properties && { properties: { ...known, ...Object.fromEntries(parts) } }),
    ...(items && { items: detailed(schema.items, items) }),
  }
}
