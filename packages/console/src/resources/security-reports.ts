import { parseReport, reportStep, type RuleResult } from '@slipway/model/snapshots/enterprise-contract'
import { isFinished } from '@slipway/model/runs/tekton'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { queryOptions } from '@tanstack/react-query'
import { fetchReportLog, reportKey } from './report-log'

export const securityReports = {
  /** The rules in a task's report, read once the task has finished. @throws Error for a log without a report */
  of: (taskRun: TaskRun) =>
    queryOptions({
      queryKey: reportKey('security-report', taskRun),
      queryFn: async ({ signal }): Promise<RuleResult[]> => {
        const rules = parseReport(await fetchReportLog(taskRun, reportStep, signal))
        if (!rules) throw new Error('No valid EC report JSON found in logs')
        return rules
      },
      enabled: isFinished(taskRun),
      // A finished task writes nothing more.
      staleTime: Infinity,
    }),
}
