import { Environment, type ASTNode } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import type { SqlTerm } from '../store/pages'
import type { Variable, View } from './views'

/** An invalid filter; the message is for its author. */
export class FilterError extends Error {}

/** Part of an expression in SQL. `dyn` is a value from a document, whose type differs between rows. */
interface Sql extends SqlTerm {
  type: Variable['type'] | 'bool' | 'dyn' | 'list' | 'null'
  /** Path of a value in a document. */
  path?: string
}

/**
 * Translates a CEL expression into an SQL condition on objects. As in the real service, which also uses SQL, a missing
 * value is NULL: it neither equals nor differs from anything, and `contains` on a map searches its JSON text.
 * Source: tektoncd/results, pkg/api/server/cel2sql.
 * @throws FilterError
 */
export function filterToSql(ast: ASTNode, view: View): SqlTerm {
  const { sql, params } = asBool(translate(ast, view))
  return { sql, params }
}

const environments = new Map<View, Environment>()

/** @throws FilterError for invalid syntax, unknown names and expressions that are not conditions */
export function parseFilter(text: string, view: View): ASTNode {
  const environment = environments.get(view) ?? environmentOf(view)
  environments.set(view, environment)
  try {
    const { ast } = environment.parse(text)
    const { valid, type, error } = environment.check(text)
    if (!valid) throw error ?? new Error('not a valid expression')
    if (type !== 'bool' && type !== 'dyn') throw new Error(`expected boolean expression, but got ${type}`)
    return ast
  } catch (error) {
    throw new FilterError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function environmentOf({ variables, constants }: View): Environment {
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits: { maxAstNodes: 5_000 } })
  for (const [name, { type }] of Object.entries(variables)) {
    environment.registerVariable(
      name,
      type === 'string' ? 'string' : type === 'timestamp' ? 'google.protobuf.Timestamp' : 'dyn',
    )
  }
  for (const [name, value] of Object.entries(constants)) {
    if (typeof value === 'string') environment.registerConstant(name, 'string', value)
    else environment.registerConstant(name, 'int', BigInt(value))
  }
  return environment
}

const comparisons: Partial<Record<string, string>> = {
  '==': '=',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}
const arithmetic = new Set(['+', '-', '*', '/', '%'])

function translate(node: ASTNode, view: View): Sql {
  const of = (part: ASTNode) => translate(part, view)
  switch (node.op) {
    case 'value':
      return literal(node.args)
    case 'id':
      return named(node.args, view)
    case '.':
    case '[]':
      return member(node, view)
    case '!_':
      return { ...combine('NOT (?)', asBool(of(node.args))), type: 'bool' }
    case '-_':
      return { ...combine('-(?)', asNumber(of(node.args))), type: 'int' }
    case '&&':
    case '||':
      return {
        ...combine(node.op === '&&' ? '(? AND ?)' : '(? OR ?)', ...node.args.map((part) => asBool(of(part)))),
        type: 'bool',
      }
    case 'in':
      return isIn(of(node.args[0]), node.args[1], view)
    case 'rcall':
      assertMethod(node.args[0])
      return method(node.args[0], of(node.args[1]), node.args[2].map(of))
    case 'call':
      return call(node.args[0], node.args[1].map(of))
    default: {
      const operator = comparisons[node.op]
      if (operator && Array.isArray(node.args)) {
        const [left, right] = node.args as [ASTNode, ASTNode] // As in every comparison.
        return compare(of(left), operator, of(right))
      }
      if (arithmetic.has(node.op) && Array.isArray(node.args)) {
        const [left, right] = node.args as [ASTNode, ASTNode] // As in every sum.
        return calculate(of(left), node.op, of(right))
      }
      throw new FilterError(`unsupported CEL ${node.op} statement`)
    }
  }
}

function literal(value: unknown): Sql {
  if (value === null) return { sql: 'NULL', params: [], type: 'null' }
  if (typeof value === 'boolean') return { sql: value ? 'TRUE' : 'FALSE', params: [], type: 'bool' }
  if (typeof value === 'string') return { sql: '?', params: [value], type: 'string' }
  const number = Number(value)
  if (Number.isNaN(number)) throw new FilterError('unsupported CEL constant statement')
  return { sql: '?', params: [number], type: 'int' }
}

