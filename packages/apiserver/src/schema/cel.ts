import { Environment, type ASTNode } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import { isObject, ownValue } from './json'
import type { JsonSchema, ValidationRule } from './json-schema'

/** `x-kubernetes-validations`: rules in the Common Expression Language. */

export interface CompiledRule {
  rule: ValidationRule
  /** It compares with the stored object: checked on updates only. */
  isTransition: boolean
  /**
   * @throws CostLimitError when the expression alone costs too much
   * @throws Error when the expression fails: a missing key, a number too large
   */
  holds(self: unknown, oldSelf: unknown, budget: CostBudget): boolean
  message(self: unknown, oldSelf: unknown, budget: CostBudget): string
}

/** What all rules of one object may still cost, in steps; below zero, no further rule is evaluated. */
export interface CostBudget {
  remaining: number
}

/**
 * Steps of one evaluation. Source: k8s.io/apiserver, apis/cel/config.go, PerCallLimit; a step here takes about as long
 * as there.
 */
const maxCallCost = 1_000_000

/**
 * Steps of all rules of one object. The real server has ten times as much, and a thread for each request: here one
 * thread serves every client.
 */
export const maxObjectCost = 1_000_000

/** Characters that an operation on texts, and parts of a value that a comparison looks at for one step. */
const partsPerStep = 10

/** An expression that was stopped. */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
    this.name = 'CostLimitError'
  }
}

// Regular expressions come from users: RE2 takes linear time, the RegExp behind the library's `matches` does not.
const safeMatch = 'matchesInLinearTime'

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn')
  .registerFunction(`string.${safeMatch}(string): bool`, (text: string, pattern: string) =>
    matchesWithin(text, pattern),
  )

/** @throws Error for an expression that has no meaning here: bad syntax, an unknown function, no boolean result */
export function compileRule(rule: ValidationRule): CompiledRule {
  const holds = compileExpression(rule.rule, 'bool')
  const message = rule.messageExpression ? compileExpression(rule.messageExpression, 'string') : undefined
  const fixedMessage = rule.message || `failed rule: ${rule.rule.trim()}`
  return {
    rule,
    isTransition: holds.names.has('oldSelf'),
    holds: (self, oldSelf, budget) => holds.evaluate({ self, oldSelf }, budget) === true,
    message(self, oldSelf, budget) {
      try {
        const text = message?.evaluate({ self, oldSelf }, budget)
        return typeof text === 'string' && text.trim() !== '' ? text : fixedMessage
      } catch {
        return fixedMessage // as the real server does when the expression fails
      }
    },
  }
}

interface Expression {
  names: Set<string>
  /** @throws CostLimitError */
  evaluate(context: Record<string, unknown>, budget: CostBudget): unknown
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
  const meter = { steps: 0 }
  meterNodes(parsed.ast, meter)
  return {
    names: first.names,
    evaluate(context, budget) {
      meter.steps = 0
      runningMeter = meter
      try {
        return parsed(context) as unknown
      } finally {
        budget.remaining -= meter.steps
        // Operators that take errors for values may have swallowed it.
        if (meter.steps > maxCallCost) throw new CostLimitError()
      }
    },
  }
}

interface Meter {
  steps: number
}

/** Of the evaluation that is running: functions are not handed one. */
let runningMeter: Meter = { steps: 0 }

/** Steps of compiling a character of a pattern, and of matching a text against it. */
const stepsPerPatternCharacter = 20

function matchesWithin(text: string, pattern: string): boolean {
  spend(runningMeter, pattern.length * stepsPerPatternCharacter)
  spend(runningMeter, text.length * Math.ceil(pattern.length / partsPerStep))
  return RE2JS.compile(pattern).matcher(text).find()
}

/** What the library has on each node and does not declare: it is how a node is evaluated, and may be replaced. */
interface Evaluable {
  evaluate(evaluator: unknown, node: unknown, context: unknown): unknown
}

/**
 * Makes every evaluation of every node count, and stop once there have been too many. The library has no such limit.
 * Texts and values count by their size where an operation looks into them: below comparisons and calls.
 */
function meterNodes(part: unknown, meter: Meter, isLookedInto = false): void {
  if (Array.isArray(part)) return part.forEach((item) => meterNodes(item, meter, isLookedInto))
  if (!isNode(part)) return
  const node = part as unknown as Evaluable
  // A node finds out at its first evaluation how it is evaluated, and keeps that in place of the method.
  let evaluate: Evaluable['evaluate'] | undefined
  const metered: Evaluable['evaluate'] = (evaluator, itself, context) => {
    spend(meter, 1)
    let value: unknown
    if (evaluate) value = evaluate.call(node, evaluator, itself, context)
    else {
      Reflect.deleteProperty(node, 'evaluate')
      value = node.evaluate(evaluator, itself, context)
      if (Object.hasOwn(node, 'evaluate')) evaluate = node.evaluate
      node.evaluate = metered
    }
    if (isLookedInto) spend(meter, Math.ceil(sizeOf(value) / partsPerStep))
    return value
  }
  node.evaluate = metered
  meterNodes(part.args, meter, looksInto(part))
}

function spend(meter: Meter, steps: number): void {
  meter.steps += steps
  if (meter.steps > maxCallCost) throw new CostLimitError()
}

const structural = new Set(['.', '.?', '[]', '[?]', '?:', '||', '&&', '!_', '-_', 'list', 'map', 'value', 'id'])
const macros = new Set(['has', 'all', 'exists', 'exists_one', 'map', 'filter', 'bind'])

const looksInto = ({ op, args }: ASTNode): boolean =>
  op === 'call' || op === 'rcall' ? !macros.has(String(args[0])) : !structural.has(op)

/** Characters of a text and all parts of a value, known of each list and map from the first time on. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (value instanceof Uint8Array) return value.length
  if (typeof value !== 'object' || value === null) return 1
  let size = sizes.get(value)
  if (size === undefined) {
    size = 1
    const parts = Array.isArray(value) ? value : value instanceof Map ? value.entries() : []
    for (const item of parts) size += sizeOf(item)
    sizes.set(value, size)
  }
  return size
}

const sizes = new WeakMap<object, number>()

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
