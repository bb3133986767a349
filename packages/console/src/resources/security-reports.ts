import { parseReport, reportStep, type RuleResult } from '@slipway/model/snapshots/enterprise-contract'
import { isFinished } from '@slipway/model/runs/tekton'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { queryOptions } from '@tanstack/react-query'
import { fetchStepLog } from '../api/logs/step-log'
import { createLimiter } from '../lib/limit-concurrency'

/** A page of a namespace needs many reports, and archives limit how many logs a user may read in a second. */
const inTurn = createLimiter(4)

export const securityReports = {
  /** The rules in a task's report, read once the task has finished. @throws Error for a log without a report */
  of: (taskRun: TaskRun) =>
    queryOptions({
      queryKey: [
        'security-report',
        taskRun.metadata.namespace ?? '',
        taskRun.metadata.uid ?? taskRun.metadata.name ?? '',
      ],
      queryFn: async ({ signal }): Promise<RuleResult[]> => {
        const rules = parseReport(await inTurn(() => fetchStepLog(taskRun, reportStep, signal)))
        if (!rules) throw new Error('No valid EC report JSON found in logs')
        return rules
      },
      enabled: isFinished(taskRun),
      // A finished task writes nothing more.
      staleTime: Infinity,
    }),
}
