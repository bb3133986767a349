import { nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { useHistory } from '../../api/archive/history'
import type { Source } from '../../api/source'
import { taskRuns } from '../../resources/task-runs'
import { isSettled } from '../status/display-status'

export interface TaskRunsOfRun extends Source<TaskRun> {
  /** There are no others: both the cluster and the archive have told. */
  isComplete: boolean
}

/** Every task run of a run, of the cluster and of the archive, kept up to date. */
export function useTaskRuns(run: PipelineRun): TaskRunsOfRun {
  const history = useHistory(taskRuns.historyOf(namespaceOf(run) ?? '', nameOf(run)))
  const { missing, more } = history
  const isComplete = missing.length === 0 && !more
  // A part that has none says nothing of the other, which failed; of a run that goes on an archive has nothing.
  const failed = missing.find(({ name }) => name === 'the cluster') ?? (isSettled(run) ? missing[0] : undefined)
  if (history.rows?.length === 0 && failed) return { ...history, rows: undefined, error: failed.error, isComplete }
  return { ...history, rows: history.rows && ofRun(history.rows, run.metadata.uid), isComplete }
}

/** Without those of another run that had the same name; of objects that were copied from elsewhere all, whose uids are of there. */
function ofRun(taskRuns: readonly TaskRun[], uid: string | undefined): readonly TaskRun[] {
  if (!taskRuns.some((taskRun) => runUidOf(taskRun) === uid)) return taskRuns
  const own = taskRuns.filter((taskRun) => [uid, undefined].includes(runUidOf(taskRun)))
  return own.length === taskRuns.length ? taskRuns : own
}

const runUidOf = ({ metadata }: TaskRun): string | undefined =>
  metadata.labels?.[labels.pipelineRunUid] ?? metadata.ownerReferences?.find(({ kind }) => kind === 'PipelineRun')?.uid
