import type { KubeObject } from '@slipway/kube/object'
import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useFold } from '../../lib/use-fold'
import { useFlags } from '../flags/flags'
import type { Source } from '../source'
import { archiveQuery, itemsOfPages } from './history'
import { mergeHistory } from './merged-history'
import type { ArchiveBehind } from './view-with-archive'

/**
 * The rows of a view with the newest page of what an archive has behind them, for a page that looks for a few rows in a
 * history of any length. Archived rows are those of the whole selection, whatever the view is filtered by.
 * @param isNeeded whether what is looked for is not in the cluster; a view that could not be read asks the archive anyway
 */
export function useNewestArchived<T extends KubeObject>(
  live: Source<T>,
  { type, selection, mask, newestBy }: ArchiveBehind<T>,
  isNeeded: boolean,
): Source<T> {
  // The user chooses the archive, and may change it while this page is open.
  useFlags()
  const queryClient = useQueryClient()
  const archive = archiveQuery(type, selection, { mask })
  const isQueried = isNeeded || live.error !== null
  const past = useInfiniteQuery({ ...archive, enabled: isQueried, select: itemsOfPages<T> })
  const { items } = useFold(
    mergeHistory<T>,
    { live: live.rows, pages: past.data?.items ?? noPages, selection: {}, newestBy, isComplete: false },
    hashKey([archive.queryKey]),
  )
  if (!isQueried) return live
  // If there is no archive, its page is empty, and must not stand in for a view that failed.
  const isKnown = live.rows !== undefined || past.data?.archive !== undefined
  return {
    ...live,
    rows: isKnown ? items : undefined,
    error: isKnown || past.isLoading ? null : live.error,
    missing: [
      ...(isKnown && live.error ? [{ name: 'the cluster', error: live.error }] : live.missing),
      ...(past.error ? [{ name: 'the archive', error: past.error }] : []),
    ],
    archive: past.data?.archive,
    isFetching: live.isFetching || past.isFetching,
    retry() {
      live.retry()
      void queryClient.invalidateQueries({ queryKey: archive.queryKey })
    },
    more:
      live.more ??
      (past.hasNextPage || past.isLoading
        ? {
            isLoading: past.isFetching,
            isOnDemand: true,
            load() {
              if (past.hasNextPage && !past.isFetchingNextPage) void past.fetchNextPage()
            },
          }
        : undefined),
  }
}

const noPages: never[] = []
