import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isNotFound } from '@slipway/kube/status'
import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useFold } from '../../lib/use-fold'
import { useFlags } from '../flags/flags'
import { type MoreRows, objectRows, type RowKind, type Source } from '../source'
import { type RowsQuery, useView } from '../views/use-view'
import { archiveQuery, type HistorySelection, itemsOfPages } from './history'
import { mergeHistory, type NewestBy } from './merged-history'

/** What an archive has behind the rows of a view: objects that are rows themselves, or that rows are made of. */
export interface ArchiveBehind<T extends KubeObject, O extends KubeObject = T> {
  type: ResourceType<O>
  /** Selects the objects of the view, without the filters of a user. */
  selection: HistorySelection
  /** The fields that are shown of an object. */
  mask: readonly FieldPath[]
  /** What objects are sorted by, newest first, unless the user chooses another order. */
  newestBy: NewestBy<O>
  /** Whether it only stands in, as a whole, for a cluster that does not serve the kind: one that responds with a 404. */
  isSubstitute?: boolean
  /** For rows that are made of objects. */
  rows?: ArchivedRows<T, O>
}

/** The rows of a view together with those that an archive has. */
export interface ArchivedRows<T extends KubeObject, O extends KubeObject> {
  kind: RowKind<T>
  useMerged: (parts: ViewParts<T, O>) => MergedRows<T>
}

export interface ViewParts<T extends KubeObject, O extends KubeObject> {
  view: ListedView
  /** The rows of the view that match the filters of the user. */
  live: readonly T[]
  /** Whether there may be rows that do not. */
  isNarrowed: boolean
  /** The loaded pages of the archive. */
  pages: readonly (readonly O[])[]
  newestBy: NewestBy<O>
  /** Whether an object that disappears from the rows was deleted. */
  isComplete: boolean
  /** A change of it discards what was merged before. */
  key: string
}

export interface MergedRows<T> {
  /** Newest first. */
  items: readonly T[]
  /** Whether they show more than the rows of the view. */
  hasMore: boolean
}

/** What a page lists, without the filters of a user. */
export type ListedView = Pick<RowsQuery, 'kind' | 'namespaces' | 'where'>

/** Rows that are objects of the cluster or of an archive. */
const archivedObjects = {
  kind: objectRows,
  useMerged<T extends KubeObject>({ live, pages, newestBy, isComplete, key }: ViewParts<T, T>): MergedRows<T> {
    const { items } = useFold(mergeHistory<T>, { live, pages, selection: {}, newestBy, isComplete }, key)
    return { items, hasMore: items.length > live.length }
  },
}

interface ViewWithArchive<T extends KubeObject, O extends KubeObject> {
  view: ListedView
  /** The same with the filters and the order that the user has chosen. */
  query: RowsQuery
  /** What is listed, as used in a sentence: `pipeline runs`. */
  name: string
  archive: ArchiveBehind<T, O>
}

/**
 * A live view and, behind its last row, what an archive has of the same list. The archive is first queried when that end
 * is reached (`more.load`), or when the cluster has nothing or cannot be read. Archived rows are not filtered, since an
 * archive does not know the fields of a view. Objects that the cluster no longer has are marked (`originOf`).
 */
export function useViewWithArchive<T extends KubeObject, O extends KubeObject = T>({
  view,
  query,
  name,
  archive: {
    type,
    selection,
    mask,
    newestBy,
    isSubstitute = false,
    // Without it, T is O.
    rows = archivedObjects as unknown as ArchivedRows<T, O>,
  },
}: ViewWithArchive<T, O>): Source<T> {
  // The user chooses the archive, and may change it while this page is open.
  useFlags()
  const archive = archiveQuery(type, selection, { mask, all: isSubstitute })
  const queryClient = useQueryClient()
  const live = useView<T>(query, name)
  const archiveHash = hashKey(archive.queryKey)
  const queryHash = hashKey([query])
  const [reached, setReached] = useState({ archiveHash: '', queryHash: '' })
  const isWhole = live.rows !== undefined && !live.more
  const failure = live.rows ? undefined : (live.error ?? live.retryReason)
  const isNeeded = !isSubstitute || isNotFound(live.error)
  const isQueried =
    isNeeded && (reached.archiveHash === archiveHash || failure !== undefined || (isWhole && live.rows?.length === 0))
  const past = useInfiniteQuery({ ...archive, enabled: isQueried, select: itemsOfPages<O> })
  const isNarrowed = isFiltered(query, view)
  const { items, hasMore: hasArchived } = rows.useMerged({
    view,
    live: live.rows ?? none,
    isNarrowed,
    pages: past.data?.items ?? none,
    newestBy,
    isComplete: isWhole && !isNarrowed && !live.isFetching && live.missing.length === 0,
    key: hashKey([view, archive.queryKey, live.rows === undefined]),
  })
  // A row that is added while the end is on screen must not hide what is behind it.
  const isAtEnd = isQueried && reached.queryHash === queryHash
  const isCut = isAtEnd && live.more !== undefined
  const grow = useEffectEvent(() => live.more?.load())
  const loadedCount = live.rows?.length
  useEffect(() => {
    if (isCut) grow()
  }, [isCut, loadedCount])
  // The archive decides itself what a user may see who may no longer list the objects of the cluster.
  const isDenied = live.error !== null
  const readAgain = useEffectEvent(() => {
    if (past.data) void queryClient.resetQueries({ queryKey: archive.queryKey })
  })
  useEffect(() => {
    if (isDenied) readAgain()
  }, [isDenied])

  if (!isNeeded) return { ...live, kind: rows.kind }
  const isMerged = live.rows ? isWhole || isAtEnd : failure !== undefined && past.data?.archive !== undefined
  const hasMoreArchived = past.hasNextPage || past.isLoading || (!isQueried && !past.data)
  const moreArchived: MoreRows = {
    isLoading: past.isFetching || live.isFetching,
    isOnDemand: past.error !== null,
    load: () => {
      if (!isAtEnd) setReached({ archiveHash, queryHash })
      if (past.hasNextPage && !past.isFetchingNextPage) void past.fetchNextPage()
    },
  }
  return {
    ...live,
    kind: rows.kind,
    rows: isMerged && hasArchived ? items : live.rows,
    // Where the cluster does not serve the kind, only the archive can have it.
    error: isMerged || !past.isFetched ? null : isNotFound(live.error) ? (past.error ?? live.error) : live.error,
    retryReason: isMerged ? undefined : live.retryReason,
    missing: [
      ...(isMerged && failure && !isSubstitute
        ? [{ name: 'the cluster', error: failure, isRetrying: !isDenied }]
        : live.missing),
      ...(past.error ? [{ name: 'the archive', error: past.error }] : none),
    ],
    archive: past.data?.archive,
    isFetching: live.isFetching || past.isFetching,
    retry: () => {
      live.retry()
      void queryClient.invalidateQueries({ queryKey: archive.queryKey })
    },
    more: isMerged && !isCut ? (hasMoreArchived ? moreArchived : undefined) : live.more,
    window: live.window && {
      ...live.window,
      archive: hasMoreArchived || hasArchived || past.error ? (isMerged ? 'merged' : 'after') : undefined,
    },
  }
}

/** Whether a user has filtered a view. */
const isFiltered = (query: RowsQuery, { where = {} }: ListedView): boolean =>
  query.text !== undefined || hashKey([query.where ?? {}]) !== hashKey([where])

const none: never[] = []
