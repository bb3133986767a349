import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useFold } from '../../lib/use-fold'
import { useFlags } from '../flags/flags'
import { readInTurn } from '../live/turns'
import { historyKey } from '../queries'
import { concatenate, objectRows, type Source } from '../source'
import { archiveOf, archivePage, type Archived, preferredArchive } from './archive'
import type { HistorySelection } from './history'

/** Archived objects, newest first: each fetch adds a page, until there are no more. */
const archivedPagesQuery = <T extends KubeObject>(
  type: ResourceType<T>,
  { labels, ...rest }: HistorySelection,
  mask: readonly FieldPath[],
) =>
  queryOptions({
    queryKey: historyKey(type, rest.namespace, {
      labels,
      ...rest,
      mask,
      isPaged: true,
      archive: preferredArchive(type),
    }),
    queryFn: async ({ signal, client, queryKey }): Promise<Archived<T>> => {
      const before = client.getQueryData<Archived<T>>(queryKey)
      if (before && !before.next) return before
      const selection = { ...rest, ...(labels && { labels: { matchLabels: labels } }) }
      const page = await readInTurn(client.getQueryCache().find({ queryKey }) ?? queryKey, signal, (signal) =>
        archivePage(type, selection, { position: before?.next, signal, mask }),
      )
      return { ...page, items: [...(before?.items ?? []), ...page.items] }
    },
    staleTime: Infinity,
    // Sharing would copy the objects, and a copy loses the mark of its origin.
    structuralSharing: false,
  })

/** The archive that stores a kind; null if none does. */
const archiveProbe = (type: ResourceType) =>
  queryOptions({
    queryKey: ['archive', 'of', type.kind, preferredArchive(type)],
    queryFn: async () => (await archiveOf(type)) ?? null,
    staleTime: Infinity,
  })

/** A list of which an archive has a part. */
export interface ArchivedList {
  /** As used in a sentence: `the archive of namespace team-a`. */
  name: string
  selection: HistorySelection
}

/** All of a namespace. */
export const archiveOfNamespace = (namespace: string): ArchivedList => ({
  name: `the archive of namespace ${namespace}`,
  selection: { namespace },
})

interface ArchivedOfEach<T extends KubeObject> {
  type: ResourceType<T>
  mask: readonly FieldPath[]
  lists: readonly ArchivedList[]
  /** Whether the first page of each list is read at once; else none is before `more.load` is called. */
  isEager?: boolean
}

/** What an archive has of several lists, such as one per namespace. `more.load` adds a page of each. */
export function useArchivedOfEach<T extends KubeObject>({
  type,
  mask,
  lists,
  isEager = false,
}: ArchivedOfEach<T>): Source<T> {
  // The user chooses the archive, and may change it while this page is open.
  useFlags()
  const probe = useQuery(archiveProbe(type))
  const pages = useQueries({
    queries: lists.map(({ selection }) => ({
      ...archivedPagesQuery(type, selection, mask),
      enabled: isEager && typeof probe.data === 'string',
    })),
  })
  const { rows } = useFold(
    concatenate<T>,
    pages.map(({ data }) => data?.items),
  )
  const unread = pages.filter(({ data }) => !data || data.next)
  const missing = pages.flatMap(({ error }, at) => {
    const name = lists[at]?.name
    return error && name ? { name, error } : []
  })
  const isFetching = probe.isFetching || pages.some((page) => page.isFetching)
  return {
    name: 'the archive',
    rows,
    kind: objectRows,
    error: null,
    missing: probe.error ? [{ name: 'the archive', error: probe.error }, ...missing] : missing,
    freshness: none,
    archive: probe.data ?? undefined,
    isFetching,
    retry: () => {
      for (const { error, refetch } of [probe, ...pages]) if (error) void refetch()
    },
    more:
      probe.data && unread.length > 0
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
