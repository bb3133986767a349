import { nameOf } from '@slipway/kube/object'
import { scanTasks } from '@slipway/model/runs/task-results'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { type Scan, scansByBuild } from '@slipway/model/vulnerabilities/scans'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MissingPart, RowKind, Source } from '../../api/source'
import { scanReports } from '../../resources/scan-reports'
import type { TaskScope } from '../../resources/task-runs'
import { mostReports, type Reports, useReports } from '../security/use-reports'
import { useTaskHistories } from '../security/use-task-histories'

export type Scans = Reports<Scan>

const scanRows: RowKind<Scan> = {
  idOf: ({ namespace, taskRun }) => `${namespace}/${taskRun}`,
  nameOf: ({ taskRun }) => taskRun,
  isBeingDeleted: () => false,
}

interface ComponentScans {
  scans: Scans
  /** The newest build with a scan, whether or not its report can be read. */
  newest: TaskRun | undefined
}

/** The scans of the newest builds of each component of a namespace, an application, or of one component. */
export function useComponentScans(namespace: string, scope: TaskScope, mostBuilds: number): ComponentScans {
  const known = useTaskHistories(namespace, scanTasks, scope)
  const latest = useMemo(() => scansByBuild(known.rows ?? none, mostBuilds), [known.rows, mostBuilds])
  return { scans: useScanReports(known, latest), newest: latest[0] }
}

/**
 * What scans have found. A scan of which something is missing is among the missing parts.
 * @param most how many reports are read
 */
export function useScanReports(known: Source<TaskRun>, taskRuns: readonly TaskRun[], most = mostReports): Scans {
  const queryClient = useQueryClient()
  const scans = useReports({
    name: 'scans',
    known,
    taskRuns,
    queryOf: scanReports.of,
    rowOf: asIs,
    kind: scanRows,
    most,
  })
  const gaps = useMemo(() => gapsIn(scans.rows ?? none), [scans.rows])
  return {
    ...scans,
    missing: [...scans.missing, ...gaps],
    retry() {
      scans.retry()
      // A log may arrive after its task has ended.
      const incomplete = new Set(scans.rows?.flatMap(({ gap, taskRun }) => (gap ? [taskRun] : [])))
      for (const taskRun of taskRuns) {
        if (incomplete.has(nameOf(taskRun)))
          void queryClient.invalidateQueries({ queryKey: scanReports.of(taskRun).queryKey })
      }
    },
  }
}

const asIs = (_: TaskRun, scan: Scan): Scan => scan

const gapsIn = (scans: readonly Scan[]): MissingPart[] =>
  scans.flatMap(({ gap, pipelineRun }) =>
    gap ? [{ name: `what the scan of ${pipelineRun} found`, error: new Error(gap) }] : [],
  )

const none: never[] = []
