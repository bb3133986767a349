import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useFold } from '../../lib/use-fold'
import { readInTurn } from '../live/turns'
import { historyKey } from '../queries'
import { concatenate, objectRows, type Source } from '../source'
import { archivePage, type Archived } from './archive'
import { kubeArchiveProbe } from './installed'

/** All archived objects of a namespace, newest first: each fetch adds a page, until there are no more. */
export const archivedPagesQuery = <T extends KubeObject>(
  type: ResourceType<T>,
  namespace: string,
  mask: readonly FieldPath[],
) =>
  queryOptions({
    queryKey: historyKey(type, namespace, { mask, isPaged: true }),
    queryFn: async ({ signal, client, queryKey }): Promise<Archived<T>> => {
      const before = client.getQueryData<Archived<T>>(queryKey)
      if (before && !before.next) return before
      const page = await readInTurn(client.getQueryCache().find({ queryKey }) ?? queryKey, signal, (signal) =>
        archivePage(type, { namespace }, { position: before?.next, signal, mask }),
      )
      return { ...page, items: [...(before?.items ?? []), ...page.items] }
    },
    // Read on demand only.
    enabled: false,
    // Sharing would copy the objects, and a copy loses the mark of its origin.
    structuralSharing: false,
  })

/**
 * The archived objects of one list per row of another source, such as per namespace. None are read before `more.load`
 * is called, which adds a page of each.
 */
export function useArchivedOfEach<P, T extends KubeObject>(
  parents: Source<P>,
  listOf: (parent: P) => { name: string; query: ReturnType<typeof archivedPagesQuery<T>> },
): Source<T> {
  const probe = useQuery(kubeArchiveProbe)
  const lists = (parents.rows ?? none).map(listOf)
  const pages = useQueries({ queries: lists.map(({ query }) => query) })
  const { rows } = useFold(
    concatenate<T>,
    pages.map(({ data }) => data?.items),
  )
  const unread = pages.filter(({ data }) => !data || data.next)
  const missing = pages.flatMap(({ error }, at) => {
    const name = lists[at]?.name
    return error && name ? { name, error } : []
  })
  const isFetching = pages.some((page) => page.isFetching)
  return {
    name: 'the archive',
    rows,
    kind: objectRows,
    error: null,
    missing: probe.error ? [{ name: 'the archive', error: probe.error }, ...missing] : missing,
    freshness: none,
    archive: pages.find(({ data }) => data?.archive)?.data?.archive,
    isFetching,
    retry: () => {
      for (const { error, refetch } of [probe, ...pages]) if (error) void refetch()
    },
    more:
      probe.data === true && unread.length > 0
        ? {
            isLoading: isFetching,
            isOnDemand: missing.length > 0,
            load: () => {
              for (const { refetch } of unread) void refetch()
            },
          }
        : undefined,
  }
}

const none: never[] = []
