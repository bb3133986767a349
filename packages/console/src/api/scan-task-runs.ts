import type { LabelSelector } from '@slipway/kube/selector'
import { labels } from '@slipway/model/labels'
import { scanResultNames } from '@slipway/model/task-results'
import { taskRunType, type TaskRun } from '@slipway/model/task-run'
import { archivePage, type ArchivePosition } from './archive'
import { client } from './client'
import { mergeRuns } from './history'

/** Only what holds a scan is of interest, of all the tasks of a run. */
const holdsScan = `(${scanResultNames
  .flatMap((name) =>
    ['taskResults', 'results'].map((place) => `data.status.${place}.contains(${JSON.stringify(name)})`),
  )
  .join(' || ')})`

/** Each run has a handful of scans. */
const pageSize = 1_000

/** The tasks of some runs that may hold a scan, of the cluster and of the archive. */
export async function scanTaskRuns(namespace: string, pipelineRuns: string[]): Promise<TaskRun[]> {
  const wanted = { matchExpressions: [{ key: labels.pipelineRun, operator: 'In' as const, values: pipelineRuns }] }
  const [live, kept] = await Promise.all([
    client.list(taskRunType, { namespace, labels: wanted }),
    archived(namespace, wanted),
  ])
  return mergeRuns(live.items, kept)
}

async function archived(namespace: string, labels: LabelSelector): Promise<TaskRun[]> {
  const items: TaskRun[] = []
  let position: ArchivePosition | undefined
  do {
    const page = await archivePage(taskRunType, { namespace, labels }, { position, where: holdsScan, pageSize })
    items.push(...page.items)
    position = page.next
  } while (position)
  return items
}
