import { specOf } from '@slipway/kube/object'
import { previousReleaseOf } from '@slipway/model/releases/previous-release'
import type { Release } from '@slipway/model/releases/release'
import { useEffect, useEffectEvent } from 'react'
import { useNewestArchived } from '../../api/archive/newest-archived'
import { useView } from '../../api/views/use-view'
import type { ApplicationParams } from '../../paths'
import { releases } from '../../resources/releases'

interface PreviousRelease {
  /** `undefined` while it is not known whether there is one. */
  found: { previous: Release | undefined; isSearchComplete: boolean } | undefined
  /** Why it could not be found out. */
  error: Error | null
}

/**
 * The previous successful release of the same plan. Of those in the cluster, the newest ones are read until it is found;
 * of an archive, only the newest page.
 */
export function usePreviousRelease(release: Release, { namespace, application }: ApplicationParams): PreviousRelease {
  const { view, archive } = releases.view(namespace, application)
  const { releasePlan = '' } = specOf(release)
  const where = { ...view.where, releasePlan: [releasePlan], status: ['Succeeded'] }
  const live = useView<Release>({ ...view, where }, 'releases')
  const liveMatch = previousReleaseOf(release, live.rows ?? none)
  const isWhole = live.rows !== undefined && !live.more
  const { rows, error, missing, more, isFetching } = useNewestArchived(live, archive, isWhole && !liveMatch)
  const previous = previousReleaseOf(release, rows ?? none)
  const mustGrow = !previous && live.more !== undefined && !live.more.isLoading
  const grow = useEffectEvent(() => live.more?.load())
  const loadedCount = live.rows?.length
  useEffect(() => {
    if (mustGrow) grow()
  }, [mustGrow, loadedCount])
  const isRead = rows !== undefined && !live.more && !isFetching
  const isSearchComplete = missing.length === 0 && !more
  return { found: previous || isRead ? { previous, isSearchComplete } : undefined, error }
}

const none: never[] = []
