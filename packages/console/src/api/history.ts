import type { KubeList, KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isNotFound } from '@slipway/kube/status'
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  archivePage,
  archiveStaleMs,
  isOfCommit,
  type Archived,
  type ArchiveName,
  type ArchivePosition,
  wantedArchive,
} from './archive'
import { useFlags } from './flags'
import { historyKey, listQuery } from './queries'
import type { RunSelection } from './tekton-results'

/** Runs of today and of the past as one list: those of the cluster, live, and then what an archive keeps. */
export interface History<T extends KubeObject> {
  live: ReturnType<typeof listQuery<T>>
  archive: ReturnType<typeof archiveQuery<T>>
  selection: HistorySelection
}

/** In a cluster only labels that are equal can be asked for, which is what its lists are made for. */
export type HistorySelection = Omit<RunSelection, 'labels'> & { labels?: Record<string, string> }

export const historyQuery = <T extends KubeObject>(type: ResourceType<T>, selection: HistorySelection): History<T> => ({
  live: listQuery(type, { namespace: selection.namespace, labels: selection.labels }),
  archive: archiveQuery(type, selection),
  selection,
})

const archiveQuery = <T extends KubeObject>(type: ResourceType<T>, { labels, ...rest }: HistorySelection) =>
  infiniteQueryOptions({
    queryKey: historyKey(type, rest.namespace, { labels, ...rest, wanted: wantedArchive(type) }),
    queryFn: ({ pageParam, signal }): Promise<Archived<T>> =>
      archivePage(
        type,
        { ...rest, ...(labels && { labels: { matchLabels: labels } }) },
        { position: pageParam, signal },
      ),
    initialPageParam: undefined as ArchivePosition | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: archiveStaleMs,
  })

export interface HistoryView<T extends KubeObject> {
  /** Newest first; `undefined` before anything is known. */
  items: T[] | undefined
  /** Nothing can be shown because of this. */
  error: Error | null
  /** What is shown is not all there is: why the one or the other half is missing. */
  partial: Error | null
  /** Where the past comes from; `undefined` where it was not asked for or nothing keeps it. */
  archive: ArchiveName | undefined
  isArchived(object: T): boolean
  hasMore: boolean
  isLoadingMore: boolean
  loadMore(): void
}

/** A history, kept up to date. The archive is asked when the cluster has answered, and has less than the limit. */
export function useHistory<T extends KubeObject>({ live, archive, selection }: History<T>): HistoryView<T> {
  // Which archive is asked is the user's choice, and may change on this very page.
  useFlags()
  const current = useQuery(live)
  const { limit } = selection
  const items = current.data?.items
  const now = useMemo(() => items && selectRuns(items, selection), [items, selection])
  const isFull = limit !== undefined && now !== undefined && now.length >= limit
  const past = useInfiniteQuery({ ...archive, enabled: !current.isPending && !isFull })
  const pages = past.data?.pages
  const { merged, known } = useMemo(() => {
    const kept = pages?.flatMap((page) => page.items) ?? []
    return { merged: mergeRuns(now ?? [], kept, limit), known: new Set(now) }
  }, [now, pages, limit])
  // An archive that is not there has told nothing: its empty page stands for no list that failed.
  const isKnown = now !== undefined || pages?.some((page) => page.archive)
  const failure = isNotFound(current.error) ? (past.error ?? current.error) : current.error
  return {
    items: isKnown ? merged : undefined,
    error: !isKnown && past.isFetched ? failure : null,
    partial: past.error ?? current.error,
    archive: pages?.[0]?.archive,
    isArchived: (object) => !known.has(object),
    hasMore: past.hasNextPage,
    isLoadingMore: past.isFetching,
    loadMore: () => {
      if (past.hasNextPage && !past.isFetchingNextPage) void past.fetchNextPage()
    },
  }
}

/** What an archive is asked for, of a list of the cluster. */
export function selectRuns<T extends KubeObject>(
  items: KubeList<T>['items'],
  { name, createdAfter, commit, limit }: Pick<RunSelection, 'name' | 'createdAfter' | 'commit' | 'limit'>,
): T[] {
  const part = name?.trim().toLowerCase()
  const afterMs = Date.parse(createdAfter ?? '')
  const selected = items.filter(
    (item) =>
      (!part || item.metadata.name?.toLowerCase().includes(part)) &&
      (Number.isNaN(afterMs) || Date.parse(item.metadata.creationTimestamp ?? '') > afterMs) &&
      (!commit || isOfCommit(item, commit)),
  )
  return newestFirst(selected).slice(0, limit)
}

/** Each object once, as the cluster has it where it has it; newest first. */
export function mergeRuns<T extends KubeObject>(live: readonly T[], kept: readonly T[], limit?: number): T[] {
  const known = new Set<string>()
  const all = [...live, ...kept].filter((item) => {
    const identity = identityOf(item)
    return !known.has(identity) && known.add(identity)
  })
  return newestFirst(all).slice(0, limit)
}

const identityOf = ({ metadata: { uid, namespace, name } }: KubeObject): string => uid ?? `${namespace}/${name}`

const newestFirst = <T extends KubeObject>(items: T[]): T[] =>
  items.sort((a, b) => {
    const [first, second] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
    return first === second ? 0 : first < second ? 1 : -1
  })
