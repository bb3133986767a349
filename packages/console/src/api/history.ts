import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isNotFound } from '@slipway/kube/status'
import { hashKey, infiniteQueryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  archivePage,
  archiveStaleMs,
  type Archived,
  type ArchiveName,
  type ArchivePosition,
  wantedArchive,
} from './archive'
import { useFlags } from './flags/flags'
import { mergeHistory, selectRuns } from './merged-history'
import { historyKey, isIncomplete, listQuery } from './queries'
import type { RunSelection } from './tekton-results'

/** Runs of today and of the past as one list: those of the cluster, live, and then what an archive keeps. */
export interface History<T extends KubeObject> {
  live: ReturnType<typeof listQuery<T>>
  archive: ReturnType<typeof archiveQuery<T>>
  selection: HistorySelection
}

/** In a cluster only labels that are equal can be asked for, which is what its lists are made for. */
export type HistorySelection = Omit<RunSelection, 'labels'> & { labels?: Record<string, string> }

interface HistoryReading {
  /** The fields that are shown of each run (`ListScope`). */
  mask?: readonly FieldPath[]
}

export const historyQuery = <T extends KubeObject>(
  type: ResourceType<T>,
  selection: HistorySelection,
  { mask }: HistoryReading = {},
): History<T> => ({
  live: listQuery(type, { namespace: selection.namespace, labels: selection.labels, mask }, { isGradual: true }),
  archive: archiveQuery(type, selection, mask),
  selection,
})

const archiveQuery = <T extends KubeObject>(
  type: ResourceType<T>,
  { labels, ...rest }: HistorySelection,
  mask: HistoryReading['mask'],
) =>
  infiniteQueryOptions({
    queryKey: historyKey(type, rest.namespace, { labels, ...rest, mask, filterValues: wantedArchive(type) }),
    queryFn: ({ pageParam, signal }): Promise<Archived<T>> =>
      archivePage(
        type,
        { ...rest, ...(labels && { labels: { matchLabels: labels } }) },
        { position: pageParam, signal, mask },
      ),
    initialPageParam: undefined as ArchivePosition | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: archiveStaleMs,
    // Sharing would copy the objects, and a copy does not bear the mark of where it comes from.
    structuralSharing: false,
  })

/** Which half of a history could not be read. */
export type MissingPart = 'cluster' | 'archive' | 'both'

export interface HistoryView<T extends KubeObject> {
  /** Newest start first; `undefined` before anything is known. Those that the cluster has no more are marked (`originOf`). */
  items: T[] | undefined
  /** Nothing can be shown because of this. */
  error: Error | null
  /** What is shown is not all there is: why the one or the other half is missing. */
  partial: Error | null
  missing: MissingPart | undefined
  /** Where the past comes from; `undefined` where it was not asked for or nothing keeps it. */
  archive: ArchiveName | undefined
  hasMore: boolean
  isLoadingMore: boolean
  /** To be called by itself only while the archive answers: one that has failed would be asked without end. */
  loadMore(): void
  isFetching: boolean
  /** Reads both halves again. */
  retry(): void
}

/** A history, kept up to date. The archive is asked when the cluster has answered, and has less than the limit. */
export function useHistory<T extends KubeObject>({ live, archive, selection }: History<T>): HistoryView<T> {
  // Which archive is asked is the user's choice, and may change on this very page.
  useFlags()
  const queryClient = useQueryClient()
  const current = useQuery(live)
  const { limit } = selection
  // The keys say all that the merging depends on; the selection is another object with every drawing.
  const key = hashKey([live.queryKey, archive.queryKey])
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const merge = useMemo(() => mergeHistory<T>(selection), [key])
  const isFull = useMemo(
    () =>
      limit !== undefined && current.data !== undefined && selectRuns(current.data.items, selection).length >= limit,
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [current.data, key],
  )
  const past = useInfiniteQuery({ ...archive, enabled: !current.isPending && !isFull })
  const pages = past.data?.pages
  const kept = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  const merged = useMemo(() => merge(current.data?.items, kept), [merge, current.data, kept])
  const isArriving = current.isFetching && isIncomplete(current.data)
  // An archive that is not there has told nothing: its empty page stands for no list that failed.
  const isKnown = current.data !== undefined || pages?.some((page) => page.archive)
  const failure = isNotFound(current.error) ? (past.error ?? current.error) : current.error
  return {
    items: isKnown ? merged : undefined,
    error: !isKnown && past.isFetched ? failure : null,
    partial: past.error ?? current.error,
    missing: past.error ? (current.error ? 'both' : 'archive') : current.error ? 'cluster' : undefined,
    archive: pages?.[0]?.archive,
    hasMore: past.hasNextPage || past.isLoading || isArriving,
    isLoadingMore: past.isFetching || isArriving,
    loadMore: () => {
      if (past.hasNextPage && !past.isFetchingNextPage) void past.fetchNextPage()
    },
    isFetching: current.isFetching || past.isFetching,
    retry: () => {
      for (const { queryKey } of [live, archive]) void queryClient.invalidateQueries({ queryKey })
    },
  }
}
