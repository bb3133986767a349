import { hasTimedOut, ignoredFailureOf, timedOutText } from '@slipway/model/runs/run-status'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { displayTaskStatus } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'

/** The status of a task run: also whether it timed out, and whether its failure was ignored. */
export const TaskRunStatus = ({ taskRun }: { taskRun: TaskRun }) => (
  <StatusLabel
    status={displayTaskStatus(taskRun)}
    verdict={ignoredFailureOf(taskRun)}
    note={hasTimedOut(taskRun) ? timedOutText : undefined}
  />
)
