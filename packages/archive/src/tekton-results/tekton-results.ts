import { ApiError } from '@slipway/kube/status'
import { clientMessageOf } from '@slipway/sqlite/errors'
import { AccessError, type Access, type AccessProblem } from '@slipway/kube/access'
import type { ArchivedKind } from '../kinds'
import { logOfTask, logResponse } from '../log-response'
import type { SqlTerm } from '../store/pages'
import type { ArchiveStore, ArchivedObject, Selection } from '../store/store'
import { fieldMaskOf, maskBelow, type FieldMask } from './fields'
import { FilterError, filterToSql, parseFilter } from './filter'
import { narrow } from './narrowing'
import { pageRequestOf, pageTokenOf } from './page-request'
import { RpcError } from './rpc-error'
import { recordView, resultView, type View } from './views'
import { dataTypeOf, recordOf, resultOf, taskNameOf } from './wire'

export interface TektonResultsOptions {
  store: ArchiveStore
  access: Access
  kinds: ArchivedKind[]
}

const pathPattern =
  /^\/apis\/results\.tekton\.dev\/(v1alpha[23])\/parents\/([^/]+)\/results(?:\/([^/]+)(?:\/(records|logs)(?:\/([^/]+))?)?)?$/
const namePattern = /^[a-z0-9_-]{1,63}$/
/** Number of records converted per turn of the event loop. */
const sliceLength = 100

