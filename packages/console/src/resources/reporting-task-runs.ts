import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { reportNames } from '@slipway/model/runs/task-results'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { allArchivePages } from '../api/archive/archive'
import { byCreation, mergeOnce } from '../api/archive/merged-history'
import { client } from '../api/client'

/** Selects the task runs that contain a report. */
const holdsReport = `(${reportNames
  .flatMap((name) =>
    ['taskResults', 'results'].map((field) => `data.status.${field}.contains(${JSON.stringify(name)})`),
  )
  .join(' || ')})`

const reportFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.creationTimestamp',
  fieldPath('metadata', 'labels', labels.pipelineRun),
  'status.results',
  'status.taskResults',
]

/** Enough for a batch of runs, each of which has a handful of reports. */
const pageSize = 1_000

/** The task runs of these pipeline runs that may contain a test or scan report, from the cluster and the archive. */
export async function reportingTaskRuns(
  namespace: string,
  pipelineRuns: string[],
  mask: readonly FieldPath[] = reportFields,
  signal?: AbortSignal,
): Promise<readonly TaskRun[]> {
  const selector = {
    matchExpressions: [{ key: labels.pipelineRun, operator: 'In' as const, values: pipelineRuns }],
  }
  const [live, archived] = await Promise.all([
    client.list(taskRunType, { namespace, labels: selector, mask, signal }),
    allArchivePages(taskRunType, { namespace, labels: selector }, { where: holdsReport, pageSize, mask, signal }),
  ])
  return mergeOnce(live.items, archived.items, byCreation)
}
