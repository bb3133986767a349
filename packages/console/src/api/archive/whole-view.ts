import type { KubeObject } from '@slipway/kube/object'
import { hashKey } from '@tanstack/react-query'
import type { Source } from '../source'
import { useWholeView } from '../views/use-view'
import { archiveQuery, useWithPast } from './history'
import type { ArchiveBehind, ListedView } from './view-with-archive'

/** All rows of a view, and what an archive has of the same, newest first: for pages that are made of a few of them. */
export function useWholeViewWithArchive<T extends KubeObject>(
  { view, archive }: { view: ListedView; archive: ArchiveBehind<T> },
  name: string,
): Source<T> {
  const { rows, error, retryReason, isFetching, more, freshness, retry } = useWholeView<T>(view, name)
  const failure = error ?? retryReason ?? null
  const { type, selection, mask, newestBy } = archive
  return useWithPast(
    {
      rows,
      error: failure,
      isPending: !rows && !failure,
      isFetching,
      isArriving: more !== undefined,
      freshness,
      retry,
    },
    { archive: archiveQuery(type, selection, { mask }), selection, newestBy },
    hashKey([view]),
  )
}
