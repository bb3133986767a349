import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { runGraph, type TaskNode } from '@slipway/model/graphs/pipeline-graph'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import {
  hasTimedOut,
  ignoredFailureOf,
  timedOutText,
  type IgnoredFailure,
  type RunStatusWord,
} from '@slipway/model/runs/run-status'
import { taskNameIn, type TaskRun } from '@slipway/model/runs/task-run'
import { byStartTime } from '@slipway/model/runs/tekton'
import { isSettled, displayTaskStatus } from '../status/display-status'

/** A task of a run, as its logs are listed. */
export interface RunTask {
  /** Its name in the URL: the name in the pipeline, or that of the task run if the task has several. */
  id: string
  /** Its name in the pipeline. */
  task: string
  label: string
  status: RunStatusWord
  verdict?: IgnoredFailure | undefined
  /** What the status does not say: it timed out, or the run has ended without it. */
  note?: string | undefined
  hasNotRun?: true | undefined
  /** Absent for a task that has not started, or was skipped. */
  taskRun?: TaskRun | undefined
}

/**
 * All tasks of a run in the order in which they ran; those that have not started follow in the order of the pipeline.
 * @param isComplete whether the run has no other task runs, in the cluster or an archive
 */
export function runTasks(run: PipelineRun, taskRuns: readonly TaskRun[], isComplete = true): RunTask[] {
  const counts = new Map<string, number>()
  for (const taskRun of taskRuns) {
    const task = taskNameIn(run, taskRun)
    counts.set(task, (counts.get(task) ?? 0) + 1)
  }
  const { nodes } = runGraph(run, taskRuns, { isComplete })
  const nodeOf = new Map(nodes.map((node) => [node.taskRun, node]))
  const started = byStartTime(taskRuns).map((taskRun): RunTask => {
    const task = taskNameIn(run, taskRun)
    const isOneOfMany = (counts.get(task) ?? 0) > 1
    const node = nodeOf.get(nameOf(taskRun))
    // The graph shows only the newest of successive runs of a task.
    const instance = node?.instance ?? taskRun.metadata.labels?.[labels.targetPlatform] ?? nameOf(taskRun)
    return {
      id: isOneOfMany ? nameOf(taskRun) : task,
      task,
      label: isOneOfMany ? `${task} (${instance})` : (node?.label ?? task),
      status: displayTaskStatus(taskRun),
      verdict: ignoredFailureOf(taskRun),
      ...(hasTimedOut(taskRun) && { note: timedOutText }),
      taskRun,
    }
  })
  const others = nodes.filter(({ task }) => !counts.has(task))
  return [
    ...started,
    ...others.map(({ task, label, status, detail, hasNotRun }): RunTask => {
      return { id: task, task, label, status, note: detail, hasNotRun }
    }),
  ]
}

export const skippedText = 'No logs. This task was skipped.'

/** Why there is no log of a task that has no TaskRun. */
export function noLogText(
  run: PipelineRun,
  { task, status, hasNotRun }: Pick<TaskNode, 'task' | 'status'> & Pick<RunTask, 'hasNotRun'>,
): string {
  if (status === 'Skipped') return skippedText
  if (status === 'Unknown') return 'The task run of this task cannot be read.'
  if (hasNotRun) return 'No logs found. This task did not run.'
  return isSettled(run) ? 'No logs found.' : `Waiting for ${task} task to start`
}

/**
 * The selected task.
 * @param taskParam the parameter in the URL: an id, or the name of a task run
 * @returns without the parameter the first failed task, else the first running one, else the first whose pod is pending,
 *   else the first
 */
export function chosenTask(tasks: readonly RunTask[], taskParam: string | null): RunTask | undefined {
  if (taskParam) {
    return (
      tasks.find(({ id }) => id === taskParam) ??
      tasks.find(({ task, taskRun }) => task === taskParam || (taskRun && nameOf(taskRun) === taskParam))
    )
  }
  return (
    tasks.find(({ status, verdict }) => status === 'Failed' && !verdict) ??
    tasks.find(({ status }) => status === 'Running') ??
    tasks.find(({ status, taskRun }) => status === 'Pending' && taskRun) ??
    tasks[0]
  )
}
