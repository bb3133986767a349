import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isExpired, isNotFound } from '@slipway/kube/status'
import { queryOptions } from '@tanstack/react-query'
import { markDeleted, isMissing, originOf, markArchived } from './archive/origin'
import { client } from './client'
import { type ListScope, pageOf } from './list-pages'
import { isLive } from './live/live-state'
import { staleTimeMs } from './query-client'
import { shareObject, shareItems } from './structural-sharing'

export type Verb = 'list' | 'get' | 'count' | 'history'
export type ResourceKey = readonly [group: string, plural: string, namespace: string, verb: Verb, options: object]

/** What live updates need to know of a query; kept in its `meta`. */
export interface WatchTarget extends ListScope {
  type: ResourceType
  /** Whether the data is a list or the one object that the scope has. */
  target: 'list' | 'object'
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { watch?: WatchTarget }
  }
}

/** The keys of everything cached of a kind in a namespace, or of one verb of it. */
export const keyPrefix = (type: ResourceType, namespace = '', ...verb: [] | [Verb]) =>
  [type.group, type.plural, namespace, ...verb] as const

export const getKey = (type: ResourceType, namespace: string | undefined, name: string): ResourceKey =>
  keyOf(type, namespace, 'get', { name })

/** What archives keep of a kind: no write changes it. */
export const historyKey = (type: ResourceType, namespace: string, selection: object): ResourceKey =>
  keyOf(type, namespace, 'history', selection)

const keyOf = (type: ResourceType, namespace: string | undefined, verb: Verb, options: object): ResourceKey => [
  type.group,
  type.plural,
  namespace ?? '',
  verb,
  options,
]

export interface ListReading {
  live?: boolean
  staleMs?: number
  /** What has come is shown while the rest is on its way: the list has a `metadata.continue` until it is complete. */
  isGradual?: boolean
  /** Where the cluster does not know the list at all, and only then, it is read from the archive. */
  orArchive?: boolean
}

/**
 * All objects of a scope. While something on screen reads it, it is kept up to date by a watch, unless the kind
 * cannot be watched (`live: false`).
 */
export function listQuery<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, labels, fields, mask }: ListScope = {},
  { live = true, staleMs = staleTimeMs, orArchive = false, isGradual = false }: ListReading = {},
) {
  const scope: ListScope = { namespace, labels, fields, mask }
  return queryOptions({
    queryKey: keyOf(type, namespace, 'list', { labels, fields, mask }),
    queryFn: ({ signal, client: cache, queryKey }) =>
      listAll(type, scope, { signal, isGradual }, (part) => {
        // A complete list is never replaced by a part of the next one.
        if (isGradual && isIncomplete(cache.getQueryData<KubeList>(queryKey))) cache.setQueryData(queryKey, part)
      }).catch(async (missing: unknown) => {
        if (!orArchive || !namespace || !isNotFound(missing)) throw missing
        const { listFromArchive } = await import('./archive/archive')
        return listFromArchive(type, { namespace, labels }, { missing, signal })
      }),
    // What a watch keeps up to date is never stale, however long nothing has happened.
    staleTime: (query) => (isLive(query) ? Infinity : staleMs),
    structuralSharing: (previous, next) => shareItems(previous as KubeList<T> | undefined, next as KubeList<T>),
    meta: live ? { watch: { target: 'list', type, ...scope } } : {},
  })
}

export interface ObjectReading {
  /** While something on screen reads it, it is kept up to date by a watch, which takes the rights to list and watch. */
  live?: boolean
  staleMs?: number
  /** What the cluster no longer has, and only that, is looked for in the archive. */
  orArchive?: boolean
}

export function getQuery<T extends KubeObject>(
  type: ResourceType<T>,
  { namespace, name }: { namespace?: string; name: string },
  { live = false, staleMs = staleTimeMs, orArchive = false }: ObjectReading = {},
) {
  return queryOptions({
    queryKey: getKey(type, namespace, name),
    queryFn: ({ signal, client: cache, queryKey }) =>
      client
        .get(type, name, { namespace, signal })
        .catch(async (missing: unknown) => {
          if (!orArchive || !isNotFound(missing)) throw missing
          // On demand, since most screens never need it.
          const { fromArchive } = await import('./archive/archive')
          return markArchived(await fromArchive(type, { namespace, name }, { missing, signal }))
        })
        .catch((error: Error) => {
          // What was read before stays in sight, as what it is now.
          const { data, dataUpdatedAt: updatedAt } = cache.getQueryState<T>(queryKey) ?? {}
          if (data && !originOf(data) && isMissing(error))
            cache.setQueryData(queryKey, markDeleted(data), { updatedAt })
          throw error
        }),
    staleTime: (query) => (isLive(query) ? Infinity : staleMs),
    // What the cluster no longer has is another object than the same of the cluster, which could still change.
    structuralSharing: (previous, next) =>
      [previous, next].some((each) => each && originOf(each as T))
        ? next
        : shareObject(previous as T | undefined, next as T),
    meta: live ? { watch: { target: 'object', type, namespace, fields: { 'metadata.name': name } } } : {},
  })
}

/** How many objects of a kind a namespace has, without reading them. */
export function countQuery(type: ResourceType, { namespace }: { namespace?: string }) {
  return queryOptions({
    queryKey: keyOf(type, namespace, 'count', {}),
    queryFn: async ({ signal }) => {
      const { items, metadata } = await client.list(type, { namespace, limit: 1, mask: ['metadata.name'], signal })
      if (!metadata.continue) return items.length
      // A server may leave out how many more there are.
      if (metadata.remainingItemCount !== undefined) return items.length + metadata.remainingItemCount
      const scope: ListScope = { namespace, mask: ['metadata.name'] }
      return (await listAll(type, scope, { signal, isGradual: false }, () => undefined)).items.length
    },
  })
}

/**
 * The first page of a list, in the order of the cluster, which is by name: enough for a search that may not cost more.
 * With more objects than `limit` it has a `metadata.continue`. No watch keeps it up to date.
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

/** Whether there is more of a list than has come yet. */
export const isIncomplete = (list: KubeList | undefined): boolean => !list || Boolean(list.metadata.continue)

/**
 * Every page of a list. The pages are of one moment, that of the first one's resourceVersion.
 * @param onPart hears of what there is after each page but the last
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
  try {
    for (let { metadata } = first; metadata.continue;) {
      onPart({ ...first, metadata, items: [...items] })
      const next = await page(metadata.continue)
      items.push(...next.items)
      metadata = next.metadata
    }
  } catch (error) {
    // The server has forgotten the moment of the first page: what there is would be of two moments.
    if (isExpired(error) && mayRestart) return listAll(type, scope, { signal, isGradual }, onPart, false)
    throw error
  }
  return { ...first, metadata: { resourceVersion: first.metadata.resourceVersion }, items }
}
