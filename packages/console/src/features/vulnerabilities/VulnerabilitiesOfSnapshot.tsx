import { baselineOf } from '@slipway/model/releases/snapshot-baseline'
import { foundIn } from '@slipway/model/vulnerabilities/scans'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SnapshotParams } from '../../paths'
import { useSnapshotScans } from '../../parts/vulnerabilities/use-snapshot-scans'
import { VulnerabilityTable } from '../../parts/vulnerabilities/VulnerabilityTable'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { ReleasedNote } from './ReleasedNote'
import { useMarkedNew } from './use-marked-new'

export function VulnerabilitiesOfSnapshot({ namespace, application, snapshot: name }: SnapshotParams) {
  const { data: snapshot } = useSuspenseQuery(snapshots.get(namespace, name))
  const scans = useSnapshotScans(snapshot)
  const found = useMemo(() => scans.rows && foundIn(scans.rows), [scans.rows])
  const { data: listed } = useQuery(snapshots.listed(namespace, application))
  const { data: released } = useQuery(releases.progress(namespace))
  const baseline = listed && released && baselineOf(snapshot, listed.items, released.items)
  const marked = useMarkedNew(namespace, found, baseline?.reason === 'released' ? baseline.name : undefined)
  return (
    <>
      <ReleasedNote at={{ namespace, application }} released={marked.released} />
      <VulnerabilityTable subject="snapshot" at={{ namespace, application }} scans={scans} found={marked.found} />
    </>
  )
}
