import { namespaceOf } from '@slipway/kube/object'

import { componentsIn, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { buildsOfImages } from '@slipway/model/snapshots/snapshot-vulnerabilities'
import { isScan, type Scan } from '@slipway/model/vulnerabilities/scans'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type MissingPart, objectRows, type Source } from '../../api/source'
import { scanTaskRuns } from '../../resources/scan-task-runs'
import { useSnapshotBuilds } from '../snapshots/use-snapshot-builds'
import { type Scans, useScanReports } from './use-scans'

/** The scans of the images of a snapshot, by the names that its components have in it. */
export function useSnapshotScans(snapshot: Snapshot | undefined): Scans {
  const namespace = (snapshot && namespaceOf(snapshot)) ?? ''
  const builds = useSnapshotBuilds(snapshot)
  const runs = snapshot ? buildsOfImages(snapshot, builds.rows) : new Map<never, string>()
  // Until the builds have been read, only some are known; their scans are requested together.
  const isKnown = snapshot !== undefined && !builds.isLoading
  const query = useQuery(scanTaskRuns.of(namespace, isKnown ? [...new Set(runs.values())].sort() : []))
  const taskRuns = useMemo(() => (query.data ?? none).filter(isScan), [query.data])
  const scans = useScanReports(
    {
      name: 'scans',
      rows: isKnown && (query.data ?? runs.size === 0) ? taskRuns : undefined,
      kind: objectRows,
      error: query.error,
      missing: partsWithoutScan(snapshot, builds.error, isKnown, runs),
      freshness: [],
      isFetching: builds.isLoading || query.isFetching,
      retry: () => void query.refetch(),
    } satisfies Source<(typeof taskRuns)[number]>,
    taskRuns,
  )
  const names = [...runs].map(([{ name }, run]) => `${run} ${name}`).join('\n')
  const rows = useMemo(() => scans.rows && renamed(scans.rows, names), [scans.rows, names])
  return { ...scans, rows }
}

/** Components of which it is not known what their images contain. */
function partsWithoutScan(
  snapshot: Snapshot | undefined,
  error: Error | null,
  isKnown: boolean,
  runs: ReadonlyMap<unknown, string>,
): MissingPart[] {
  if (!snapshot || !isKnown) return []
  return componentsIn(snapshot)
    .filter((component) => !runs.has(component))
    .map(({ name }) => ({ name: `the build of ${name}`, error: error ?? new Error('It is not known.') }))
}

/** Components that share an image share its scans. @param names a line for each: its build and its name */
const renamed = (scans: readonly Scan[], names: string): Scan[] =>
  names.split('\n').flatMap((line) => {
    const [run, component = ''] = line.split(' ')
    return scans.filter(({ pipelineRun }) => pipelineRun === run).map((scan) => ({ ...scan, component }))
  })

const none: never[] = []
