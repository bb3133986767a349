import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/pipeline-run'
import type { TaskRun } from '@slipway/model/task-run'
import { useEffect } from 'react'
import { type HistoryView, useHistory } from '../../api/history'
import { taskRuns } from '../../resources/task-runs'

export interface TaskRunsOfRun extends HistoryView<TaskRun> {
  /** There are no others: both the cluster and the archive have told. */
  areAll: boolean
}

/** Every task run of a run, of the cluster and of the archive, kept up to date. */
export function useTaskRuns(run: PipelineRun): TaskRunsOfRun {
  const history = useHistory(taskRuns.historyOf(namespaceOf(run) ?? '', nameOf(run)))
  const { hasMore, isLoadingMore, loadMore } = history
  // Nothing can be said of a run by half of its tasks.
  useEffect(() => {
    if (hasMore && !isLoadingMore) loadMore()
  })
  // An archive that has none does not stand for a cluster that does not tell.
  const isUntold = history.missing === 'cluster' && history.items?.length === 0
  const areAll = !history.partial && !hasMore
  return isUntold ? { ...history, items: undefined, error: history.partial, areAll } : { ...history, areAll }
}
