import { labelValueErrors, qualifiedNameErrors } from './label-syntax'

/** Label and field selectors. Source: Kubernetes documentation, "Labels and Selectors". */

export type SelectorOperator =
  'Equals' | 'NotEquals' | 'Exists' | 'DoesNotExist' | 'In' | 'NotIn' | 'GreaterThan' | 'LessThan'

export interface Requirement {
  key: string
  operator: SelectorOperator
  values: string[]
}

export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: SelectorOperator; values?: string[] }[]
}

/**
 * The selector as the API takes it: match labels sorted by key, then the expressions in their order.
 * `k=v`, `k!=v`, `k`, `!k`, `k in (a,b)`, `k notin (a,b)`, `k > v`, `k < v`.
 */
export function formatLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
  return [...labels, ...matchExpressions.map(formatExpression)].join(',')
}

function formatExpression({
  key,
  operator,
  values = [],
}: {
  key: string
  operator: SelectorOperator
  values?: string[]
}) {
  switch (operator) {
    case 'Equals':
      return `${key}=${values[0] ?? ''}`
    case 'NotEquals':
      return `${key}!=${values[0] ?? ''}`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'In':
      return `${key} in (${values.join(',')})`
    case 'NotIn':
      return `${key} notin (${values.join(',')})`
    case 'GreaterThan':
      return `${key} > ${values[0] ?? ''}`
    case 'LessThan':
      return `${key} < ${values[0] ?? ''}`
  }
}

/** A selector that cannot be parsed, with the message of a Kubernetes API server. */
export class SelectorSyntaxError extends Error {}

/** Whether an object with these labels matches. NotEquals and NotIn also match a missing label. */
export function matchesRequirements(labels: Record<string, string> | undefined, requirements: Requirement[]): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined
    switch (operator) {
      case 'Equals':
      case 'In':
        return value !== undefined && values.includes(value)
      case 'NotEquals':
      case 'NotIn':
        return value === undefined || !values.includes(value)
      case 'Exists':
        return value !== undefined
      case 'DoesNotExist':
        return value === undefined
      case 'GreaterThan':
      case 'LessThan': {
        const [number, limit] = [integerOf(value), integerOf(values[0])]
        if (number === undefined || limit === undefined) return false
        return operator === 'GreaterThan' ? number > limit : number < limit
      }
    }
  })
}

/** Labels are compared as 64-bit integers; `undefined` for anything else. */
function integerOf(text: string | undefined): bigint | undefined {
  const number = text !== undefined && /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined
  return number !== undefined && BigInt.asIntN(64, number) === number ? number : undefined
}

/**
 * Parses a label selector: `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x,y)`, `a`, `!a`, `a>5`, `a<5`,
 * joined with commas. An empty text matches everything. Source of the grammar and messages: k8s.io/apimachinery, labels.
 * @throws SelectorSyntaxError
 */
