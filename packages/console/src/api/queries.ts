import { uidOf, type KubeList, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isExpired, isNotFound } from '@slipway/kube/status'
import { queryOptions } from '@tanstack/react-query'
import { requireAccess } from './access/access'
import { markDeleted, isMissing, originOf } from './archive/origin'
import { client } from './client'
import { type ListScope, pageOf } from './list-pages'
import { isLive } from './live/live-state'
import { staleTimeMs } from './query-client'
import { shareObject, shareItems } from './structural-sharing'

export type Verb = 'list' | 'get' | 'count' | 'history'
export type ResourceKey = readonly [group: string, plural: string, namespace: string, verb: Verb, options: object]

/** What live updates need to know about a query; stored in its `meta`. */
export interface WatchTarget extends ListScope {
  type: ResourceType
  /** Whether the data is a list or the only object in the scope. */
  target: 'list' | 'object'
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { watch?: WatchTarget }
  }
}

/** Prefix of the keys of all queries of a kind in a namespace, or of those with one verb. */
export const keyPrefix = (type: ResourceType, namespace = '', ...verb: [] | [Verb]) =>
  [type.group, type.plural, namespace, ...verb] as const

export const getKey = (type: ResourceType, namespace: string | undefined, name: string): ResourceKey =>
  keyOf(type, namespace, 'get', { name })

/** Key of the archived objects of a kind, which no write changes. */
export const historyKey = (type: ResourceType, namespace: string, selection: object): ResourceKey =>
  keyOf(type, namespace, 'history', selection)

const keyOf = (type: ResourceType, namespace: string | undefined, verb: Verb, options: object): ResourceKey => [
  type.group,
  type.plural,
  namespace ?? '',
  verb,
  options,
]

export interface ListQueryOptions {
  live?: boolean
  staleMs?: number
  /**
   * Never requests what the user may not list, for kinds that most users may not read: a request that is denied would
   * repeat all reviews of the namespace. The error is then the same 403 (`requireAccess`).
   */
  isReviewed?: boolean
  /** Show loaded pages while the rest is loading: the list has a `metadata.continue` until it is complete. */
  isGradual?: boolean
  /** Reads the list from elsewhere if, and only if, the cluster responds with a 404. */
  whenMissing?: ReadMissingList
}

/** @throws `missing`, the error of the cluster, if the list is not known here either */
export type ReadMissingList = <T extends KubeObject>(
  type: ResourceType<T>,
  scope: { namespace: string; labels?: ListScope['labels'] },
  request: { missing: unknown; signal: AbortSignal; mask?: ListScope['mask'] },
) => Promise<KubeList<T>>

/**
 * All objects of a scope. A watch keeps the list up to date while something on screen uses it, unless the kind cannot
 * be watched (`live: false`).
 */
export function listQuery<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, labels, fields, mask }: ListScope = {},
  { live = true, staleMs = staleTimeMs, whenMissing, isGradual = false, isReviewed = false }: ListQueryOptions = {},
) {
  const scope: ListScope = { namespace, labels, fields, mask }
  return queryOptions({
    queryKey: keyOf(type, namespace, 'list', { labels, fields, mask }),
    queryFn: async ({ signal, client: cache, queryKey }) => {
      if (isReviewed) await requireAccess([{ verb: 'list', type, namespace }])
      return listAll(type, scope, { signal, isGradual }, (part) => {
        // Never replace a complete list by a part of the next one.
        if (isGradual && isIncomplete(cache.getQueryData<KubeList>(queryKey))) cache.setQueryData(queryKey, part)
      }).catch((missing: unknown) => {
        if (!whenMissing || !namespace || !isNotFound(missing)) throw missing
        return whenMissing(type, { namespace, labels }, { missing, signal, mask })
      })
    },
    // A list with an open watch is never stale, however long nothing has changed.
    staleTime: (query) => (isLive(query) ? Infinity : staleMs),
    structuralSharing: (previous, next) => shareItems(previous as KubeList<T> | undefined, next as KubeList<T>),
    meta: live ? { watch: { target: 'list', type, ...scope } } : {},
  })
}

export interface GetQueryOptions {
  /** Watch the object while something on screen uses it, for which the user needs permission to list and watch. */
  live?: boolean
  staleMs?: number
  /** Looks for the object elsewhere if, and only if, the cluster responds with a 404. */
  whenMissing?: ReadMissingObject
}

/** @throws `missing`, the error of the cluster, if the object is not known here either */
export type ReadMissingObject = <T extends KubeObject>(
  type: ResourceType<T>,
  ref: { namespace?: string; name: string },
  request: { missing: unknown; signal: AbortSignal },
) => Promise<T>

