import { nameOf } from '@slipway/kube/object'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { type Baseline, baselineOf } from '@slipway/model/releases/snapshot-baseline'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { SnapshotParams } from '../../paths'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'

/** The parameter of the URL that names the snapshot to compare with. */
export const baselineParam = 'from'

interface SelectedBaseline {
  /** `undefined` while it is not known, or if there is none. */
  name: string | undefined
  /** Why it was selected; `undefined` if the user selected it. */
  reason: Baseline['reason'] | undefined
  isLoading: boolean
  /** Why it is not known which snapshot was released last, which may be a better one. */
  releasesError: Error | null
  /** The other snapshots of the application; `undefined` until they have loaded. */
  others: readonly Snapshot[] | undefined
  /** Why there are none to select from. */
  othersError: Error | null
  select: (name: string) => void
}

/** The snapshot to compare another one with: the one in the URL, or else the one that users most likely want. */
export function useBaseline(snapshot: Snapshot, { namespace, application }: SnapshotParams): SelectedBaseline {
  const [params, setParams] = useSearchParams()
  const { data: listed, error: othersError } = useQuery(snapshots.listed(namespace, application))
  const { data: released, error: releasesError } = useQuery(releases.progress(namespace))
  const own = nameOf(snapshot)
  const others = useMemo(() => listed?.items.filter((other) => nameOf(other) !== own), [listed, own])
  const selected = params.get(baselineParam) || undefined
  const best = selected ? undefined : baselineOf(snapshot, others ?? [], released?.items ?? [])
  // Without the ages of the others, the best one may be a newer one.
  const isBestKnown = (released || releasesError) && (listed || othersError)
  const found = isBestKnown ? best : undefined
  return {
    name: selected ?? found?.name,
    reason: found?.reason,
    isLoading: !selected && !isBestKnown,
    releasesError: selected || released ? null : releasesError,
    others,
    othersError: listed ? null : othersError,
    select: (name) =>
      setParams((before) => {
        const after = new URLSearchParams(before)
        after.set(baselineParam, name)
        return after
      }),
  }
}
