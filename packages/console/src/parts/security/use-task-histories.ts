import type { TaskRun } from '@slipway/model/runs/task-run'
import { useHistory } from '../../api/archive/history'
import { type Source, useJoined } from '../../api/source'
import { type TaskScope, taskRuns } from '../../resources/task-runs'

/** The task runs of a task that pipelines know by one of two names, in the cluster and in the archive. */
export function useTaskHistories(
  namespace: string,
  [first, second]: readonly [string, string],
  scope: TaskScope,
): Source<TaskRun> {
  const histories = [
    useHistory(taskRuns.ofTask(namespace, first, scope)),
    useHistory(taskRuns.ofTask(namespace, second, scope)),
  ] as const
  return useJoined(histories, ([a, b]) => a && b && [...a, ...b], histories[0].kind)
}
