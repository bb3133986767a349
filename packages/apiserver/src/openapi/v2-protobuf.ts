import { encodeMessage, type Field } from './protobuf'
import type { V2Document, V2Operation, V2Schema } from './v2'

/**
 * The OpenAPI 2 document in protobuf. Source: gnostic, openapiv2/OpenAPIv2.proto. kubectl 1.20, which Debian 12 has, can
 * neither create nor apply anything without it; 1.32 and 1.35 do not read it.
 */
export const v2ContentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

export const encodeV2 = ({ swagger, info, paths, definitions }: V2Document): Uint8Array<ArrayBuffer> =>
  encodeMessage([
    field(1, swagger),
    field(2, [field(1, info.title), field(2, info.version)]),
    field(
      8,
      Object.entries(paths).map(([path, item]) => field(2, named(path, pathItem(item)))),
    ),
    field(9, namedSchemas(definitions)),
  ])

const field = (number: number, value: Field[1]): Field => [number, value]

/** Maps are encoded as lists of names and values. */
const named = (name: string, value: readonly Field[]): Field[] => [field(1, name), field(2, value)]

const namedSchemas = (schemas: Record<string, V2Schema>): Field[] =>
  Object.entries(schemas).map(([name, value]) => field(1, named(name, schema(value))))

const methodFields: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 }

const pathItem = (item: Record<string, V2Operation>): Field[] =>
  Object.entries(item).map(([method, value]) => field(methodFields[method] ?? 0, operation(value)))

const operation = (value: V2Operation): Field[] => [
  field(5, value.operationId),
  // Each is a NonBodyParameter, in the query or in the path.
  ...value.parameters.map((parameter) => field(8, [field(1, [field(2, [nonBodyParameter(parameter)])])])),
  field(
    9,
    Object.entries(value.responses).map(([code, { description }]) =>
      field(1, named(code, [field(1, [field(1, description)])])),
    ),
  ),
  extension(13, 'x-kubernetes-action', value['x-kubernetes-action']),
  extension(13, 'x-kubernetes-group-version-kind', value['x-kubernetes-group-version-kind']),
]

const nonBodyParameter = ({ name, in: location, type }: V2Operation['parameters'][number]): Field =>
  location === 'query'
    ? field(3, [field(2, location), field(4, name), field(6, type)])
    : field(4, [field(1, true), field(2, location), field(4, name), field(5, type)])

function schema(value: V2Schema): Field[] {
  const { $ref, format, description, required = [], additionalProperties, type, items, properties } = value
  const fields: Field[] = []
  if ($ref) fields.push(field(1, $ref))
  if (format) fields.push(field(2, format))
  if (description) fields.push(field(4, description))
  for (const name of required) fields.push(field(19, name))
  if (additionalProperties) fields.push(field(21, [field(1, schema(additionalProperties))]))
  if (type) fields.push(field(22, [field(1, type)]))
  if (items) fields.push(field(23, [field(1, schema(items))]))
  if (properties) fields.push(field(25, namedSchemas(properties)))
  for (const [name, extra] of Object.entries(value)) {
    if (name.startsWith('x-') && extra !== undefined) fields.push(extension(31, name, extra))
  }
  return fields
}

/** The value is encoded as YAML, a superset of JSON. */
const extension = (number: number, name: string, value: unknown): Field =>
  field(number, named(name, [field(2, JSON.stringify(value))]))
