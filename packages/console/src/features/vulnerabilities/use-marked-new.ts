import { markNew } from '@slipway/model/releases/released-vulnerabilities'
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

/** Says which vulnerabilities the last release did not have. @param name of the snapshot that was released last */
export function useMarkedNew(
  namespace: string,
  found: readonly FoundVulnerability[] | undefined,
  name: string | undefined,
): MarkedNew {
  const {
    data: snapshot,
    error,
    isLoading,
  } = useQuery({
    ...snapshots.get(namespace, name ?? ''),
    enabled: name !== undefined,
  })
  const scans = useSnapshotScans(snapshot)
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
