import { labelValueErrors, qualifiedNameErrors } from './label-syntax'
import { integerOf, type Requirement, type SelectorOperator } from './selector'

/** The way from the text of a selector to its requirements: for servers, and so not a part of what a client loads. */

/** A selector that cannot be parsed, with the message of a Kubernetes API server. */
export class SelectorSyntaxError extends Error {}

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
