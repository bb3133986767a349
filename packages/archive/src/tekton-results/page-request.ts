import { isRecord } from '@slipway/kube/object'
import { parseJson } from '@slipway/kube/parse'
import type { PageQuery, Position } from '../store/pages'
import { RpcError } from './rpc-error'

/** Page size, order and position of a list. Source: tektoncd/results, pkg/api/server/v1alpha2/lister. */
export interface PageRequest {
  parent: string
  filter: string
  orderBy: string
  order: NonNullable<PageQuery['order']>
  pageSize: number
  after?: Position
}

const size = { default: 50, least: 5, most: 10_000 }
const fields = { create_time: 'created', update_time: 'updated' } as const
const orderPattern = /^([\w.]+)\s*(ASC|asc|DESC|desc)?$/
const format = 'the value must obey the format <create_time|update_time> [asc|desc]'

/** @param parent the parent in the path, which must match the page token @throws RpcError */
export function pageRequestOf(query: URLSearchParams, parent: string): PageRequest {
  const filter = query.get('filter')?.trim() ?? ''
  const order = orderOf(query.get('order_by')?.trim() ?? query.get('orderBy')?.trim() ?? '')
  const orderBy = `${order.by === 'created' ? 'create_time' : 'update_time'} ${order.direction.toUpperCase()}`
  const request = { parent, filter, orderBy, order, pageSize: pageSizeOf(query) }
  const token = query.get('page_token')?.trim() || query.get('pageToken')?.trim()
  return { ...request, ...(token && { after: positionOf(token, request) }) }
}

function pageSizeOf(query: URLSearchParams): number {
  const text = query.get('page_size') ?? query.get('pageSize') ?? ''
  const given = text === '' ? 0 : Number(text)
  if (!/^-?\d*$/.test(text)) {
    const detail = `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`
    throw new RpcError('InvalidArgument', `parsing field "page_size": ${detail}`)
  }
  if (given === 0) return size.default
  if (given < size.least || given > size.most) {
    const detail = `value must be greater than ${size.least} and less than ${size.most}`
    throw new RpcError('InvalidArgument', `invalid page size (${given}): ${detail}`)
  }
  return given
}

function orderOf(text: string): PageRequest['order'] {
  if (!text) return { by: 'created', direction: 'desc' }
  const [, field = '', direction = 'asc'] = orderPattern.exec(text) ?? []
  if (!field) throw new RpcError('InvalidArgument', `invalid order by statement:\n${format}`)
  const by = Object.entries(fields).find(([name]) => name === field)?.[1]
  if (!by) {
    throw new RpcError(
      'InvalidArgument',
      `${field}: field is unknown or cannot be used in the order by clause\n${format}`,
    )
  }
  return { by, direction: direction.toLowerCase() === 'desc' ? 'desc' : 'asc' }
}

type Fingerprint = Pick<PageRequest, 'parent' | 'filter' | 'orderBy'>

export const pageTokenOf = ({ parent, filter, orderBy }: Fingerprint, { atMs, id }: Position): string =>
  Buffer.from(JSON.stringify({ parent, filter, orderBy, atMs, id })).toString('base64url')

function positionOf(token: string, { parent, filter, orderBy }: Fingerprint): Position {
  const invalid = (detail: string) => new RpcError('InvalidArgument', `invalid page token: ${detail}`)
  const found = parsed(token)
  if (!found || !Number.isSafeInteger(found.atMs) || !Number.isSafeInteger(found.id)) {
    throw invalid('it could not be decoded')
  }
  if (found.parent !== parent) {
    throw invalid(
      `provided parent (${parent}) differs from the parent used in the previous query (${String(found.parent)})`,
    )
  }
  if (found.filter !== filter) {
    throw invalid(
      `the provided filter differs from the filter used in the previous query\nexpected: ${String(found.filter)}\ngot: ${filter}`,
    )
  }
  if (found.orderBy !== orderBy) {
    throw invalid(
      `the provided order by clause differs from the value passed in the previous query\nexpected: ${String(found.orderBy)}\ngot: ${orderBy}`,
    )
  }
  return { atMs: Number(found.atMs), id: Number(found.id) }
}

function parsed(token: string): Partial<Record<keyof Fingerprint | 'atMs' | 'id', unknown>> | undefined {
  const value = parseJson(Buffer.from(token, 'base64url').toString())
  return isRecord(value) ? value : undefined
}
