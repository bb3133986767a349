import { hasTimedOut, timedOutText } from '@slipway/model/runs/run-status'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { displayTaskStatus } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'

/** The status of a task run, and whether it timed out. */
export const TaskRunStatus = ({ taskRun }: { taskRun: TaskRun }) => (
  <StatusLabel status={displayTaskStatus(taskRun)} note={hasTimedOut(taskRun) ? timedOutText : undefined} />
)
