import { nameOf } from '@slipway/kube/object'
import { buildsForState } from '@slipway/model/builds/build-pipeline-state'
import { pipelineRunStatus } from '@slipway/model/runs/run-status'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { isScan } from '@slipway/model/vulnerabilities/scans'
import { queryOptions } from '@tanstack/react-query'
import { archiveStaleMs } from '../api/archive/archive'
import { queryClient } from '../api/query-client'
import { createLimiter } from '../lib/limit-concurrency'
import { latestBuilds } from './latest-builds'
import { reportingTaskRuns } from './reporting-task-runs'
import { listedFields } from './task-runs'

/** Namespaces are read one after the other, in the order in which they were requested. */
const inTurn = createLimiter(2)

/** A component, and its newest successful build in the cluster: `undefined` if the cluster has none. */
export interface ComponentBuild {
  application: string
  component: string
  pipelineRun: string | undefined
}

export const newestScans = {
  /** The scans of the newest successful build of each component, in the archive if the cluster has none. */
  of: (namespace: string, components: readonly ComponentBuild[]) =>
    queryOptions({
      queryKey: ['newest-scans', namespace, components],
      queryFn: ({ signal }) => inTurn(() => readScans(namespace, components, signal)),
      staleTime: archiveStaleMs,
      // Sharing would copy the objects, and copies lose the mark of their origin.
      structuralSharing: false,
    }),
}

async function readScans(
  namespace: string,
  components: readonly ComponentBuild[],
  signal: AbortSignal,
): Promise<TaskRun[]> {
  signal.throwIfAborted()
  const runs = await Promise.all(
    components.map((component) => component.pipelineRun ?? newestArchivedBuild(namespace, component)),
  )
  const known = runs.filter((run) => run !== undefined).sort()
  if (known.length === 0) return []
  const taskRuns = await reportingTaskRuns(namespace, known, listedFields, signal)
  return taskRuns.filter((taskRun) => isScan(taskRun) && isFinished(taskRun))
}

async function newestArchivedBuild(
  namespace: string,
  { application, component }: ComponentBuild,
): Promise<string | undefined> {
  const builds = await queryClient.fetchQuery(
    latestBuilds.archived(namespace, { application, component, limit: buildsForState }),
  )
  const newest = builds.find((build) => pipelineRunStatus(build) === 'Succeeded')
  return newest && nameOf(newest)
}
