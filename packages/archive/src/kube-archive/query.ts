import { parseLabelSelector, SelectorSyntaxError } from '@slipway/kube/parse-selector'
import { type Requirement } from '@slipway/kube/selector'
import type { PageQuery, Position, SqlTerm } from '../store/pages'

/** An invalid query; the message is for the client. */
export class QueryError extends Error {}

const limits = { default: '100', most: 1000 }

/** The filters of a list, among the objects of a path. @throws QueryError */
export function listRequestOf(query: URLSearchParams): Omit<PageQuery, 'scopes' | 'signal'> {
  const { labels, terms } = selectionOf(query.get('labelSelector') ?? '')
  const name = query.get('name') || undefined
  if (name?.includes('*')) terms.push(namedLike(name))
  const token = query.get('continue')
  const where = terms.length > 0 ? allOf(terms) : undefined
  const createdAfterMs = timeOf(query, 'creationTimestampAfter')
  const createdBeforeMs = timeOf(query, 'creationTimestampBefore')
  return {
    limit: limitOf(query),
    labels,
    ...(name && !name.includes('*') && { name }),
    ...(where && { where }),
    ...(createdAfterMs !== undefined && { createdAfterMs }),
    ...(createdBeforeMs !== undefined && { createdBeforeMs }),
    ...(token && { after: positionOf(token) }),
  }
}

const allOf = (terms: SqlTerm[]): SqlTerm => ({
  sql: terms.map(({ sql }) => `(${sql})`).join(' AND '),
  params: terms.flatMap(({ params }) => params),
})

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') || limits.default
  if (!/^[+-]?\d+$/.test(text)) throw new QueryError(`limit '${text}' could not be converted to integer`)
  const limit = Number(text)
  if (limit > limits.most) throw new QueryError(`limit '${text}' exceeds the maximum allowed '${limits.most}'`)
  if (limit < 1) throw new QueryError(`limit '${text}' is not a positive number`)
  return limit
}

/** Like the real token, it contains the id and creation time of the last object. */
export const continueTokenOf = ({ atMs, id }: Position): string =>
  Buffer.from(`${id} ${new Date(atMs).toISOString().replace('.000Z', 'Z')}`).toString('base64')

function positionOf(token: string): Position {
  const bytes = Buffer.from(token, 'base64')
  if (bytes.toString('base64') !== token) throw new QueryError('could not decode the continuation token')
  const [id = '', date = '', ...more] = bytes.toString().split(' ')
  if (!date || more.length > 0) {
    throw new QueryError('expected two elements on the continue token, received a different amount')
  }
  if (!/^\d{1,15}$/.test(id)) throw new QueryError('first element of the continue token is not a valid int64')
  const atMs = Date.parse(date)
  if (Number.isNaN(atMs)) {
    throw new QueryError(`second element of the continue token '${date}' does not match '2006-01-02T15:04:05Z07:00'`)
  }
  return { atMs, id: Number(id) }
}

function timeOf(query: URLSearchParams, key: string): number | undefined {
  const text = query.get(key)
  if (!text) return undefined
  const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(ms)) throw new QueryError(`invalid ${key} '${text}', expected format is RFC3339`)
  return ms
}

/** `*` matches any text; matching is case-insensitive. */
function namedLike(name: string): SqlTerm {
  const pattern = name.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')
  return { sql: "o.name LIKE ? ESCAPE '\\'", params: [pattern] }
}

function selectionOf(text: string): { labels: NonNullable<PageQuery['labels']>; terms: SqlTerm[] } {
  const labels: NonNullable<PageQuery['labels']> = []
  const terms: SqlTerm[] = []
  for (const requirement of requirementsOf(text)) {
    const { key, operator, values } = requirement
    if (operator === 'Equals' || operator === 'In') labels.push({ key, values: [...new Set(values)] })
    else terms.push(termOf(requirement))
  }
  return { labels, terms }
}

function requirementsOf(text: string): Requirement[] {
  try {
    return parseLabelSelector(text)
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw new QueryError(error.message)
    throw error
  }
}

function termOf({ key, operator, values }: Requirement): SqlTerm {
  const label = 'json_extract(o.json, ?)'
  const path = `$.metadata.labels."${key}"`
  switch (operator) {
    case 'Exists':
      return { sql: `${label} IS NOT NULL`, params: [path] }
    case 'DoesNotExist':
      return { sql: `${label} IS NULL`, params: [path] }
    case 'GreaterThan':
      return { sql: `number_of(${label}) > ?`, params: [path, Number(values[0])] }
    case 'LessThan':
      return { sql: `number_of(${label}) < ?`, params: [path, Number(values[0])] }
    default: {
      const places = values.map(() => '?').join(', ')
      return { sql: `coalesce(${label} NOT IN (${places}), TRUE)`, params: [path, ...values] }
    }
  }
}
