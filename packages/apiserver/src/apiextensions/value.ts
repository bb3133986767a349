import { isSameJson } from '@slipway/kube/json'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { RE2JS } from 're2js'
import { invalid, notSupported, required, tooLong, tooMany, typeInvalid } from '../field-error'
import { matchesFormat } from './formats'
import { addAll, childPath, ownValue, type JsonObject } from './json'
import type { JsonSchema } from './json-schema'

/** Validation of values, worded as in the real server. Source: k8s.io/kube-openapi, pkg/validation. */

/** Compiled patterns by schema. */
export type Patterns = ReadonlyMap<JsonSchema, RE2JS>

export function validateValue(schema: JsonSchema, value: unknown, path: string, patterns: Patterns): StatusCause[] {
  const causes: StatusCause[] = []
  addCauses(causes, schema, value, path, patterns)
  return causes
}

/** Appends to one list, to avoid an allocation for each of very many values, nearly all valid. */
function addCauses(causes: StatusCause[], schema: JsonSchema, value: unknown, path: string, patterns: Patterns): void {
  if (value === null) {
    if (!schema.nullable && typesOf(schema)) causes.push(wrongType(schema, value, path))
    return
  }
  if (!hasType(schema, value)) causes.push(wrongType(schema, value, path))
  if (schema.allOf || schema.anyOf || schema.oneOf || schema.not) {
    addAll(
      causes,
      composition(schema, value, path, (sub, item, at) => validateValue(sub, item, at, patterns)),
    )
  }
  if (typeof value === 'string') addAll(causes, stringCauses(schema, value, path, patterns))
  if (typeof value === 'number') addAll(causes, numberCauses(schema, value, path))
  if (Array.isArray(value)) addListCauses(causes, schema, value, path, patterns)
  if (schema.enum) addAll(causes, enumCauses(schema, value, path))
  if (isRecord(value)) addObjectCauses(causes, schema, value, path, patterns)
}

type Check = (schema: JsonSchema, value: unknown, path: string) => StatusCause[]

const inBody = (path: string, text: string) => `${path} in body ${text}`

const typesOf = (schema: JsonSchema): string | undefined =>
  schema['x-kubernetes-int-or-string'] ? 'integer,string' : schema.type

function hasType(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema)
  if (!types) return true
  const type = typeName(value)
  if (types === type) return true
  const all = types.split(',')
  return all.includes(type) || (type === 'integer' && all.includes('number'))
}

export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function wrongType(schema: JsonSchema, value: unknown, path: string): StatusCause {
  const type = typeName(value)
  return typeInvalid(path, type, inBody(path, `must be of type ${typesOf(schema)}: ${JSON.stringify(type)}`))
}

function stringCauses(schema: JsonSchema, value: string, path: string, patterns: Patterns): StatusCause[] {
  const causes: StatusCause[] = []
  const { minLength, maxLength, format, pattern } = schema
  if (minLength !== undefined || maxLength !== undefined) {
    const length = [...value].length
    if (maxLength !== undefined && length > maxLength) causes.push(tooLong(path, maxLength))
    if (minLength !== undefined && length < minLength) {
      causes.push(invalid(path, value, inBody(path, `should be at least ${minLength} chars long`)))
    }
  }
  if (pattern !== undefined && !patterns.get(schema)?.matcher(value).find()) {
    causes.push(invalid(path, value, inBody(path, `should match '${pattern}'`)))
  }
  if (format !== undefined && !matchesFormat(format, value)) {
    causes.push(typeInvalid(path, value, inBody(path, `must be of type ${format}: ${JSON.stringify(value)}`)))
  }
  return causes
}

