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

/** A selector that cannot be read; the message is the one a Kubernetes API server gives. */
export class SelectorSyntaxError extends Error {}

/** Does an object with these labels match? NotEquals and NotIn match a missing label too. */
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
        return isInteger(value) && Number(value) > Number(values[0])
      case 'LessThan':
        return isInteger(value) && Number(value) < Number(values[0])
    }
  })
}

const isInteger = (value: string | undefined): value is string => value !== undefined && /^[+-]?\d+$/.test(value)

const namePattern = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const prefixPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const valuePattern = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/

/** `name` or `dns.prefix/name`. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/')
  const prefix = key.slice(0, Math.max(0, slash))
  return namePattern.test(key.slice(slash + 1)) && (slash < 0 || (prefix.length <= 253 && prefixPattern.test(prefix)))
}
export const isLabelValue = (value: string): boolean => valuePattern.test(value)

/**
 * Reads a label selector: `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x,y)`, `a`, `!a`, `a>5`, `a<5`,
 * joined with commas. An empty text matches everything.
 * @throws SelectorSyntaxError
 */
export function parseLabelSelector(text: string): Requirement[] {
  const tokens = tokenize(text)
  const requirements: Requirement[] = []
  let at = 0
  const next = () => tokens[at++] ?? ''
  const fail = (found: string, expected: string): never => {
    throw new SelectorSyntaxError(`unable to parse requirement: found '${found}', expected: ${expected}`)
  }
  const word = (): string => {
    const token = next()
    return /^[(),!=<>]/.test(token) || token === '' ? fail(token, 'identifier') : token
  }
  while (at < tokens.length) {
    if (tokens[at] === '!') {
      at++
      requirements.push(checked({ key: word(), operator: 'DoesNotExist', values: [] }))
    } else {
      const key = word()
      requirements.push(checked(operatorAfter(key)))
    }
    if (at < tokens.length && next() !== ',') fail(tokens[at - 1] ?? '', "',' or 'end of string'")
    else if (at === tokens.length && tokens[at - 1] === ',') fail('', 'identifier after ,')
  }
  return requirements

  function operatorAfter(key: string): Requirement {
    const token = tokens[at]
    if (token === undefined || token === ',') return { key, operator: 'Exists', values: [] }
    at++
    if (token === '=' || token === '==') return { key, operator: 'Equals', values: [valueOf()] }
    if (token === '!=') return { key, operator: 'NotEquals', values: [valueOf()] }
    if (token === '>') return { key, operator: 'GreaterThan', values: [valueOf()] }
    if (token === '<') return { key, operator: 'LessThan', values: [valueOf()] }
    if (token === 'in') return { key, operator: 'In', values: setOf() }
    if (token === 'notin') return { key, operator: 'NotIn', values: setOf() }
    return fail(token, 'in, notin, =, ==, !=, gt, lt')
  }
  function valueOf(): string {
    const token = tokens[at]
    if (token === undefined || token === ',') return ''
    return word()
  }
  function setOf(): string[] {
    if (next() !== '(') fail(tokens[at - 1] ?? '', "'('")
    const values: string[] = []
    for (;;) {
      const token = tokens[at]
      if (token === undefined) fail('', "',' or ')'")
      if (token === ')' || token === ',') values.push('')
      else values.push(word())
      const separator = next()
      if (separator === ')') return values
      if (separator !== ',') fail(separator, "',' or ')'")
    }
  }
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement
  if (!isLabelKey(key)) {
    throw new SelectorSyntaxError(`unable to parse requirement: key: Invalid value: ${JSON.stringify(key)}`)
  }
  if (operator === 'GreaterThan' || operator === 'LessThan') {
    if (!isInteger(values[0])) {
      throw new SelectorSyntaxError(
        `unable to parse requirement: values[0]: Invalid value: ${JSON.stringify(values[0] ?? '')}: for 'Gt', 'Lt' operators, the value must be an integer`,
      )
    }
    return requirement
  }
  const bad = values.findIndex((value) => !isLabelValue(value))
  if (bad >= 0) {
    throw new SelectorSyntaxError(
      `unable to parse requirement: values[${bad}][${key}]: Invalid value: ${JSON.stringify(values[bad])}`,
    )
  }
  return requirement
}

const tokenize = (text: string): string[] => text.match(/==|!=|[=!<>(),]|[^\s=!<>(),]+/g) ?? []

/** A field selector: `metadata.name=x,metadata.namespace!=y`. Only `=`, `==` and `!=` exist. */
export interface FieldRequirement {
  field: string
  operator: 'Equals' | 'NotEquals'
  value: string
}

/** @throws SelectorSyntaxError */
export function parseFieldSelector(text: string): FieldRequirement[] {
  // A term ends at a comma without a backslash before it.
  const terms = text.match(/(?:\\.|[^\\,])+/gs) ?? []
  return terms
    .filter((term) => term.trim() !== '')
    .map((term) => {
      const match = /^([^=!]+?)(!=|==|=)(.*)$/s.exec(term.trim())
      if (!match) {
        throw new SelectorSyntaxError(`invalid selector: '${text}'; can't understand '${term}'`)
      }
      const [, field = '', operator, value = ''] = match
      const isNot = operator === '!='
      return { field: field.trim(), operator: isNot ? 'NotEquals' : 'Equals', value: value.replace(/\\(.)/gs, '$1') }
    })
}

/** Plain equality of every field, as `metadata.name=x` in the API. */
export const formatFieldSelector = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',')
