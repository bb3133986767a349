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
export function integerOf(text: string | undefined): bigint | undefined {
  const number = text !== undefined && /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined
  return number !== undefined && BigInt.asIntN(64, number) === number ? number : undefined
}

/** Formats equality of every field, such as `metadata.name=x`. */
export const formatFieldSelector = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([field, value]) => `${field}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',')