export function getQuery<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, name }: { namespace?: string; name: string },
  { live = false, staleMs = staleTimeMs, whenMissing }: GetQueryOptions = {},
) {
  return queryOptions({
    queryKey: getKey(type, namespace, name),
    queryFn: ({ signal, client: cache, queryKey }) =>
      client
        .get(type, name, { namespace, signal })
        .catch((missing: unknown) => {
          if (!whenMissing || !isNotFound(missing)) throw missing
          return whenMissing(type, { namespace, name }, { missing, signal })
        })
        .catch((error: Error) => {
          // Keep showing what was read before, marked as deleted.
          const { data, dataUpdatedAt: updatedAt } = cache.getQueryState<T>(queryKey) ?? {}
          if (data && !originOf(data) && isMissing(error))
            cache.setQueryData(queryKey, markDeleted(data), { updatedAt })
          throw error
        }),
    staleTime: (query) => (isLive(query) ? Infinity : staleMs),
    // Marks of origin belong to one object in memory, so a live object and its archived or deleted copy are not shared.
    structuralSharing: (previous, next) =>
      [previous, next].some((each) => each && originOf(each as T))
        ? next
        : shareObject(previous as T | undefined, next as T),
    meta: live ? { watch: { target: 'object', type, namespace, fields: { 'metadata.name': name } } } : {},
  })
}

/** Counts the objects of a kind in a namespace without reading them. */
export function countQuery(type: ResourceType, { namespace }: { namespace?: string }) {
  return queryOptions({
    queryKey: keyOf(type, namespace, 'count', {}),
    queryFn: async ({ signal }) => {
      const { items, metadata } = await client.list(type, { namespace, limit: 1, mask: ['metadata.name'], signal })
      if (!metadata.continue) return items.length
      // A server may omit the number of remaining objects.
      if (metadata.remainingItemCount !== undefined) return items.length + metadata.remainingItemCount
      const scope: ListScope = { namespace, mask: ['metadata.name'] }
      return (await listAll(type, scope, { signal, isGradual: false }, () => undefined)).items.length
    },
  })
}

/**
 * The first page of a list in the cluster's order, which is by name: enough for a search that must stay cheap. It has a
 * `metadata.continue` if there are more objects than `limit`. No watch keeps it up to date.
 */
export function firstPageQuery<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, labels, mask }: ListScope,
  limit: number,
) {
  return queryOptions({
    queryKey: keyOf(type, namespace, 'list', { labels, mask, limit }),
    queryFn: ({ signal }) =>
      client.list(type, { namespace, labels: labels && { matchLabels: labels }, mask, limit, signal }),
  })
}

/** Whether a list has more pages than have been loaded. */
export const isIncomplete = (list: KubeList | undefined): boolean => !list || Boolean(list.metadata.continue)

/**
 * Reads every page of a list. All pages of a group show the state at the resourceVersion of its first page.
 * @param onPart called with the list so far after each page but the last
 */
async function listAll<T extends KubeObject>(
  type: ResourceType<T>,
  scope: ListScope,
  { signal, isGradual }: { signal: AbortSignal; isGradual: boolean },
  onPart: (part: KubeList<T>) => void,
  mayRestart = true,
): Promise<KubeList<T>> {
  const page = (token?: string) => client.list(type, { ...pageOf(scope, { token, isGradual }), signal })
  const first = await page()
  const items = [...first.items]
  let { resourceVersions } = first.metadata
  try {
    for (let { metadata } = first; metadata.continue;) {
      onPart({ ...first, metadata, items: [...items] })
      const next = await page(metadata.continue)
      items.push(...next.items)
      metadata = next.metadata
      if (resourceVersions) resourceVersions = { ...resourceVersions, ...metadata.resourceVersions }
    }
  } catch (error) {
    // The server no longer has the state that the first page showed: continuing would mix two states.
    if (isExpired(error) && mayRestart) return listAll(type, scope, { signal, isGradual }, onPart, false)
    throw error
  }
  if (resourceVersions) return { ...first, metadata: { resourceVersions }, items: uniqueByUid(items) }
  return { ...first, metadata: { resourceVersion: first.metadata.resourceVersion }, items }
}

/** Two groups may serve the same object: it is kept as the first of them has it. */
function uniqueByUid<T extends KubeObject>(items: readonly T[]): T[] {
  const seen = new Set<string>()
  return items.filter((item) => !seen.has(uidOf(item)) && seen.add(uidOf(item)))
}
