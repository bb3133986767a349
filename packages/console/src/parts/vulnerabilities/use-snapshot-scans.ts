import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { isScan } from '@slipway/model/vulnerabilities/scans'
import { useMemo } from 'react'
import { scanTaskRuns } from '../../resources/scan-task-runs'
import { useSnapshotTaskRuns } from '../snapshots/use-snapshot-task-runs'
import { type Scans, useScanReports } from './use-scans'

/** The scans of the images of a snapshot, by the names that its components have in it. */
export function useSnapshotScans(snapshot: Snapshot | undefined): Scans {
  const { known, taskRuns, perComponent } = useSnapshotTaskRuns(snapshot, scanTask)
  const scans = useScanReports(known, taskRuns)
  const rows = useMemo(() => scans.rows && perComponent(scans.rows), [scans.rows, perComponent])
  return { ...scans, rows }
}

const scanTask: Parameters<typeof useSnapshotTaskRuns>[1] = {
  name: 'scans',
  queryOf: scanTaskRuns.of,
  isOne: isScan,
  absent: ({ name }) => [`a scan of ${name}`, 'Its build has none.'],
}
