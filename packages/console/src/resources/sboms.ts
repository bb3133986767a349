import { labels } from '@slipway/model/labels'
import { type TaskRun, taskRunType } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { parseSbomLog } from '@slipway/model/sboms/sbom'
import { queryOptions } from '@tanstack/react-query'
import { allArchivePages, archiveStaleMs } from '../api/archive/archive'
import { byCreation, mergeOnce } from '../api/archive/merged-history'
import { client } from '../api/client'
import { fetchReportLog, reportKey } from './report-log'
import { listedFields } from './task-runs'

/** The task that prints the SBOM of the image that was built, and its step. */
const sbomTask = 'show-sbom'

export const sboms = {
  /** The task runs of builds that have printed an SBOM. */
  taskRuns: (namespace: string, pipelineRuns: string[]) =>
    queryOptions({
      queryKey: ['sbom-task-runs', namespace, ...pipelineRuns],
      queryFn: ({ signal }) => taskRunsOf(namespace, pipelineRuns, signal),
      enabled: pipelineRuns.length > 0,
      staleTime: archiveStaleMs,
      // Sharing would copy the objects, and copies lose the mark of their origin.
      structuralSharing: false,
    }),
  /** The packages of an image, read from the log of such a task run. */
  of: (taskRun: TaskRun) =>
    queryOptions({
      queryKey: reportKey('sbom', taskRun),
      queryFn: async ({ signal }) => parseSbomLog(await fetchReportLog(taskRun, sbomTask, signal)),
      enabled: isFinished(taskRun),
      // A finished task writes nothing more.
      staleTime: Infinity,
      // Comparing what never changes would take longer than reading it.
      structuralSharing: false,
    }),
}

async function taskRunsOf(namespace: string, pipelineRuns: string[], signal: AbortSignal): Promise<readonly TaskRun[]> {
  const selector = {
    matchLabels: { [labels.pipelineTask]: sbomTask },
    matchExpressions: [{ key: labels.pipelineRun, operator: 'In' as const, values: pipelineRuns }],
  }
  const [live, archived] = await Promise.all([
    client.list(taskRunType, { namespace, labels: selector, mask: listedFields, signal }),
    allArchivePages(taskRunType, { namespace, labels: selector }, { mask: listedFields, signal }),
  ])
  return mergeOnce(live.items, archived.items, byCreation)
}
