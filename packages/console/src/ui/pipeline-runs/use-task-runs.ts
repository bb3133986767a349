import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { useEffect, useMemo } from 'react'
import { type HistoryView, useHistory } from '../../api/history'
import { taskRuns } from '../../resources/task-runs'
import { isSettled } from '../status/display-status'

export interface TaskRunsOfRun extends HistoryView<TaskRun> {
  /** There are no others: both the cluster and the archive have told. */
  isComplete: boolean
}

/** Every task run of a run, of the cluster and of the archive, kept up to date. */
export function useTaskRuns(run: PipelineRun): TaskRunsOfRun {
  const history = useHistory(taskRuns.historyOf(namespaceOf(run) ?? '', nameOf(run)))
  const { hasMore, isLoadingMore, loadMore, missing, partial } = history
  // Nothing can be said of a run by half of its tasks.
  useEffect(() => {
    if (hasMore && !isLoadingMore && missing !== 'archive') loadMore()
  })
  // A half that has none does not stand for the other, which does not tell; of a run that goes on an archive has nothing.
  const isUntold = history.items?.length === 0 && (missing === 'cluster' || (missing === 'archive' && isSettled(run)))
  const { uid } = run.metadata
  const own = useMemo(() => ofRun(history.items, uid), [history.items, uid])
  const areAll = !partial && !hasMore
  return isUntold
    ? { ...history, items: undefined, error: partial, isComplete: areAll }
    : { ...history, items: own, isComplete: areAll }
}

/** Without those of another run that had the same name; of objects that were copied from elsewhere all, whose uids are of there. */
function ofRun(taskRuns: TaskRun[] | undefined, uid: string | undefined): TaskRun[] | undefined {
  if (!taskRuns?.some((taskRun) => runUidOf(taskRun) === uid)) return taskRuns
  return taskRuns.filter((taskRun) => [uid, undefined].includes(runUidOf(taskRun)))
}

const runUidOf = ({ metadata }: TaskRun): string | undefined =>
  metadata.labels?.[labels.pipelineRunUid] ?? metadata.ownerReferences?.find(({ kind }) => kind === 'PipelineRun')?.uid
