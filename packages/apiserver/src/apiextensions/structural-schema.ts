import { isSameJson } from '@slipway/kube/json'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { RE2JS } from 're2js'
import { celValue, compileRule, CostLimitError, maxObjectCost, type CompiledRule, type CostBudget } from './cel'
import { applyDefaults } from './defaults'
import { duplicate, forbidden, invalid, omitted, required } from '../field-error'
import { addAll, childPath } from './json'
import type { JsonSchema, ValidationRule } from './json-schema'
import { listKeyOf, oldOfItem, oldOfKey, schemaOfKey } from './old-value'
import { prune, unknownFields } from './prune'
import { SchemaError } from './schema-error'
import { typeName, validateValue } from './value'

/** A schema compiled for many objects. The object is a complete resource, with apiVersion, kind and metadata. */
export interface CompiledSchema {
  /** Removes unknown fields in place. */
  prune(object: object): void
  /** Paths that `prune` would remove: `spec.foo`, `spec.list[0].bar`, sorted, or the first of very many. */
  unknownFields(object: object): string[]
  /** Fills in defaults in place; a null that is not allowed counts as absent. */
  applyDefaults(object: object): void
  /**
   * @param old the stored object, on an update: unchanged fields are not reported (ratcheting), and CEL rules with
   * `oldSelf` are checked
   */
  validate(object: object, old?: object): StatusCause[]
}

/** @throws SchemaError if the schema has a pattern or rule that cannot be evaluated */
export function compileSchema(schema: JsonSchema): CompiledSchema {
  const patterns = new Map<JsonSchema, RE2JS>()
  const rules = new Map<JsonSchema, CompiledRule[]>()
  compileParts(schema, '', patterns, rules)
  const nodesWithRules = nodesAbove(schema, (node) => rules.has(node))
  const nodesWithStructure = nodesAbove(
    schema,
    (node) =>
      node['x-kubernetes-list-type'] === 'map' ||
      node['x-kubernetes-list-type'] === 'set' ||
      !!node['x-kubernetes-embedded-resource'],
  )

  return {
    prune: (object) => prune(schema, object),
    unknownFields: (object) => unknownFields(schema, object),
    applyDefaults: (object) => applyDefaults(schema, object),
    validate(object, old) {
      const reportable = (causes: StatusCause[]) =>
        old ? causes.filter((cause) => !isUnchanged(schema, object, old, cause)) : causes
      const causes = reportable([
        ...validateValue(schema, object, '', patterns),
        ...structureCauses(schema, object, ''),
      ])
      if (!causes.some(({ reason }) => preventsRules.has(reason ?? ''))) {
        return [...causes, ...reportable(ruleCauses(schema, object, old, '', { remaining: maxObjectCost }))]
      }
      return rules.size > 0 ? [...causes, rulesSkipped] : causes
    },
  }

  function structureCauses(node: JsonSchema, value: unknown, path: string): StatusCause[] {
    if (!nodesWithStructure.has(node)) return []
    if (Array.isArray(value)) {
      const { items } = node
      return [
        ...duplicates(node, value, path),
        ...(items ? value.flatMap((item, i) => structureCauses(items, item, `${path}[${i}]`)) : []),
      ]
    }
    if (!isRecord(value)) return []
    const causes = node['x-kubernetes-embedded-resource'] ? embeddedCauses(value, path) : []
    for (const key of Object.keys(value)) {
      const child = schemaOfKey(node, key)
      if (child) addAll(causes, structureCauses(child, value[key], childPath(path, key)))
    }
    return causes
  }

  function ruleCauses(node: JsonSchema, value: unknown, old: unknown, path: string, budget: CostBudget): StatusCause[] {
    if (!nodesWithRules.has(node)) return []
    const causes = brokenRules(rules.get(node) ?? [], node, value, old, path, budget)
    if (Array.isArray(value) && node.items) {
      const { items } = node
      value.forEach((item, i) =>
        addAll(causes, ruleCauses(items, item, oldOfItem(node, old, item), `${path}[${i}]`, budget)),
      )
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        const child = schemaOfKey(node, key)
        if (child) addAll(causes, ruleCauses(child, value[key], oldOfKey(old, key), childPath(path, key), budget))
      }
    }
    return causes
  }
}

