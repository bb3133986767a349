import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isNotFound } from '@slipway/kube/status'
import { hashKey, infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useFold } from '../../lib/use-fold'
import { useFlags } from '../flags/flags'
import { historyKey, isIncomplete, listQuery } from '../queries'
import { type MissingPart, objectRows, type Source } from '../source'
import { isArchived } from './origin'
import {
  allArchivePages,
  archivePage,
  archiveStaleMs,
  type Archived,
  type ArchivePosition,
  preferredArchive,
} from './archive'
import { byCreation, mergeHistory, type NewestBy, selectObjects } from './merged-history'
import type { ArchiveSelection } from './request'

/** Current and archived objects as one list: those in the cluster, live, and then those in an archive. */
export interface History<T extends KubeObject> {
  live: ReturnType<typeof listQuery<T>>
  archive: ReturnType<typeof archiveQuery<T>>
  selection: HistorySelection
  newestBy: NewestBy<T>
}

/** In the cluster, only exact values of labels can be selected: that is what `listQuery` supports. */
export type HistorySelection = Omit<ArchiveSelection, 'labels'> & { labels?: Record<string, string> }

interface HistoryReading<T> {
  /** The fields to fetch of each object (`ListScope`). */
  mask?: readonly FieldPath[]
  /** What objects are sorted by, newest first; the creation time by default. */
  newestBy?: NewestBy<T>
  /** Load every page of the archive before showing any, for lists that mean little in part. */
  all?: boolean
}

export const historyQuery = <T extends KubeObject>(
  type: ResourceType<T>,
  selection: HistorySelection,
  { newestBy = byCreation, ...reading }: HistoryReading<T> = {},
): History<T> => ({
  live: listQuery(
    type,
    { namespace: selection.namespace, labels: selection.labels, mask: reading.mask },
    { isGradual: true },
  ),
  archive: archiveQuery(type, selection, reading),
  selection,
  newestBy,
})

/** The pages of an archive, newest first. */
export const archiveQuery = <T extends KubeObject>(
  type: ResourceType<T>,
  { labels, ...rest }: HistorySelection,
  { mask, all = false }: Pick<HistoryReading<T>, 'mask' | 'all'>,
) =>
  infiniteQueryOptions({
    queryKey: historyKey(type, rest.namespace, { labels, ...rest, mask, all, archive: preferredArchive(type) }),
    queryFn: ({ pageParam, signal }): Promise<Archived<T>> => {
      const selection = { ...rest, ...(labels && { labels: { matchLabels: labels } }) }
      return all
        ? allArchivePages(type, selection, { signal, mask })
        : archivePage(type, selection, { position: pageParam, signal, mask })
    },
    initialPageParam: undefined as ArchivePosition | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: archiveStaleMs,
    // Sharing would copy the objects, and a copy loses the mark of its origin.
    structuralSharing: false,
  })

/**
 * A live history, newest first. The archive is queried once the cluster has responded with fewer objects than the
 * limit. Objects that the cluster no longer has are marked (`originOf`).
 */
export function useHistory<T extends KubeObject>({ live, ...rest }: History<T>): Source<T> {
  const { data, error, isPending, isFetching, refetch } = useQuery(live)
  return useWithPast(
    {
      rows: data?.items,
      error,
      isPending,
      isFetching,
      isArriving: isFetching && isIncomplete(data),
      freshness: [{ name: 'the cluster', queryKey: live.queryKey }],
      retry: () => void refetch(),
    },
    rest,
    hashKey(live.queryKey),
  )
}

/** What is known of the objects in the cluster. */
interface Present<T> extends Pick<Source<T>, 'rows' | 'error' | 'isFetching' | 'freshness' | 'retry'> {
  /** Whether it has neither responded nor failed. */
  isPending: boolean
  /** Whether there will be more. */
  isArriving: boolean
}

/** Objects in the cluster, however they are read, and those in an archive. @param key a change of it discards what was merged */
export function useWithPast<T extends KubeObject>(
  current: Present<T>,
  { archive, selection, newestBy }: Omit<History<T>, 'live'>,
  key: string,
): Source<T> {
  // The user chooses the archive, and may change it while this page is open.
  useFlags()
  const queryClient = useQueryClient()
  const { limit } = selection
  const isFull =
    limit !== undefined && current.rows !== undefined && selectObjects(current.rows, selection).length >= limit
  const past = useInfiniteQuery({ ...archive, enabled: !current.isPending && !isFull, select: itemsOfPages<T> })
  const { items } = useFold(
    mergeHistory<T>,
    { live: current.rows, pages: past.data?.items ?? noPages, selection, newestBy },
    hashKey([key, archive.queryKey]),
  )
  const { isArriving } = current
  // If there is no archive, its page is empty, and must not stand in for a list that failed.
  const isKnown = current.rows !== undefined || past.data?.archive !== undefined
  const failure = isNotFound(current.error) ? (past.error ?? current.error) : current.error
  const missing: MissingPart[] = [
    ...(current.error ? [{ name: 'the cluster', error: current.error }] : []),
    ...(past.error ? [{ name: 'the archive', error: past.error }] : []),
  ]
  return {
    name: 'the history',
    rows: isKnown ? items : undefined,
    kind: objectRows,
    error: !isKnown && past.isFetched ? failure : null,
    missing,
    freshness: current.freshness,
    archive: past.data?.archive,
    isFetching: current.isFetching || past.isFetching,
    retry: () => {
      current.retry()
      void queryClient.invalidateQueries({ queryKey: archive.queryKey })
    },
    more:
      past.hasNextPage || past.isLoading || isArriving
        ? {
            isLoading: past.isFetching || isArriving,
            isOnDemand: past.error !== null,
            load: () => {
              if (past.hasNextPage && !past.isFetchingNextPage) void past.fetchNextPage()
            },
          }
        : undefined,
  }
}

/**
 * Since when all objects that were created are among the rows of a history, in milliseconds since 1970. An archive is
 * loaded from its newest object on.
 */
export function completeSinceMs({
  rows,
  more,
  missing,
}: Pick<Source<KubeObject>, 'rows' | 'more' | 'missing'>): number {
  if (!rows || missing.length > 0) return Infinity
  if (!more) return 0
  return rows.filter(isArchived).reduce((oldestMs, row) => Math.min(oldestMs, createdMs(row)), Infinity)
}

const createdMs = ({ metadata }: KubeObject): number => Date.parse(metadata.creationTimestamp ?? '') || Infinity

const noPages: never[] = []

/** A constant, so that the query reuses its result while the pages are the same. */
export const itemsOfPages = <T extends KubeObject>({ pages }: { pages: Archived<T>[] }) => ({
  items: pages.map((page) => page.items),
  archive: pages[0]?.archive,
})
