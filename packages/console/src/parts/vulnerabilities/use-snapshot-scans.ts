import { namespaceOf } from '@slipway/kube/object'
import { isFinished } from '@slipway/model/runs/tekton'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { componentsIn, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { buildsOfImages } from '@slipway/model/snapshots/snapshot-vulnerabilities'
import { isScan, pipelineRunOf, type Scan } from '@slipway/model/vulnerabilities/scans'
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
  const taskRuns = useMemo(() => query.data?.filter((taskRun) => isScan(taskRun) && isFinished(taskRun)), [query.data])
  const scans = useScanReports(
    {
      name: 'scans',
      rows: isKnown && runs.size === 0 ? none : taskRuns,
      kind: objectRows,
      error: query.error,
      missing: snapshot && isKnown ? partsWithoutScan(snapshot, { runs, taskRuns, error: builds.error }) : none,
      freshness: [],
      isFetching: builds.isLoading || query.isFetching,
      retry: () => void query.refetch(),
    } satisfies Source<TaskRun>,
    taskRuns ?? none,
  )
  const names = JSON.stringify([...runs].map(([{ name }, run]) => [name, run]))
  const rows = useMemo(() => scans.rows && renamed(scans.rows, names), [scans.rows, names])
  return { ...scans, rows }
}

interface KnownParts {
  /** The builds of components. */
  runs: ReadonlyMap<unknown, string>
  /** Their scans, once they have been listed. */
  taskRuns: readonly TaskRun[] | undefined
  /** Why some builds are not known. */
  error: Error | null
}

/** Components of which it is not known what their images contain. */
function partsWithoutScan(snapshot: Snapshot, { runs, taskRuns, error }: KnownParts): MissingPart[] {
  const scanned = taskRuns && new Set(taskRuns.map(pipelineRunOf))
  return componentsIn(snapshot).flatMap((component): MissingPart[] => {
    const run = runs.get(component)
    const { name } = component
    if (run === undefined) return [{ name: `the build of ${name}`, error: error ?? new Error('It is not known.') }]
    return scanned && !scanned.has(run) ? [{ name: `a scan of ${name}`, error: new Error('Its build has none.') }] : []
  })
}

/** Components that share an image share its scans. @param names of components and their builds, as JSON */
function renamed(scans: readonly Scan[], names: string): Scan[] {
  // Written above.
  const pairs = JSON.parse(names) as [component: string, run: string][]
  return pairs.flatMap(([component, run]) =>
    scans.filter(({ pipelineRun }) => pipelineRun === run).map((scan) => ({ ...scan, component })),
  )
}

const none: never[] = []
