import type { StatusCause } from '@slipway/kube/status'
import { applyDefaults } from './defaults'
import { forbidden, invalid, required } from '../field-error'
import { addAll } from './json'
import type { JsonSchema } from './json-schema'
import { shapeCauses } from './schema-shape'
import { SchemaError } from './schema-error'
import { compileSchema } from './structural-schema'

/**
 * Errors that make a schema non-structural, or that prevent its evaluation here.
 * Source: apiextensions-apiserver, schema/validation.go.
 */
export function schemaCauses(schema: JsonSchema, path: string): StatusCause[] {
  const causes = shapeCauses(schema, path)
  if (causes.length > 0) return causes
  if (!schema.type) causes.push(required(`${path}.type`, 'must not be empty at the root'))
  else if (schema.type !== 'object') causes.push(invalid(`${path}.type`, schema.type, 'must be object at the root'))
  addAll(causes, nodeCauses(schema, path))
  if (causes.length > 0) return causes
  try {
    compileSchema(schema)
    return defaultCauses(schema, path)
  } catch (error) {
    if (error instanceof SchemaError) return [invalid(`${path}.${error.path}`, error.value, error.message)]
    throw error
  }
}

function nodeCauses(schema: JsonSchema, path: string): StatusCause[] {
  const causes = [...keywordCauses(schema, path), ...listCauses(schema, path)]
  const child = (part: JsonSchema, at: string, what: string) => {
    const anyType = part['x-kubernetes-int-or-string'] || part['x-kubernetes-preserve-unknown-fields']
    if (!part.type && !anyType) causes.push(required(`${at}.type`, `must not be empty for specified ${what}`))
    addAll(causes, nodeCauses(part, at))
  }
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    child(part, `${path}.properties[${key}]`, 'object fields')
  }
  if (schema.items) child(schema.items, `${path}.items`, 'array items')
  if (typeof schema.additionalProperties === 'object') {
    child(schema.additionalProperties, `${path}.additionalProperties`, 'object fields')
  }
  return causes
}

function keywordCauses(schema: JsonSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = []
  const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']
  if (schema.type && !types.includes(schema.type)) {
    causes.push(invalid(`${path}.type`, schema.type, `must be one of ${types.join(', ')}`))
  }
  if (schema.$ref) causes.push(forbidden(`${path}.$ref`, '$ref is not supported'))
  if (schema.uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    causes.push(forbidden(`${path}.uniqueItems`, detail))
  }
  if (schema.additionalProperties === false) {
    causes.push(forbidden(`${path}.additionalProperties`, 'additionalProperties cannot be set to false'))
  }
  if (schema.additionalProperties && schema.properties) {
    causes.push(forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'))
  }
  if (schema['x-kubernetes-int-or-string'] && schema.type) {
    const detail = 'must be empty if x-kubernetes-int-or-string is true'
    causes.push(invalid(`${path}.type`, schema.type, detail))
  }
  return causes
}

function listCauses(schema: JsonSchema, path: string): StatusCause[] {
  if (schema.type === 'array' && !schema.items) return [required(`${path}.items`, 'must be specified')]
  if (schema['x-kubernetes-list-type'] !== 'map') return []
  const keys = schema['x-kubernetes-list-map-keys']
  if (!keys?.length) {
    const detail = 'must not be empty if x-kubernetes-list-type is map'
    return [required(`${path}.x-kubernetes-list-map-keys`, detail)]
  }
  return keys.flatMap((key, i) =>
    schema.items?.properties && Object.hasOwn(schema.items.properties, key)
      ? []
      : [invalid(`${path}.x-kubernetes-list-map-keys[${i}]`, key, 'entries must all be names of item properties')],
  )
}

/** A default must be valid once the defaults inside it are applied. */
function defaultCauses(schema: JsonSchema, path: string): StatusCause[] {
  const causes: StatusCause[] = []
  if (schema.default !== undefined) {
    // A default may be any JSON value; inside an object, the compiled schema validates it like any field.
    const holder = { value: structuredClone(schema.default) }
    const holderSchema: JsonSchema = { type: 'object', properties: { value: schema } }
    applyDefaults(holderSchema, holder)
    const errors = compileSchema(holderSchema).validate(holder)
    causes.push(
      ...errors.map((cause) => ({ ...cause, field: `${path}.${(cause.field ?? '').replace(/^value/, 'default')}` })),
    )
  }
  for (const [key, part] of Object.entries(schema.properties ?? {})) {
    addAll(causes, defaultCauses(part, `${path}.properties[${key}]`))
  }
  if (schema.items) addAll(causes, defaultCauses(schema.items, `${path}.items`))
  if (typeof schema.additionalProperties === 'object') {
    addAll(causes, defaultCauses(schema.additionalProperties, `${path}.additionalProperties`))
  }
  return causes
}