function named(name: string, { variables, constants }: View): Sql {
  const constant = Object.hasOwn(constants, name) ? constants[name] : undefined
  if (constant !== undefined) return literal(constant)
  const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
  if (!variable) throw new FilterError(`undeclared reference to '${name}'`)
  return { ...variable, ...(variable.type === 'json' && { path: '$' }) }
}

function member(node: ASTNode & { op: '.' | '[]' }, view: View): Sql {
  const target = node.args[0]
  const key = node.op === '.' ? node.args[1] : node.args[1].op === 'value' ? node.args[1].args : undefined
  if (target.op === 'id') {
    const members = view.variables[target.args]?.members
    if (members) {
      const found = typeof key === 'string' && Object.hasOwn(members, key) ? members[key] : undefined
      if (!found) throw new FilterError(`undefined field '${String(key)}'`)
      return { ...found, ...(found.type === 'json' && { path: '$' }) }
    }
  }
  const base = translate(target, view)
  if (base.path === undefined) throw new FilterError('unsupported CEL select statement')
  const path = pathAfter(base.path, key)
  // API servers accept no objects with names that SQLite paths cannot express.
  if (path === undefined || base.sql === 'NULL') return { sql: 'NULL', params: [], type: 'dyn', path: '$' }
  const known = target.op !== 'id' ? view.columns?.[path] : undefined
  if (known) return { sql: known, params: [], type: 'dyn' }
  if (base.type === 'json') {
    return { sql: `json_extract(${base.sql}, ?)`, params: [...base.params, path], type: 'dyn', path }
  }
  // One step further in the same document, whose path is the last parameter.
  return { sql: base.sql, params: [...base.params.slice(0, -1), path], type: 'dyn', path }
}

