import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PolicyCheck } from '@slipway/model/policy/policy-checks'
import { checkOf, latestVerifications } from '@slipway/model/policy/verifications'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { verifyTasks } from '@slipway/model/snapshots/enterprise-contract'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHistory } from '../../api/archive/history'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'
import { securityReports } from '../../resources/security-reports'
import { taskRuns } from '../../resources/task-runs'
import type { PolicyScope } from './policy-scope'

/** The most reports that are read: each is a log. */
const mostReports = 60

export interface PolicyChecks extends Source<PolicyCheck> {
  /** How many reports there are, of which so many have been read or have failed. */
  reportCount: number
  settledCount: number
  /** Verifications whose reports are not read, since there are too many. */
  unreadCount: number
}

const checkRows: RowKind<PolicyCheck> = {
  idOf: ({ taskRun }) => taskRun,
  nameOf: ({ taskRun }) => taskRun,
  isBeingDeleted: () => false,
}

/** The reports of the latest verifications; those that could not be read are missing parts. */
export function usePolicyChecks({ namespace, application }: PolicyScope): PolicyChecks {
  const [first = '', second = ''] = verifyTasks
  const histories = [
    useHistory(taskRuns.verifications(namespace, first, application)),
    useHistory(taskRuns.verifications(namespace, second, application)),
  ] as const
  const known = useJoined(histories, ([a, b]) => a && b && [...a, ...b], histories[0].kind)
  const latest = useMemo(() => latestVerifications(known.rows ?? none), [known.rows])
  const chosen = latest.slice(0, mostReports)
  const reports = useQueries({ queries: chosen.map(securityReports.of) })
  const { checks } = useFold(foldChecks, { taskRuns: chosen, results: reports.map(({ data }) => data) })
  const failed = reports.flatMap(({ error }, at) => {
    const taskRun = chosen[at]
    return error && taskRun ? { name: `the report of ${runOf(taskRun)}`, error } : []
  })
  const settledCount = reports.filter(({ data, error }) => data ?? error).length
  return {
    ...known,
    name: 'policy results',
    // A table without a single report would say that there are no results.
    rows: known.rows && (chosen.length === 0 || settledCount > 0) ? checks : undefined,
    kind: checkRows,
    // Both histories have the same parts.
    missing: [...new Map([...known.missing, ...failed].map((part) => [part.name, part])).values()],
    isFetching: known.isFetching || reports.some(({ isFetching }) => isFetching),
    retry() {
      known.retry()
      for (const { error, refetch } of reports) if (error) void refetch()
    },
    reportCount: chosen.length,
    settledCount,
    unreadCount: latest.length - chosen.length,
  }
}

const runOf = (taskRun: TaskRun): string => taskRun.metadata.labels?.[labels.pipelineRun] ?? nameOf(taskRun)

interface ReadReports {
  taskRuns: readonly TaskRun[]
  results: readonly (PolicyCheck['results'] | undefined)[]
}

interface Checks {
  results: ReadReports['results']
  checks: readonly PolicyCheck[]
}

/** Reports never change, so the checks stay the same as long as the reports do. */
function foldChecks({ taskRuns, results }: ReadReports, before?: Checks): Checks {
  if (before && isShallowEqual(results, before.results)) return before
  const checks = taskRuns.flatMap((taskRun, at) => {
    const read = results[at]
    return read ? checkOf(taskRun, read) : []
  })
  return { results, checks }
}

const none: never[] = []
