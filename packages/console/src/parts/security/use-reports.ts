import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { type UseQueryOptions, useQueries } from '@tanstack/react-query'
import type { MissingPart, RowKind, Source } from '../../api/source'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'

/** Reports that tasks have written to their logs. */
export interface Reports<R> extends Source<R> {
  /** How many reports there are, of which so many have been read or have failed. */
  reportCount: number
  settledCount: number
  /** Task runs whose reports are not read, since there are too many. */
  unreadCount: number
}

/** The most reports that a page reads: each is a log. */
export const mostReports = 60

interface ReportsOf<D, R> {
  /** As used in a sentence. */
  name: string
  /** Where the task runs come from. */
  known: Source<TaskRun>
  /** Those whose reports are read, the most important first; others than the first ones are left out. */
  taskRuns: readonly TaskRun[]
  queryOf: (taskRun: TaskRun) => UseQueryOptions<D, Error, D, string[]>
  rowOf: (taskRun: TaskRun, report: D) => R
  kind: RowKind<R>
  /** How many of them are read. */
  most?: number
}

/** The reports of task runs as rows; those that could not be read are missing parts. */
export function useReports<D extends object, R>({
  name,
  known,
  taskRuns,
  queryOf,
  rowOf,
  kind,
  most = mostReports,
}: ReportsOf<D, R>): Reports<R> {
  const chosen = taskRuns.slice(0, most)
  const reports = useQueries({ queries: chosen.map(queryOf) })
  const { rows } = useFold(foldRows<D, R>, { taskRuns: chosen, reports: reports.map(({ data }) => data), rowOf })
  const failed = reports.flatMap(({ error }, at): MissingPart[] => {
    const taskRun = chosen[at]
    return error && taskRun ? [{ name: `the report of ${runOf(taskRun)}`, error }] : []
  })
  const settledCount = reports.filter(({ data, error }) => data ?? error).length
  return {
    ...known,
    name,
    // A table without a single report would say that there are no results.
    rows: known.rows && (chosen.length === 0 || settledCount > 0) ? rows : undefined,
    kind,
    // Several histories may have the same parts.
    missing: [...new Map([...known.missing, ...failed].map((part) => [part.name, part])).values()],
    isFetching: known.isFetching || reports.some(({ isFetching }) => isFetching),
    retry() {
      known.retry()
      for (const { error, refetch } of reports) if (error) void refetch()
    },
    reportCount: chosen.length,
    settledCount,
    unreadCount: taskRuns.length - chosen.length,
  }
}

const runOf = (taskRun: TaskRun): string => taskRun.metadata.labels?.[labels.pipelineRun] ?? nameOf(taskRun)

interface ReadReports<D, R> {
  taskRuns: readonly TaskRun[]
  reports: readonly (D | undefined)[]
  rowOf: (taskRun: TaskRun, report: D) => R
}

interface Rows<D, R> {
  reports: readonly (D | undefined)[]
  rows: readonly R[]
}

/** Reports never change, so the rows stay the same as long as the reports do. */
function foldRows<D, R>({ taskRuns, reports, rowOf }: ReadReports<D, R>, before?: Rows<D, R>): Rows<D, R> {
  if (before && isShallowEqual(reports, before.reports)) return before
  const rows = taskRuns.flatMap((taskRun, at) => {
    const report = reports[at]
    return report ? [rowOf(taskRun, report)] : []
  })
  return { reports, rows }
}
