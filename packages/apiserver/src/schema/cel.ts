import { Environment, type ASTNode } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import { isObject, ownValue } from './json'
import type { JsonSchema, ValidationRule } from './json-schema'

/** `x-kubernetes-validations`: rules in the Common Expression Language. */

export interface CompiledRule {
  rule: ValidationRule
  /** It compares with the stored object: checked on updates only. */
  isTransition: boolean
  /** @throws when the expression fails: a missing key, a number too large. */
  holds(self: unknown, oldSelf: unknown): boolean
  message(self: unknown, oldSelf: unknown): string
}

// Regular expressions come from users: RE2 takes linear time, the RegExp behind the library's `matches` does not.
const safeMatch = 'matchesInLinearTime'

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn')
  .registerFunction(`string.${safeMatch}(string): bool`, (text: string, pattern: string) =>
    RE2JS.compile(pattern).matcher(text).find(),
  )

/** @throws Error for an expression that has no meaning here: bad syntax, an unknown function, no boolean result */
export function compileRule(rule: ValidationRule): CompiledRule {
  const holds = compileExpression(rule.rule, 'bool')
  const message = rule.messageExpression ? compileExpression(rule.messageExpression, 'string') : undefined
  const fixedMessage = rule.message || `failed rule: ${rule.rule.trim()}`
  return {
    rule,
    isTransition: holds.names.has('oldSelf'),
    holds: (self, oldSelf) => holds.evaluate({ self, oldSelf }) === true,
    message(self, oldSelf) {
      try {
        const text = message?.evaluate({ self, oldSelf })
        return typeof text === 'string' && text.trim() !== '' ? text : fixedMessage
      } catch {
        return fixedMessage // as the real server does when the expression fails
      }
    },
  }
}

interface Expression {
  names: Set<string>
  evaluate(context: Record<string, unknown>): unknown
}

function compileExpression(source: string, resultType: 'bool' | 'string'): Expression {
  const first = traits(environment.parse(source).ast)
  // Last one first, so that the earlier positions still hold.
  const safe = first.matchesAfter
    .sort((a, b) => b - a)
    .reduce((text, after) => {
      const at = text.indexOf('matches', after)
      return `${text.slice(0, at)}${safeMatch}${text.slice(at + 'matches'.length)}`
    }, source)
  const parsed = environment.parse(safe)
  if (traits(parsed.ast).matchesAfter.length > 0) throw new Error("the call of 'matches' is not understood")
  const { valid, type, error } = environment.check(safe)
  if (!valid) throw error ?? new Error('not a valid expression')
  if (type !== resultType && type !== 'dyn') throw new Error(`must evaluate to a ${resultType}`)
  return { names: first.names, evaluate: (context) => parsed(context) as unknown }
}

/** The names an expression uses, and where the receiver of each call of `matches` ends. */
function traits(ast: ASTNode): { names: Set<string>; matchesAfter: number[] } {
  const names = new Set<string>()
  const matchesAfter: number[] = []
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(visit)
    if (!isNode(part)) return
    if (part.op === 'id') names.add(part.args)
    if (part.op === 'rcall' && part.args[0] === 'matches') matchesAfter.push(part.args[1].end)
    visit(part.args)
  }
  visit(ast)
  return { names, matchesAfter }
}

const isNode = (part: unknown): part is ASTNode =>
  typeof part === 'object' && part !== null && 'op' in part && 'args' in part

/** A value as rules see it: integers as CEL integers, times as timestamps, property names escaped. */
export function celValue(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value
  if (typeof value === 'string' && (schema?.format === 'date-time' || schema?.format === 'date')) {
    const time = new Date(value)
    return Number.isNaN(time.getTime()) ? value : time
  }
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const property = ownValue(schema?.properties, key)
    if (property) return [escapedName(key), celValue(item, property)]
    const others = schema?.additionalProperties
    return [key, celValue(item, typeof others === 'object' ? others : undefined)]
  })
  // A Map has no inherited names that a rule could reach.
  return new Map(entries)
}

const reserved = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void while`.split(
    ' ',
  ),
)

function escapedName(name: string): string {
  if (reserved.has(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}
