import { namespaceOf } from '@slipway/kube/object'
import { isFinished } from '@slipway/model/runs/tekton'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { componentsIn, type Snapshot, type SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import { buildsOfImages } from '@slipway/model/snapshots/snapshot-vulnerabilities'
import { pipelineRunOf } from '@slipway/model/vulnerabilities/scans'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type MissingPart, objectRows, type Source } from '../../api/source'
import { useSnapshotBuilds } from './use-snapshot-builds'

interface ReportingTask {
  /** As used in a sentence: `scans`. */
  name: string
  queryOf: (
    namespace: string,
    pipelineRuns: string[],
  ) => UseQueryOptions<readonly TaskRun[], Error, readonly TaskRun[], string[]>
  /** Whether a task run has such a report. */
  isOne: (taskRun: TaskRun) => boolean
  /** How to name what is missing for a component, and why, whose build has no such task. */
  absent: (component: SnapshotComponent) => [name: string, reason: string]
}

interface SnapshotTaskRuns {
  known: Source<TaskRun>
  taskRuns: readonly TaskRun[]
  /** Gives each component the reports of its build: components that share an image share its reports. */
  perComponent: <R extends { pipelineRun: string }>(reports: readonly R[]) => (R & { component: string })[]
}

/** The task runs that report on the images of a snapshot, in the builds of these. @param task a constant */
export function useSnapshotTaskRuns(
  snapshot: Snapshot | undefined,
  { name, queryOf, isOne, absent }: ReportingTask,
): SnapshotTaskRuns {
  const namespace = (snapshot && namespaceOf(snapshot)) ?? ''
  const builds = useSnapshotBuilds(snapshot)
  const runs = snapshot ? buildsOfImages(snapshot, builds.rows) : new Map<never, string>()
  // Until the builds have been read, only some are known; their reports are requested together.
  const isKnown = snapshot !== undefined && !builds.isLoading
  const query = useQuery(queryOf(namespace, isKnown ? [...new Set(runs.values())].sort() : []))
  const taskRuns = useMemo(
    () => query.data?.filter((taskRun) => isOne(taskRun) && isFinished(taskRun)),
    [query.data, isOne],
  )
  const names = JSON.stringify([...runs].map(([component, run]) => [component.name, run]))
  return {
    known: {
      name,
      rows: isKnown && runs.size === 0 ? none : taskRuns,
      kind: objectRows,
      error: query.error,
      missing: snapshot && isKnown ? missingParts(snapshot, { runs, taskRuns, error: builds.error, absent }) : none,
      freshness: [],
      isFetching: builds.isLoading || query.isFetching,
      retry: () => void query.refetch(),
    },
    taskRuns: taskRuns ?? none,
    perComponent: useMemo(() => byComponent(names), [names]),
  }
}

interface KnownParts extends Pick<ReportingTask, 'absent'> {
  /** The builds of components. */
  runs: ReadonlyMap<unknown, string>
  /** Their reports, once they have been listed. */
  taskRuns: readonly TaskRun[] | undefined
  /** Why some builds are not known. */
  error: Error | null
}

/** Components of which it is not known what their images contain. */
function missingParts(snapshot: Snapshot, { runs, taskRuns, error, absent }: KnownParts): MissingPart[] {
  const reported = taskRuns && new Set(taskRuns.map(pipelineRunOf))
  return componentsIn(snapshot).flatMap((component): MissingPart[] => {
    const run = runs.get(component)
    if (run === undefined)
      return [{ name: `the build of ${component.name}`, error: error ?? new Error('It is not known.') }]
    if (!reported || reported.has(run)) return []
    const [name, reason] = absent(component)
    return [{ name, error: new Error(reason) }]
  })
}

/** @param names of components and their builds, as JSON */
function byComponent(names: string): SnapshotTaskRuns['perComponent'] {
  // Written above.
  const pairs = JSON.parse(names) as [component: string, run: string][]
  return (reports) =>
    pairs.flatMap(([component, run]) =>
      reports.filter(({ pipelineRun }) => pipelineRun === run).map((report) => ({ ...report, component })),
    )
}

const none: never[] = []
