import type { TaskRun } from '@slipway/model/runs/task-run'
import { fetchStepLog } from '../api/logs/step-log'
import { createLimiter } from '../lib/limit-concurrency'

/** A page of a namespace needs many reports, and archives limit how many logs a user may read in a second. */
const inTurn = createLimiter(4)

/** The log of a step that writes a report, read after those that were requested before. */
export const fetchReportLog = (taskRun: TaskRun, step: string, signal: AbortSignal): Promise<string> =>
  inTurn(() => fetchStepLog(taskRun, step, signal))

/** Tells the reports of task runs apart. */
export const reportKey = (report: string, { metadata }: TaskRun) => [
  report,
  metadata.namespace ?? '',
  metadata.uid ?? metadata.name ?? '',
]
