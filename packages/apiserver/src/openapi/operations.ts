import type { Verb } from '@slipway/kube/api-request'
import { resourcePath } from '@slipway/kube/path'
import type { ResourceInfo, Subresource } from '../resource'
import type { GroupVersionKind } from '../apiextensions/json-schema'

/** The operations of a kind, for both versions of the document. */

export type OpenApiKind = Pick<ResourceInfo, 'type' | 'schema' | 'verbs' | 'hasStatus' | 'isCustom' | 'subresources'>

export interface Operation {
  path: string
  method: 'get' | 'put' | 'post' | 'delete' | 'patch'
  /** Value of `x-kubernetes-action`. */
  action: string
  id: string
  query: readonly string[]
  /** Kind of the request and response bodies; a subresource may have a different one. */
  gvk: GroupVersionKind
  response: 'object' | 'list' | 'status' | 'text'
  hasBody: boolean
}

export const gvkOf = ({ type }: Pick<Subresource, 'type'>): GroupVersionKind => {
  const { group, version, kind } = type
  return { group, version, kind }
}

/** A kind with its schema, including kinds of subresources. */
export type Described = Pick<OpenApiKind, 'schema' | 'isCustom'> & { gvk: GroupVersionKind }

export const describedBy = (kind: OpenApiKind): Described[] => [
  { gvk: gvkOf(kind), schema: kind.schema, isCustom: kind.isCustom },
  ...(kind.subresources ?? []).flatMap((subresource) =>
    subresource.schema ? [{ gvk: gvkOf(subresource), schema: subresource.schema, isCustom: kind.isCustom }] : [],
  ),
]

const listQuery = [
  ...['labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersion', 'resourceVersionMatch', 'watch'],
  ...['timeoutSeconds', 'allowWatchBookmarks'],
]
// Clients detect support for field validation and dry runs by these parameters of PATCH operations.
const writeQuery = ['dryRun', 'fieldManager', 'fieldValidation']

export function operationsOf(kind: OpenApiKind): Operation[] {
  const { type, verbs, hasStatus } = kind
  const collection = resourcePath(type, { namespace: '{namespace}' }).replace('%7Bnamespace%7D', '{namespace}')
  const item = `${collection}/{name}`
  const operation = (
    verb: (typeof verbs)[number],
    path: string,
    rest: Omit<Operation, 'path' | 'id' | 'hasBody' | 'action' | 'response' | 'gvk'> &
      Partial<Pick<Operation, 'action' | 'response' | 'gvk'>>,
    subresource = '',
    served: readonly Verb[] = verbs,
  ): Operation[] => {
    if (!served.includes(verb)) return []
    const { method, action = rest.method } = rest
    const hasBody = method === 'put' || method === 'post' || method === 'patch'
    const id = operationId(kind, verb, subresource)
    return [{ response: 'object', gvk: gvkOf(kind), ...rest, action, path, hasBody, id }]
  }
  const onItem = (path: string, subresource = '') => [
    ...operation('get', path, { method: 'get', query: [] }, subresource),
    ...operation('update', path, { method: 'put', query: writeQuery }, subresource),
    ...operation('patch', path, { method: 'patch', query: [...writeQuery, 'force'] }, subresource),
  ]
  const onSubresource = ({ name, type, verbs: served, query = [], schema }: Subresource) => {
    const path = `${item}/${name}`
    const rest = { gvk: gvkOf({ type }), response: schema ? ('object' as const) : ('text' as const) }
    return [
      ...operation('get', path, { ...rest, method: 'get', query }, pascal(name), served),
      ...operation('create', path, { ...rest, method: 'post', query: [...writeQuery, ...query] }, pascal(name), served),
    ]
  }
  return [
    ...operation('list', collection, { method: 'get', action: 'list', query: listQuery, response: 'list' }),
    ...operation('create', collection, { method: 'post', query: writeQuery }),
    ...operation('deletecollection', collection, {
      method: 'delete',
      action: 'deletecollection',
      query: ['dryRun', ...listQuery.slice(0, 4), 'propagationPolicy'],
      response: 'status',
    }),
    ...onItem(item),
    ...operation('delete', item, { method: 'delete', query: ['dryRun', 'propagationPolicy'], response: 'status' }),
    ...(hasStatus ? onItem(`${item}/status`, 'Status') : []),
    ...(kind.subresources ?? []).flatMap(onSubresource),
  ]
}

/** Parameter names in the path of an operation, in order. */
export const pathParameters = ({ path }: Operation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const operationPrefix: Readonly<Record<string, string>> = { update: 'replace', get: 'read', deletecollection: 'delete' }

function operationId({ type }: OpenApiKind, verb: string, subresource: string): string {
  const prefix = operationPrefix[verb] ?? verb
  const group = type.group ? pascal(type.group.replace(/\.k8s\.io$/, '')) : 'Core'
  const collection = verb === 'deletecollection' ? 'Collection' : ''
  const scope = type.namespaced ? 'Namespaced' : ''
  return `${prefix}${group}${pascal(type.version)}${collection}${scope}${type.kind}${subresource}`
}

const pascal = (text: string): string =>
  text.replaceAll(/(^|[^a-zA-Z0-9])([a-zA-Z0-9])/g, (_, _dot, c) => c.toUpperCase())