export function parseLabelSelector(text: string): Requirement[] {
  const tokens = tokenize(text)
  const requirements: Requirement[] = []
  let at = 0
  const peek = () => tokens[at] ?? ''
  const next = () => tokens[at++] ?? ''
  const isWord = (token: string) => token !== '' && !/^[(),!=<>]/.test(token)
  const fail = (message: string): never => {
    throw new SelectorSyntaxError(message)
  }
  // Kubernetes adds this prefix only to errors within a requirement.
  const failInside = (message: string): never => fail(`unable to parse requirement: ${message}`)

  if (peek() === '') return []
  if (!isWord(peek()) && peek() !== '!') fail(`found '${peek()}', expected: !, identifier, or 'end of string'`)
  for (;;) {
    requirements.push(requirement())
    const separator = next()
    if (separator === '') return requirements
    if (separator !== ',') fail(`found '${separator}', expected: ',' or 'end of string'`)
    if (!isWord(peek()) && peek() !== '!') fail(`found '${peek()}', expected: identifier after ','`)
  }

  function requirement(): Requirement {
    const isAbsence = peek() === '!'
    if (isAbsence) at++
    const key = next()
    if (!isWord(key)) failInside(`found '${key}', expected: identifier`)
    const errors = qualifiedNameErrors(key)
    if (errors.length > 0) failInside(`<nil>: ${invalidValue(key, errors)}`)
    if (isAbsence) return { key, operator: 'DoesNotExist', values: [] }
    if (peek() === '' || peek() === ',') return { key, operator: 'Exists', values: [] }
    const token = next()
    const operator = Object.hasOwn(operators, token) ? operators[token] : undefined
    if (!operator) return failInside(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`)
    const values = operator === 'In' || operator === 'NotIn' ? setOf() : [valueOf()]
    const valueErrors = valueErrorsOf({ key, operator, values })
    if (valueErrors.length > 0)
      failInside(valueErrors.length === 1 ? valueErrors.join() : `[${valueErrors.join(', ')}]`)
    return { key, operator, values }
  }

  function valueOf(): string {
    if (peek() === '' || peek() === ',') return ''
    const token = next()
    return isWord(token) ? token : failInside(`found '${token}', expected: identifier`)
  }

  /** As in Kubernetes: distinct values, sorted; nothing between two commas is the empty string. */
  function setOf(): string[] {
    const open = next()
    if (open !== '(') failInside(`found '${open}' expected: '('`)
    const first = peek()
    if (!isWord(first) && first !== ',' && first !== ')') {
      failInside(`found '${first}', expected: ',', ')' or identifier`)
    }
    const values = new Set<string>()
    for (;;) {
      const isValue = isWord(peek())
      values.add(isValue ? next() : '')
      const separator = next()
      if (separator === ')') return [...values].sort()
      if (separator !== ',')
        failInside(`found '${separator}', expected: ${isValue ? "',' or ')'" : "',', or identifier"}`)
    }
  }
}

const operators: Readonly<Record<string, SelectorOperator>> = {
  '=': 'Equals',
  '==': 'Equals',
  '!=': 'NotEquals',
  in: 'In',
  notin: 'NotIn',
  '>': 'GreaterThan',
  '<': 'LessThan',
}

const invalidValue = (value: string, errors: readonly string[]): string =>
  `Invalid value: ${JSON.stringify(value)}: ${errors.join('; ')}`

/** Errors of the values of a requirement. */
function valueErrorsOf({ key, operator, values }: Requirement): string[] {
  const isOrder = operator === 'GreaterThan' || operator === 'LessThan'
  const notNumbers = values.flatMap((value, index) =>
    isOrder && integerOf(value) === undefined
      ? [`values[${index}]: ${invalidValue(value, ["for 'Gt', 'Lt' operators, the value must be an integer"])}`]
      : [],
  )
  const notLabels = values.flatMap((value, index) => {
    const errors = labelValueErrors(value)
    return errors.length > 0 ? [`values[${index}][${key}]: ${invalidValue(value, errors)}`] : []
  })
  return [...notNumbers, ...notLabels]
}

const tokenize = (text: string): string[] => text.match(/==|!=|[=!<>(),]|[^ \t\r\n=!<>(),]+/g) ?? []

/** A field selector: `metadata.name=x,metadata.namespace!=y`. Only `=`, `==` and `!=` exist. */
export interface FieldRequirement {
  field: string
  operator: 'Equals' | 'NotEquals'
  value: string
}

/** Source of the messages: k8s.io/apimachinery, fields/selector.go. @throws SelectorSyntaxError */
export function parseFieldSelector(text: string): FieldRequirement[] {
  // A term ends at a comma that is not escaped by a backslash.
  const terms = text.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? []
  return terms.map((term) => {
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term)
    if (!match) throw new SelectorSyntaxError(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, field = '', operator, value = ''] = match
    return { field, operator: operator === '!=' ? 'NotEquals' : 'Equals', value: unescaped(value) }
  })
}

const unescaped = (value: string): string =>
  value.replace(/\\(.?)|=/gs, (found, escaped: string | undefined) => {
    if (found === '=') throw new SelectorSyntaxError('invalid field selector: unescaped character in value: 61')
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped
    throw new SelectorSyntaxError(`invalid field selector: invalid escape sequence: ${found}`)
  })

/** Formats equality of every field, such as `metadata.name=x`. */
export const formatFieldSelector = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',')
