import { isRecord } from '@slipway/kube/object'
import { Environment, type ASTNode } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import { ownValue } from './json'
import type { JsonSchema, ValidationRule } from './json-schema'

/** `x-kubernetes-validations`: rules in the Common Expression Language. */

export interface CompiledRule {
  rule: ValidationRule
  /** Compares with the stored object, so it is checked only on updates. */
  isTransition: boolean
  /**
   * @throws CostLimitError if the expression alone exceeds the limit
   * @throws Error if the evaluation fails: a missing key, a number too large
   */
  holds(self: unknown, oldSelf: unknown, budget: CostBudget): boolean
  message(self: unknown, oldSelf: unknown, budget: CostBudget): string
}

/** Remaining steps for all rules of one object. Below zero, no further rule is evaluated. */
export interface CostBudget {
  remaining: number
}

/**
 * Maximum steps of one evaluation. Source: k8s.io/apiserver, apis/cel/config.go, PerCallLimit; a step takes about as
 * long there.
 */
const maxCallCost = 1_000_000

/**
 * Maximum steps of all rules of one object. The real server allows ten times as many, but handles requests in parallel;
 * here one thread serves all clients.
 */
export const maxObjectCost = 1_000_000

/** Characters of a string operation, or parts of a compared value, that count as one step. */
const partsPerStep = 10

/** The evaluation of an expression was stopped. */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
    this.name = 'CostLimitError'
  }
}

// Patterns come from users: RE2 runs in linear time, unlike the RegExp behind the library's `matches`.
const safeMatch = 'matchesInLinearTime'

const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
  .registerVariable('self', 'dyn')
  .registerVariable('oldSelf', 'dyn')
  .registerFunction(`string.${safeMatch}(string): bool`, (text: string, pattern: string) =>
    matchesWithin(text, pattern),
  )

/** @throws Error for an invalid expression: bad syntax, an unknown function, a result that is not boolean */
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
        return fixedMessage // As in the real server, if the expression fails.
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
  const understood = withoutIndexInHas(source)
  const first = traits(environment.parse(understood).ast)
  // From the last to the first, so that earlier positions stay valid.
  const safe = first.matchesAfter
    .sort((a, b) => b - a)
    .reduce((text, after) => {
      const at = text.indexOf('matches', after)
      return `${text.slice(0, at)}${safeMatch}${text.slice(at + 'matches'.length)}`
    }, understood)
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
        // Operators that treat errors as values may have swallowed it.
        if (meter.steps > maxCallCost) throw new CostLimitError()
      }
    },
  }
}

interface Meter {
  steps: number
}

/** The meter of the running evaluation, which the library does not pass to functions. */
let runningMeter: Meter = { steps: 0 }

/** Steps to compile one character of a pattern. */
const stepsPerPatternCharacter = 20

function matchesWithin(text: string, pattern: string): boolean {
  spend(runningMeter, pattern.length * stepsPerPatternCharacter)
  spend(runningMeter, text.length * Math.ceil(pattern.length / partsPerStep))
  return RE2JS.compile(pattern).matcher(text).find()
}

/** The library's undeclared method that evaluates a node. It can be replaced. */
interface Evaluable {
  evaluate(evaluator: unknown, node: unknown, context: unknown): unknown
}

/**
 * Counts the evaluations of every node and stops at the limit, which the library lacks. Operands of comparisons and
 * calls also count by their size.
 */
function meterNodes(part: unknown, meter: Meter, isOperand = false): void {
  if (Array.isArray(part)) return part.forEach((item) => meterNodes(item, meter, isOperand))
  if (!isNode(part)) return
  // The library's public types leave this method out.
  const node = part as unknown as Evaluable
  // On its first evaluation, a node replaces this method with a specialized one.
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
    if (isOperand) spend(meter, Math.ceil(sizeOf(value) / partsPerStep))
    return value
  }
  node.evaluate = metered
  meterNodes(part.args, meter, inspectsOperands(part))
}

function spend(meter: Meter, steps: number): void {
  meter.steps += steps
  if (meter.steps > maxCallCost) throw new CostLimitError()
}

const structural = new Set(['.', '.?', '[]', '[?]', '?:', '||', '&&', '!_', '-_', 'list', 'map', 'value', 'id'])
const macros = new Set(['has', 'all', 'exists', 'exists_one', 'map', 'filter', 'bind'])

const inspectsOperands = ({ op, args }: ASTNode): boolean =>
  op === 'call' || op === 'rcall' ? !macros.has(String(args[0])) : !structural.has(op)

/** Characters of a string, or number of parts of a value. Cached for lists and maps. */
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

/**
 * The library's `has` takes names joined by dots only, the real server's any operand: `has(self.rules[0].matches)`, as
 * in the definition of HTTPRoute. Such a call becomes `(self.rules[0][?"matches"].hasValue())`, which means the same.
 */
function withoutIndexInHas(source: string): string {
  const call = callOfHas(environment.parse(source).ast)
  if (!call) return source
  const operand = /^has\s*\(([^]*)\.\s*(\w+)\s*\)$/.exec(source.slice(call.start, call.end))
  if (!operand) throw new Error("the call of 'has' is not understood")
  const [, object = '', field = ''] = operand
  return withoutIndexInHas(`${source.slice(0, call.start)}(${object}[?"${field}"].hasValue())${source.slice(call.end)}`)
}

/** The first call of `has` that selects a field of something else than names joined by dots. */
function callOfHas(part: unknown): ASTNode | undefined {
  if (Array.isArray(part)) {
    for (const item of part) {
      const call = callOfHas(item)
      if (call) return call
    }
    return undefined
  }
  if (!isNode(part)) return undefined
  if (part.op === 'call' && part.args[0] === 'has') {
    const [operand] = part.args[1]
    if (operand?.op === '.' && !isPath(operand)) return part
  }
  return callOfHas(part.args)
}

const isPath = (node: ASTNode): boolean => node.op === 'id' || (node.op === '.' && isPath(node.args[0]))

/** The names used in an expression, and the end of the receiver of each call of `matches`. */
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

/** Converts a value for rules: integers to CEL integers, times to timestamps, with escaped property names. */
export function celValue(value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value
  if (typeof value === 'string' && (schema?.format === 'date-time' || schema?.format === 'date')) {
    const time = new Date(value)
    return Number.isNaN(time.getTime()) ? value : time
  }
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const property = ownValue(schema?.properties, key)
    if (property) return [escapeName(key), celValue(item, property)]
    const others = schema?.additionalProperties
    return [key, celValue(item, typeof others === 'object' ? others : undefined)]
  })
  // Unlike an object, a Map has no inherited names that a rule could read.
  return new Map(entries)
}

const reserved = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void while`.split(
    ' ',
  ),
)

function escapeName(name: string): string {
  if (reserved.has(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}
