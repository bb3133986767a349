import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { runGraph, type TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { RunStatusWord } from '@slipway/model/runs/run-status'
import { taskNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { byStartTime } from '@slipway/model/runs/tekton'
import { isSettled, displayTaskStatus } from '../status/display-status'

/** A task of a run, as its logs are listed. */
export interface RunTask {
  /** In the address: as the pipeline calls it, or the name of the task run where a task has several. */
  id: string
  label: string
  status: RunStatusWord
  /** Absent for one that has not begun, and for one that was skipped. */
  taskRun?: TaskRun | undefined
}

/**
 * All tasks of a run in the order in which they ran; those that have not begun follow as the pipeline has them.
 * @param isComplete whether the run has no other task runs, in the cluster or an archive
 */
export function runTasks(run: PipelineRun, taskRuns: readonly TaskRun[], isComplete = true): RunTask[] {
  const counts = new Map<string, number>()
  for (const taskRun of taskRuns) counts.set(taskNameOf(taskRun), (counts.get(taskNameOf(taskRun)) ?? 0) + 1)
  const begun = byStartTime(taskRuns).map((taskRun): RunTask => {
    const task = taskNameOf(taskRun)
    const isOneOfMany = (counts.get(task) ?? 0) > 1
    const instance = taskRun.metadata.labels?.[labels.targetPlatform] ?? nameOf(taskRun)
    return {
      id: isOneOfMany ? nameOf(taskRun) : task,
      label: isOneOfMany ? `${task} (${instance})` : task,
      status: displayTaskStatus(taskRun),
      taskRun,
    }
  })
  const others = runGraph(run, taskRuns, { isComplete }).nodes.filter(({ task }) => !counts.has(task))
  return [...begun, ...others.map(({ task, status }): RunTask => ({ id: task, label: task, status }))]
}

export const skippedText = 'No logs. This task was skipped.'

/** Why there is no log of a task that has no TaskRun. */
export function noLogText(run: PipelineRun, { task, status }: Pick<TaskNode, 'task' | 'status'>): string {
  if (status === 'Skipped') return skippedText
  if (status === 'Unknown') return 'The task run of this task cannot be read.'
  return isSettled(run) ? 'No logs found.' : `Waiting for ${task} task to start`
}

/**
 * The one that is meant.
 * @param taskParam of the address, for which a task run's own name will do too
 * @returns without a wish the first that has failed, else the one that runs, else the first
 */
export function chosenTask(tasks: readonly RunTask[], taskParam: string | null): RunTask | undefined {
  if (taskParam) {
    return (
      tasks.find(({ id }) => id === taskParam) ??
      tasks.find(({ taskRun }) => taskRun && (nameOf(taskRun) === taskParam || taskNameOf(taskRun) === taskParam))
    )
  }
  return tasks.find(({ status }) => status === 'Failed') ?? tasks.find(({ status }) => status === 'Running') ?? tasks[0]
}
