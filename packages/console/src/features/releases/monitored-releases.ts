import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { newestFirst } from '@slipway/model/newest'
import type { Release } from '@slipway/model/releases/release'
import { useEffect, useEffectEvent, useState } from 'react'
import { archiveOfNamespace, useArchivedOfEach } from '../../api/archive/archived-of-each'
import { type MoreRows, type Source, useList, setAside } from '../../api/source'
import { type RowsQuery, useView } from '../../api/views/use-view'
import { useFold } from '../../lib/use-fold'
import { namespaces } from '../../resources/namespaces'
import { releases } from '../../resources/releases'

/**
 * The releases of all namespaces that the user can see, those in the archive on demand: the table filters and sorts
 * archived releases itself, and needs all that are in the cluster for that.
 * @param query of the table, for any namespaces
 */
export function useMonitoredReleases({ namespaces: _, ...query }: RowsQuery, name: string): Source<Release> {
  const visible = setAside(useList(namespaces.list(), 'namespaces'))
  const all = { kind: query.kind, namespaces: visible.rows?.map(nameOf) ?? none }
  const [isJoined, setIsJoined] = useState(false)
  const live = useView<Release>(isJoined ? all : { ...query, ...all }, name)
  const past = useArchivedOfEach({ ...releases.archived, lists: all.namespaces.map(archiveOfNamespace) })
  const { rows } = useFold(joinArchived, {
    current: live.rows,
    archived: past.rows,
    isLatestOnly: query.latestOf !== undefined,
  })
  const isCut = isJoined && live.more !== undefined
  const grow = useEffectEvent(() => live.more?.load())
  const loadedCount = live.rows?.length
  useEffect(() => {
    if (isCut) grow()
  }, [isCut, loadedCount])

  const { error, retryReason, retry } = visible
  // Without namespaces there is nothing to see, whatever the view of none says.
  if (!visible.rows) return { ...live, rows: undefined, error, retryReason, missing: none, retry, more: undefined }
  const archived: MoreRows | undefined = past.more && {
    ...past.more,
    isOnDemand: true,
    load() {
      setIsJoined(true)
      past.more?.load()
    },
  }
  const more = isCut ? { isLoading: true, load: nothingToLoad } : (live.more ?? archived)
  const read = {
    ...live,
    missing: [...live.missing, ...past.missing],
    freshness: [...live.freshness, ...visible.freshness],
    archive: past.archive,
    isFetching: live.isFetching || past.isFetching,
    retry() {
      live.retry()
      past.retry()
    },
    more: live.rows && more,
  }
  if (isJoined) return { ...read, rows, window: undefined }
  return { ...read, window: live.window && { ...live.window, archive: archived && 'after' } }
}

const none: never[] = []
const nothingToLoad = () => undefined

export const componentOf = ({ metadata }: Release): string | undefined => metadata.labels?.[labels.component]

interface Joining {
  current: readonly Release[] | undefined
  archived: readonly Release[] | undefined
  isLatestOnly: boolean
}

interface Joined extends Joining {
  rows: readonly Release[] | undefined
}

/** An archive may have what is still in the cluster, and its pages may overlap. */
export function joinArchived(joining: Joining, before?: Joined): Joined {
  const { current, archived = none, isLatestOnly } = joining
  if (before?.current === current && before?.archived === joining.archived && before?.isLatestOnly === isLatestOnly)
    return before
  const all = current && [...new Map([...archived, ...current].map((release) => [uidOf(release), release])).values()]
  return { ...joining, rows: all && isLatestOnly ? latestOfEach(all) : all }
}

/** The latest release of each component, and those without a component. */
function latestOfEach(releases: readonly Release[]): readonly Release[] {
  const latest = new Map<string, Release>()
  for (const release of releases) {
    const key = keyOf(release)
    const other = key === undefined ? undefined : latest.get(key)
    if (key !== undefined && (!other || newestFirst(release, other) < 0)) latest.set(key, release)
  }
  return releases.filter((release) => {
    const key = keyOf(release)
    return key === undefined || latest.get(key) === release
  })
}

/** Two namespaces may have components of the same name. */
const keyOf = (release: Release): string | undefined =>
  componentOf(release) && `${namespaceOf(release)}/${componentOf(release)}`
