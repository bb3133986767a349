import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { typeInvalid } from '../field-error'
import type { JsonSchema } from './json-schema'
import { typeName } from './value'

/**
 * Checks that a value is a schema, so that later code can rely on its types. A schema of schemas cannot express this,
 * since it would have to contain itself.
 */
export function shapeCauses(value: unknown, path: string): StatusCause[] {
  if (!isRecord(value)) return [wrongType(path, 'object', value)]
  return Object.entries(value).flatMap(([key, item]) => {
    const check = Object.hasOwn(checks, key) ? checks[key as keyof JsonSchema] : undefined
    return check && item !== undefined ? check(item, `${path}.${key}`) : []
  })
}

type ShapeCheck = (value: unknown, path: string) => StatusCause[]

const wrongType = (path: string, type: string, value: unknown): StatusCause =>
  typeInvalid(path, typeName(value), `${path} in body must be of type ${type}: ${JSON.stringify(typeName(value))}`)

const ofType =
  (type: 'string' | 'boolean' | 'number'): ShapeCheck =>
  (value, path) =>
    typeof value === type ? [] : [wrongType(path, type, value)]
const text = ofType('string')
const boolean = ofType('boolean')
const number = ofType('number')

const listOf =
  (check: ShapeCheck): ShapeCheck =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((item, i) => check(item, `${path}[${i}]`)) : [wrongType(path, 'array', value)]

const anything: ShapeCheck = () => []
const schemas = listOf(shapeCauses)

const schemasByName: ShapeCheck = (value, path) =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, schema]) => shapeCauses(schema, `${path}[${name}]`))
    : [wrongType(path, 'object', value)]

const rule: ShapeCheck = (value, path) => {
  if (!isRecord(value)) return [wrongType(path, 'object', value)]
  const { rule, ...rest } = value
  const others = ['message', 'messageExpression', 'reason', 'fieldPath'].filter((key) => rest[key] !== undefined)
  return [...text(rule, `${path}.rule`), ...others.flatMap((key) => text(rest[key], `${path}.${key}`))]
}

const checks: { [K in keyof JsonSchema]?: ShapeCheck } = {
  description: text,
  type: text,
  format: text,
  title: text,
  pattern: text,
  $ref: text,
  nullable: boolean,
  exclusiveMinimum: boolean,
  exclusiveMaximum: boolean,
  uniqueItems: boolean,
  minLength: number,
  maxLength: number,
  minimum: number,
  maximum: number,
  multipleOf: number,
  minItems: number,
  maxItems: number,
  minProperties: number,
  maxProperties: number,
  enum: listOf(anything),
  required: listOf(text),
  properties: schemasByName,
  additionalProperties: (value, path) => (typeof value === 'boolean' ? [] : shapeCauses(value, path)),
  items: shapeCauses,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: shapeCauses,
  'x-kubernetes-preserve-unknown-fields': boolean,
  'x-kubernetes-embedded-resource': boolean,
  'x-kubernetes-int-or-string': boolean,
  'x-kubernetes-list-type': text,
  'x-kubernetes-list-map-keys': listOf(text),
  'x-kubernetes-map-type': text,
  'x-kubernetes-validations': listOf(rule),
}