/** Rules may rely on the schema, so they are not evaluated after such an error. Source: customresource/strategy.go. */
const preventsRules = new Set([
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
])
const rulesSkipped = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; ' +
    'correct the existing errors to complete validation',
)

/** Source: apiextensions-apiserver, schema/cel/validation.go. */
function brokenRules(
  compiled: readonly CompiledRule[],
  schema: JsonSchema,
  value: unknown,
  old: unknown,
  path: string,
  budget: CostBudget,
): StatusCause[] {
  const applied = compiled.filter(({ isTransition }) => !isTransition || old !== undefined)
  // The exhausted budget has already been reported.
  if (applied.length === 0 || budget.remaining < 0) return []
  const type = schema.type ?? typeName(value)
  const self = celValue(value, schema)
  const oldSelf = celValue(old, schema)
  const causes: StatusCause[] = []
  for (const { rule, holds, message } of applied) {
    // The real server names no field for a rule on the whole object.
    const at = childPath(path, rule.fieldPath?.replace(/^\./, '') ?? '') || '<nil>'
    const name = (rule.message || rule.rule).trim()
    let failure: string | undefined
    try {
      if (!holds(self, oldSelf, budget)) failure = message(self, oldSelf, budget)
    } catch (error) {
      if (error instanceof CostLimitError) {
        budget.remaining = -1
        const detail = 'no further validation rules will be run due to call cost exceeds limit'
        return [...causes, invalid(path || '<nil>', type, `'${error.message}': ${detail} for rule: ${name}`)]
      }
      const text = error instanceof Error ? error.message.split('\n')[0] : String(error)
      causes.push(invalid(at, type, `${text} evaluating rule: ${name}`))
    }
    if (budget.remaining < 0) {
      const detail = 'validation failed due to running out of cost budget, no further validation rules will be run'
      return [...causes, invalid(path || '<nil>', type, detail)]
    }
    if (failure !== undefined) {
      // Objects and lists are omitted from the message.
      const shown = type === 'object' || type === 'array' ? omitted : value
      causes.push(brokenRule(rule, at, shown, failure))
    }
  }
  return causes
}

function duplicates(schema: JsonSchema, list: readonly unknown[], path: string): StatusCause[] {
  const listType = schema['x-kubernetes-list-type']
  if (listType !== 'map' && listType !== 'set') return []
  const seen = new Set<string>()
  return list.flatMap((item, i) => {
    const identity = listType === 'map' ? listKeyOf(schema, item) : item
    const text = JSON.stringify(identity)
    if (seen.has(text)) return [duplicate(`${path}[${i}]`, identity)]
    seen.add(text)
    return []
  })
}

const embeddedCauses = (value: Record<string, unknown>, path: string): StatusCause[] =>
  ['apiVersion', 'kind']
    .filter((key) => typeof value[key] !== 'string' || value[key] === '')
    .map((key) => required(childPath(path, key), 'must not be empty'))

/** True if the field of a cause has the same value as in the stored object. */
function isUnchanged(schema: JsonSchema, value: unknown, old: unknown, { field = '' }: StatusCause): boolean {
  let node: JsonSchema | undefined = schema
  let now: unknown = value
  let before: unknown = old
  // A missing field counts as unchanged if its object is unchanged.
  for (const step of field.match(/\[\d+\]|[^.[\]]+/g) ?? []) {
    if (before === undefined || node === undefined) return false
    if (isSameJson(now, before)) return true
    if (step.startsWith('[')) {
      const item: unknown = Array.isArray(now) ? now[Number(step.slice(1, -1))] : undefined
      before = oldOfItem(node, before, item)
      now = item
      node = node.items
    } else {
      before = oldOfKey(before, step)
      now = oldOfKey(now, step)
      node = schemaOfKey(node, step)
    }
  }
  return now !== undefined && isSameJson(now, before)
}