function pathAfter(path: string, key: unknown): string | undefined {
  if (typeof key === 'bigint' || typeof key === 'number') return `${path}[${Number(key)}]`
  if (typeof key !== 'string') throw new FilterError('unsupported CEL index statement')
  return /["\\\u0000-\u001f]/.test(key) ? undefined : `${path}."${key}"`
}

/** Replaces the question marks of a pattern with the parts. */
function combine(pattern: string, ...parts: SqlTerm[]): SqlTerm {
  const texts = pattern.split('?')
  return {
    sql: texts.map((text, index) => text + (index < texts.length - 1 ? (parts[index]?.sql ?? '') : '')).join(''),
    params: parts.flatMap(({ params }) => params),
  }
}

function asBool(part: Sql): SqlTerm {
  if (part.type === 'bool') return part
  if (part.type !== 'dyn') throw new FilterError(`expected boolean expression, but got ${part.type}`)
  const words = "(CASE CAST(? AS TEXT) WHEN 'true' THEN 1 WHEN '1' THEN 1 WHEN 'false' THEN 0 WHEN '0' THEN 0 END)"
  return combine(words, part)
}
const isText = ({ type }: Sql) => type === 'string' || type === 'dyn' || type === 'json'
function asText(part: Sql): SqlTerm {
  if (part.type === 'string') return part
  if (!isText(part)) throw new FilterError(`no such overload for ${part.type}`)
  return combine('CAST(? AS TEXT)', part)
}
function asNumber(part: Sql): SqlTerm {
  if (part.type === 'int') return part
  if (part.type !== 'dyn') throw new FilterError(`no such overload for ${part.type}`)
  return combine('number_of(?)', part)
}
function asTime(part: Sql): SqlTerm {
  if (part.type === 'timestamp') return part
  if (part.type !== 'string' && part.type !== 'dyn') throw new FilterError(`no such overload for ${part.type}`)
  return combine('ms_of(?)', part)
}

/** Converts both sides to the type that one of them certainly has. */
function coerced(left: Sql, right: Sql): [SqlTerm, SqlTerm] {
  const sure = [left.type, right.type].find((type) => type !== 'dyn' && type !== 'json') ?? 'string'
  const by = { string: asText, int: asNumber, timestamp: asTime, bool: asBool }[sure as string]
  if (!by) throw new FilterError(`no such overload for ${sure}`)
  return [by(left), by(right)]
}

function compare(left: Sql, operator: string, right: Sql): Sql {
  if (left.type === 'null' || right.type === 'null') {
    const other = left.type === 'null' ? right : left
    if (operator === '=') return { ...combine('(? IS NULL)', other), type: 'bool' }
    if (operator === '<>') return { ...combine('(? IS NOT NULL)', other), type: 'bool' }
  }
  return { ...combine(`(? ${operator} ?)`, ...coerced(left, right)), type: 'bool' }
}

function calculate(left: Sql, operator: string, right: Sql): Sql {
  if (operator === '+' && (left.type === 'string' || right.type === 'string')) {
    return { ...combine('(? || ?)', asText(left), asText(right)), type: 'string' }
  }
  return { ...combine(`(? ${operator} ?)`, asNumber(left), asNumber(right)), type: 'int' }
}

function isIn(value: Sql, list: ASTNode, view: View): Sql {
  if (list.op !== 'list') throw new FilterError('unsupported CEL in statement')
  if (list.args.length === 0) return { sql: 'FALSE', params: [], type: 'bool' }
  const items = list.args.map((item) => coerced(value, translate(item, view)))
  const [first] = items
  if (!first) throw new FilterError('unsupported CEL in statement')
  const places = items.map(() => '?').join(', ')
  return { ...combine(`(? IN (${places}))`, first[0], ...items.map(([, item]) => item)), type: 'bool' }
}

const dateParts: Partial<Record<string, [format: string, offset: number]>> = {
  getFullYear: ['%Y', 0],
  getMonth: ['%m', -1],
  getDate: ['%d', 0],
  getDayOfMonth: ['%d', -1],
  getDayOfWeek: ['%w', 0],
  getDayOfYear: ['%j', -1],
  getHours: ['%H', 0],
  getMinutes: ['%M', 0],
  getSeconds: ['%S', 0],
}

const textMethods = new Set(['contains', 'startsWith', 'endsWith', 'matches'])

/** Called before the arguments are translated, since those of a macro are not valid expressions by themselves. */
function assertMethod(name: string) {
  if (!textMethods.has(name) && !Object.hasOwn(dateParts, name)) throw unsupportedFunction(name)
}

const unsupportedFunction = (name: string) => new FilterError(`unsupported CEL \`${name}\` function statement`)

function method(name: string, target: Sql, args: Sql[]): Sql {
  const [argument, ...more] = args
  const part = dateParts[name]
  if (part && !argument) {
    const [format, offset] = part
    const pattern = `(CAST(strftime('${format}', ? / 1000, 'unixepoch') AS INTEGER) + ${offset})`
    return { ...combine(pattern, asTime(target)), type: 'int' }
  }
  if (!argument || more.length > 0) throw unsupportedFunction(name)
  const text = asText(target)
  const other = asText(argument)
  switch (name) {
    case 'contains':
      return { ...combine('(instr(?, ?) > 0)', text, other), type: 'bool' }
    case 'startsWith':
      return { ...combine('(substr(?, 1, length(?)) = ?)', text, other, other), type: 'bool' }
    case 'endsWith':
      return { ...combine("(? = '' OR substr(?, -length(?)) = ?)", other, text, other, other), type: 'bool' }
    case 'matches':
      if (argument.sql === '?') assertPattern(argument.params[0])
      return { ...combine('matches(?, ?)', text, other), type: 'bool' }
    default:
      throw unsupportedFunction(name)
  }
}

function assertPattern(pattern: unknown) {
  try {
    RE2JS.compile(String(pattern))
  } catch (error) {
    throw new FilterError(`invalid regular expression: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}

function call(name: string, [argument, ...more]: Sql[]): Sql {
  if (name !== 'timestamp' || !argument || more.length > 0) {
    throw unsupportedFunction(name)
  }
  if (argument.sql === '?' && Number.isNaN(Date.parse(String(argument.params[0])))) {
    throw new FilterError(`invalid timestamp: ${JSON.stringify(argument.params[0])}`)
  }
  return { ...asTime(argument), type: 'timestamp' }
}