function numberCauses(schema: JsonSchema, value: number, path: string): StatusCause[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const causes: StatusCause[] = []
  const fail = (text: string) => causes.push(invalid(path, value, inBody(path, text)))
  const bits = schema.format === 'int32' ? 31 : 63
  if (schema.type === 'integer' && (value >= 2 ** bits || value < -(2 ** bits))) {
    const format = schema.format ? `with format ${schema.format}` : '(default format)'
    // The real server names no field here.
    causes.push(invalid('<nil>', '', `Checked value must be of type integer ${format} in ${path}`))
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    fail(exclusiveMaximum ? `should be less than ${maximum}` : `should be less than or equal to ${maximum}`)
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    fail(exclusiveMinimum ? `should be greater than ${minimum}` : `should be greater than or equal to ${minimum}`)
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) fail(`should be a multiple of ${multipleOf}`)
  return causes
}

function addListCauses(
  causes: StatusCause[],
  schema: JsonSchema,
  value: unknown[],
  path: string,
  patterns: Patterns,
): void {
  const { items, minItems, maxItems, uniqueItems } = schema
  if (items) value.forEach((item, i) => addCauses(causes, items, item, `${path}[${i}]`, patterns))
  if (minItems !== undefined && value.length < minItems) {
    causes.push(invalid(path, value.length, inBody(path, `should have at least ${minItems} items`)))
  }
  if (maxItems !== undefined && value.length > maxItems) causes.push(tooMany(path, value.length, maxItems))
  if (uniqueItems && value.some((item, i) => value.slice(0, i).some((earlier) => isSameJson(earlier, item)))) {
    causes.push(invalid(path, value, inBody(path, `shouldn't contain duplicates`)))
  }
}

function enumCauses({ enum: allowed }: JsonSchema, value: unknown, path: string): StatusCause[] {
  if (!allowed || allowed.some((item) => isSameJson(item, value))) return []
  const texts = allowed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  return [notSupported(path, value, texts)]
}

function addObjectCauses(
  causes: StatusCause[],
  schema: JsonSchema,
  value: JsonObject,
  path: string,
  patterns: Patterns,
): void {
  const keys = Object.keys(value)
  const count = keys.length
  if (schema.minProperties !== undefined && count < schema.minProperties) {
    causes.push(invalid(path, count, inBody(path, `should have at least ${schema.minProperties} properties`)))
  }
  if (schema.maxProperties !== undefined && count > schema.maxProperties) {
    causes.push(tooMany(path, count, schema.maxProperties))
  }
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) causes.push(required(childPath(path, key)))
  }
  for (const key of keys) {
    const known = ownValue(schema.properties, key) ?? schema.additionalProperties
    if (typeof known === 'object') addCauses(causes, known, value[key], childPath(path, key), patterns)
  }
}

/** Checks allOf, anyOf, oneOf and not. If no alternative matches, reports the errors of the closest one. */
function composition(schema: JsonSchema, value: unknown, path: string, check: Check): StatusCause[] {
  const { allOf = [], anyOf, oneOf, not } = schema
  const results = (alternatives: readonly JsonSchema[]) => alternatives.map((sub) => check(sub, value, path))
  const causes: StatusCause[] = []
  // The real server names no field here.
  const fail = (text: string) => causes.push(invalid('<nil>', '', `${JSON.stringify(path)} must ${text}`))
  if (anyOf) {
    const failures = results(anyOf)
    if (failures.every(isFailure)) {
      fail('validate at least one schema (anyOf)')
      addAll(causes, fewest(failures))
    }
  }
  if (oneOf) {
    const failures = results(oneOf)
    const valid = failures.filter((result) => !isFailure(result)).length
    if (valid === 0) {
      fail('validate one and only one schema (oneOf). Found none valid')
      addAll(causes, fewest(failures))
    } else if (valid > 1) fail(`validate one and only one schema (oneOf). Found ${valid} valid alternatives`)
  }
  const failures = results(allOf)
  if (failures.some(isFailure)) {
    fail('validate all the schemas (allOf)')
    addAll(causes, failures.flat())
  }
  if (not && check(not, value, path).length === 0) fail('not validate the schema (not)')
  return causes
}

const isFailure = (causes: readonly StatusCause[]) => causes.length > 0
const fewest = (results: readonly StatusCause[][]): StatusCause[] =>
  results.reduce((best, result) => (result.length < best.length ? result : best), results[0] ?? [])
