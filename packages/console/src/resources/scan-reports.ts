import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { parseScanLog } from '@slipway/model/vulnerabilities/scan-reports'
import { reportStepsOf, type Scan, scanOf } from '@slipway/model/vulnerabilities/scans'
import { queryOptions } from '@tanstack/react-query'
import { fetchReportLog, reportKey } from './report-log'

export const scanReports = {
  /** What a scan has found, read from its log once it has finished. */
  of: (taskRun: TaskRun) =>
    queryOptions({
      queryKey: reportKey('scan-report', taskRun),
      queryFn: async ({ signal }): Promise<Scan> => {
        const logs = await Promise.all(reportStepsOf(taskRun).map((step) => fetchReportLog(taskRun, step, signal)))
        return scanOf(taskRun, parseScanLog(logs.join('\n')))
      },
      enabled: isFinished(taskRun),
      // A finished task writes nothing more.
      staleTime: Infinity,
      // Comparing what never changes would take longer than reading it.
      structuralSharing: false,
    }),
}
