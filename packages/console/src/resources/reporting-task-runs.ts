import { fieldPath } from '@slipway/kube/field-mask'
import { labels } from '@slipway/model/labels'
import { reportNames } from '@slipway/model/runs/task-results'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { allArchivePages } from '../api/archive/archive'
import { byCreation, mergeOnce } from '../api/archive/merged-history'
import { client } from '../api/client'

/** Only what holds a report is of interest, of all the tasks of a run. */
const holdsReport = `(${reportNames
  .flatMap((name) =>
    ['taskResults', 'results'].map((place) => `data.status.${place}.contains(${JSON.stringify(name)})`),
  )
  .join(' || ')})`

const mask = [
  'metadata.name',
  'metadata.namespace',
  fieldPath('metadata', 'labels', labels.pipelineRun),
  'status.results',
  'status.taskResults',
]

/** Each run has a handful of reports. */
const pageSize = 1_000

/** The tasks of some runs that may hold a report of a test or a scan, of the cluster and of the archive. */
export async function reportingTaskRuns(namespace: string, pipelineRuns: string[]): Promise<readonly TaskRun[]> {
  const filterValues = {
    matchExpressions: [{ key: labels.pipelineRun, operator: 'In' as const, values: pipelineRuns }],
  }
  const [live, kept] = await Promise.all([
    client.list(taskRunType, { namespace, labels: filterValues, mask }),
    allArchivePages(taskRunType, { namespace, labels: filterValues }, { where: holdsReport, pageSize, mask }),
  ])
  return mergeOnce(live.items, kept.items, byCreation)
}
