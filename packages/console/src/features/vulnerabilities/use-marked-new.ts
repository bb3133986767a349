import { markNew } from '@slipway/model/releases/released-vulnerabilities'
import { componentsIn, type Snapshot } from '@slipway/model/snapshots/snapshot'
import type { FoundVulnerability } from '@slipway/model/vulnerabilities/scans'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSnapshotScans } from '../../parts/vulnerabilities/use-snapshot-scans'
import { snapshots } from '../../resources/snapshots'

export interface Released {
  /** The snapshot that was released last. */
  snapshot: string
  isLoading: boolean
  /** Why it is not known, for some of its components at least, what they had. */
  error: Error | null
}

interface MarkedNew {
  found: readonly FoundVulnerability[] | undefined
  /** `undefined` if nothing is known to have been released. */
  released: Released | undefined
}

/**
 * Says which vulnerabilities the last release did not have.
 * @param name of the snapshot that was released last
 * @param component the only one that is of interest, so that the scans of others need not be read
 */
export function useMarkedNew(
  namespace: string,
  found: readonly FoundVulnerability[] | undefined,
  name: string | undefined,
  component?: string,
): MarkedNew {
  const {
    data: snapshot,
    error,
    isLoading,
  } = useQuery({
    ...snapshots.get(namespace, name ?? ''),
    enabled: name !== undefined,
  })
  const relevant = useMemo(
    () => snapshot && (component ? withOnly(snapshot, component) : snapshot),
    [snapshot, component],
  )
  const scans = useSnapshotScans(relevant)
  const isReading = scans.isFetching || scans.settledCount < scans.reportCount
  const before = snapshot && !isReading ? scans.rows : undefined
  return {
    found: useMemo(() => found && markNew(found, before), [found, before]),
    released:
      name === undefined
        ? undefined
        : {
            snapshot: name,
            isLoading: isLoading || isReading,
            error: error ?? scans.error ?? scans.missing[0]?.error ?? null,
          },
  }
}

const withOnly = (snapshot: Snapshot, component: string): Snapshot => ({
  ...snapshot,
  spec: { ...snapshot.spec, components: componentsIn(snapshot).filter(({ name }) => name === component) },
})