function compileParts(
  schema: JsonSchema,
  path: string,
  patterns: Map<JsonSchema, RE2JS>,
  rules: Map<JsonSchema, CompiledRule[]>,
): void {
  const compiled = new Map<string, RE2JS>()
  let cost = 0
  const patternOf = (pattern: string, at: string): RE2JS => {
    let found = compiled.get(pattern)
    if (!found) {
      cost += patternCost(pattern)
      if (cost > maxPatternCost) throw new SchemaError(at, '', 'the patterns of the schema together are too long')
      compiled.set(pattern, (found = compilePattern(pattern, at)))
    }
    return found
  }
  forEachPart(schema, path, (node, at) => {
    if (node.properties && Object.hasOwn(node.properties, '__proto__')) {
      throw new SchemaError(`${at}properties`, '__proto__', 'must not be used as a property name')
    }
    if (node.pattern !== undefined) patterns.set(node, patternOf(node.pattern, `${at}pattern`))
    const validations = node['x-kubernetes-validations']
    if (validations?.length) {
      const compile = (rule: (typeof validations)[number], i: number) => compileOrThrow(rule, at, i)
      rules.set(node, validations.map(compile))
    }
  })
}

/** Total length of the distinct patterns of a schema, with repetition counts multiplied out. */
const maxPatternCost = 100_000

const patternCost = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)].reduce(
    (cost, [, least, most]) => cost * Math.max(1, Number(least), Number(most)),
    pattern.length,
  )

function compilePattern(pattern: string, path: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new SchemaError(path, pattern.slice(0, 1_000), `must be a valid regular expression, but isn't: ${text}`)
  }
}

/** Source: apiextensions-apiserver, schema/cel/validation.go, fieldErrorForReason. */
function brokenRule({ reason }: ValidationRule, at: string, value: unknown, failure: string): StatusCause {
  if (reason === 'FieldValueForbidden') return forbidden(at, failure)
  if (reason === 'FieldValueRequired') return required(at, failure)
  return reason === 'FieldValueDuplicate' ? duplicate(at, value) : invalid(at, value, failure)
}

/** A rule as the real server prints it, with the field names and order of the Go type. */
const printedRule = (rule: ValidationRule) => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
})

function compileOrThrow(rule: ValidationRule, at: string, i: number) {
  try {
    return compileRule(rule)
  } catch (error) {
    const text = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new SchemaError(
      `${at}x-kubernetes-validations[${i}].rule`,
      printedRule(rule),
      `compilation failed: ERROR: ${text}`,
    )
  }
}

/** Visits a schema and all schemas inside it. Paths end so that a field name can be appended. */
function forEachPart(schema: JsonSchema, path: string, visit: (node: JsonSchema, path: string) => void): void {
  visit(schema, path)
  for (const [key, child] of Object.entries(schema.properties ?? {})) {
    forEachPart(child, `${path}properties[${key}].`, visit)
  }
  if (schema.items) forEachPart(schema.items, `${path}items.`, visit)
  if (typeof schema.additionalProperties === 'object') {
    forEachPart(schema.additionalProperties, `${path}additionalProperties.`, visit)
  }
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    schema[name]?.forEach((child, i) => forEachPart(child, `${path}${name}[${i}].`, visit))
  }
  if (schema.not) forEachPart(schema.not, `${path}not.`, visit)
}

/** The nodes with a trait and all their ancestors, so that a walk can skip the rest. */
function nodesAbove(schema: JsonSchema, hasTrait: (node: JsonSchema) => boolean): Set<JsonSchema> {
  const found = new Set<JsonSchema>()
  const visit = (node: JsonSchema): boolean => {
    const children = [...Object.values(node.properties ?? {})]
    if (node.items) children.push(node.items)
    if (typeof node.additionalProperties === 'object') children.push(node.additionalProperties)
    const below = children.map(visit).some(Boolean)
    if (below || hasTrait(node)) found.add(node)
    return found.has(node)
  }
  visit(schema)
  return found
}
