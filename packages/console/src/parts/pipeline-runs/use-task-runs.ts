import { nameOf, namespaceOf } from '@slipway/kube/object'
import { lastFirstBy } from '@slipway/model/newest'
import { asTaskRun, hasCustomRuns } from '@slipway/model/runs/custom-run'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pipelineRunUidOf, type TaskRun } from '@slipway/model/runs/task-run'
import { useMemo } from 'react'
import { useHistory } from '../../api/archive/history'
import { type Source, useJoined, useList } from '../../api/source'
import { customRuns } from '../../resources/custom-runs'
import { newestStart } from '../../api/archive/origin'
import { taskRuns } from '../../resources/task-runs'
import { isSettled } from '../status/display-status'

export interface TaskRunsOfRun extends Source<TaskRun> {
  /** Whether the cluster and the archive have both been read to the end. */
  isComplete: boolean
}

/**
 * All task runs of a run, from the cluster and the archive, kept up to date; with its custom runs in the form of task
 * runs (`asTaskRun`), which few runs have. If they cannot be read, they are a missing part.
 */
export function useTaskRuns(run: PipelineRun): TaskRunsOfRun {
  const own = useOwnTaskRuns(run)
  const hasCustom = hasCustomRuns(run)
  const custom = useList({ ...customRuns.of(namespaceOf(run) ?? '', nameOf(run)), enabled: hasCustom }, 'custom runs')
  const uid = run.metadata.uid
  const rows = useMemo(
    () => own.rows && custom.rows && newestFirst([...own.rows, ...ofRun(custom.rows.map(asTaskRun), uid)]),
    [own.rows, custom.rows, uid],
  )
  const joined = useJoined([own, custom], () => rows ?? own.rows, own.kind)
  // Without them, the tasks that have a custom run are not known.
  return hasCustom ? { ...joined, isComplete: own.isComplete && custom.rows !== undefined } : own
}

const newestFirst = (taskRuns: readonly TaskRun[]): TaskRun[] => [...taskRuns].sort(lastFirstBy(newestStart))

function useOwnTaskRuns(run: PipelineRun): TaskRunsOfRun {
  const history = useHistory(taskRuns.historyOf(namespaceOf(run) ?? '', nameOf(run)))
  const { missing, more } = history
  const isComplete = missing.length === 0 && !more
  // An empty source does not make up for a failed one, but an archive has nothing of an unfinished run.
  const failed = missing.find(({ name }) => name === 'the cluster') ?? (isSettled(run) ? missing[0] : undefined)
  if (history.rows?.length === 0 && failed) return { ...history, rows: undefined, error: failed.error, isComplete }
  return { ...history, rows: history.rows && ofRun(history.rows, run.metadata.uid), isComplete }
}

/** Drops those of another run of the same name. Keeps all if no uid matches, as for objects copied from elsewhere. */
function ofRun(taskRuns: readonly TaskRun[], uid: string | undefined): readonly TaskRun[] {
  if (!taskRuns.some((taskRun) => pipelineRunUidOf(taskRun) === uid)) return taskRuns
  const own = taskRuns.filter((taskRun) => [uid, undefined].includes(pipelineRunUidOf(taskRun)))
  return own.length === taskRuns.length ? taskRuns : own
}