/** The HTTP API of Tekton Results for the archived runs. */
export function createTektonResults({
  store,
  access,
  kinds,
}: TektonResultsOptions): (request: Request) => Promise<Response> {
  const types = kinds.filter(({ isRecord }) => isRecord).map(({ type }) => type)

  async function respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const [, , parent, result, collection, name] = pathPattern.exec(decoded(pathname)) ?? []
    if (!parent) throw new RpcError('NotFound', 'Not Found')
    if (request.method !== 'GET') throw new RpcError('Unimplemented', 'Method Not Allowed')
    for (const part of [parent, result, name]) {
      if (part !== undefined && !namePattern.test(part)) {
        throw new RpcError('InvalidArgument', `name must match ${namePattern.source}`)
      }
    }
    const verb = name !== undefined || (result !== undefined && !collection) ? 'get' : 'list'
    await assertAllowed(request.headers, parent, collection ?? 'results', verb)
    if (collection === 'logs') {
      if (!result || !name) throw new RpcError('Unimplemented', 'logs can be read one by one only')
      return logOf(parent, result, name)
    }
    const mask = fieldMaskOf(searchParams.get('fields'))
    if (!collection) {
      if (result !== undefined) return Response.json(resultOf(rootOf(parent, result), mask))
      return listResults(parent, searchParams, mask, request.signal)
    }
    if (result === undefined) throw new RpcError('NotFound', 'Not Found')
    if (name !== undefined) return Response.json(recordOf(recordAt(parent, result, name), mask))
    return listRecords(parent, result, searchParams, mask, request.signal)
  }

  /** Every failure is Unauthenticated, for an invalid token and for missing permissions. Source: auth/rbac.go. */
  async function assertAllowed(headers: Headers, parent: string, resource: string, verb: 'get' | 'list') {
    const namespace = verb === 'list' && parent === '-' ? '' : parent
    const isAllowed = await access
      .callerOf(headers)
      .then((caller) => access.isAllowed(caller, { group: 'results.tekton.dev', resource, verb, namespace }))
      .catch((error: unknown) => {
        if (error instanceof AccessError) throw new RpcError('Unauthenticated', problems[error.problem])
        if (error instanceof ApiError) throw new RpcError('Unavailable', error.message)
        throw error
      })
    if (!isAllowed) throw new RpcError('Unauthenticated', 'permission denied')
  }

  async function listRecords(
    parent: string,
    result: string,
    query: URLSearchParams,
    mask: FieldMask,
    signal: AbortSignal,
  ): Promise<Response> {
    const request = pageRequestOf(query, `${parent}/results/${result}`)
    const selection = selectionOf(request.filter, recordView, parent)
    const isElsewhere = result !== '-' && selection?.resultUid !== undefined && selection.resultUid !== result
    const { items, next } =
      !selection || isElsewhere
        ? { items: [] }
        : await store.page({
            ...selection,
            ...(result !== '-' && { resultUid: result }),
            order: request.order,
            limit: request.pageSize,
            after: request.after,
            signal,
          })
    const recordMask = maskBelow(mask, 'records')
    const records: unknown[] = []
    for (const [index, archived] of (recordMask ? items : []).entries()) {
      if (index % sliceLength === sliceLength - 1) await new Promise((resolve) => setImmediate(resolve))
      if (recordMask) records.push(recordOf(archived, recordMask))
    }
    return pageResponse('records', records, { mask, token: next && pageTokenOf(request, next) })
  }

  async function listResults(
    parent: string,
    query: URLSearchParams,
    mask: FieldMask,
    signal: AbortSignal,
  ): Promise<Response> {
    const request = pageRequestOf(query, parent)
    const selection = selectionOf(request.filter, resultView, parent)
    const isRoot: SqlTerm = { sql: 'o.result = o.uid', params: [] }
    const { items, next } = selection
      ? await store.page({
          ...selection,
          where: both(isRoot, selection.where),
          order: request.order,
          limit: request.pageSize,
          after: request.after,
          signal,
        })
      : { items: [] }
    const resultMask = maskBelow(mask, 'results')
    const results = resultMask ? items.map((item) => resultOf(item, resultMask)) : []
    return pageResponse('results', results, { mask, token: next && pageTokenOf(request, next) })
  }

  /** The selection of a filter under a parent; `undefined` if nothing can match. @throws FilterError */
  function selectionOf(filter: string, view: View, parent: string): Omit<Selection, 'limit'> | undefined {
    const ofParent = parent === '-' ? undefined : parent
    if (!filter) return { types, namespace: ofParent }
    const { rest, dataTypes, namespace = ofParent, ...narrowing } = narrow(parseFilter(filter, view), view)
    const wanted = types.filter((type) => dataTypes?.includes(dataTypeOf(type)) ?? true)
    const terms = rest.map((condition) => filterToSql(condition, view))
    if (wanted.length === 0 || (ofParent !== undefined && namespace !== ofParent)) return undefined
    const where = terms.reduce<SqlTerm | undefined>((all, term) => both(term, all), undefined)
    return { ...narrowing, types: wanted, namespace, ...(where && { where }) }
  }

  function recordAt(parent: string, result: string, uid: string): ArchivedObject {
    const archived = store.get(uid)
    const isRecord = archived && types.some((type) => dataTypeOf(type) === dataTypeOf(archived))
    if (!isRecord || archived.namespace !== parent || archived.resultUid !== result) {
      throw new RpcError('NotFound', 'record not found')
    }
    return archived
  }

  function rootOf(parent: string, uid: string): ArchivedObject {
    const archived = store.get(uid)
    const isRoot =
      archived && archived.resultUid === uid && types.some((type) => dataTypeOf(type) === dataTypeOf(archived))
    if (!isRoot || archived.namespace !== parent) throw new RpcError('NotFound', 'record not found')
    return archived
  }

  /** The log of a task, or those of all tasks of a pipeline, which its own pods do not have. */
  function logOf(parent: string, result: string, uid: string): Response {
    const record = recordAt(parent, result, uid)
    const podsOf = (owner: ArchivedObject) =>
      store.ownedBy(owner.uid).filter((owned) => store.logs.containers(owned.uid).length > 0)
    const pods = podsOf(record)
    if (pods.length > 0) return logResponse(withEnd(logOfTask(store, pods)))
    const tasks = store
      .ownedBy(record.uid)
      .map((task) => ({ task, pods: podsOf(task) }))
      .filter(({ pods }) => pods.length > 0)
    if (tasks.length === 0) throw new RpcError('NotFound', "Log doesn't exist")
    return logResponse(withEnd(logOfTasks(tasks)))
  }

  function* logOfTasks(tasks: { task: ArchivedObject; pods: ArchivedObject[] }[]): Generator<Uint8Array> {
    for (const { task, pods } of tasks) yield* logOfTask(store, pods, taskNameOf(task))
  }

  /** An empty line ends each log. */
  function* withEnd(log: Generator<Uint8Array>): Generator<Uint8Array> {
    yield* log
    yield Buffer.from('\n')
  }

  return async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      const isStream = /\/logs\/[^/]+$/.test(new URL(request.url).pathname)
      return rpcErrorOf(error).toResponse({ isStream })
    }
  }
}

/** Messages omit what is empty. */
const pageResponse = (
  name: string,
  items: unknown[],
  { mask, token }: { mask: FieldMask; token: string | undefined },
) =>
  Response.json({
    ...(items.length > 0 && { [name]: items }),
    ...(token && maskBelow(mask, 'next_page_token') && { next_page_token: token }),
  })

function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof FilterError) return new RpcError('InvalidArgument', error.message)
  return new RpcError('Internal', clientMessageOf(error))
}

const problems: Record<AccessProblem, string> = {
  'no token': 'unable to find token',
  'malformed header': 'permission denied',
  'bad token': 'permission denied',
  'no user': 'invalid impersonation data',
  'may not impersonate': 'permission denied: Unauthorized to impersonate',
}

const both = (term: SqlTerm, other: SqlTerm | undefined): SqlTerm =>
  other ? { sql: `(${term.sql}) AND (${other.sql})`, params: [...term.params, ...other.params] } : term

/** A path with invalid encoding matches nothing. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return ''
  }
}
