import type { PolicyCheck } from '@slipway/model/policy/policy-checks'
import { checkOf, latestVerifications, newestVerifications } from '@slipway/model/policy/verifications'
import { verifyTasks } from '@slipway/model/snapshots/enterprise-contract'
import { useMemo } from 'react'
import type { RowKind } from '../../api/source'
import { useTaskHistories } from '../security/use-task-histories'
import { type Reports, useReports } from '../security/use-reports'
import { securityReports } from '../../resources/security-reports'
import type { PolicyScope } from './policy-scope'

export type PolicyChecks = Reports<PolicyCheck>

const checkRows: RowKind<PolicyCheck> = {
  idOf: ({ taskRun }) => taskRun,
  nameOf: ({ taskRun }) => taskRun,
  isBeingDeleted: () => false,
}

/**
 * The reports of the latest verifications; those that could not be read are missing parts.
 * @param most of them, if fewer than on the pages of the policy
 */
export function usePolicyChecks({ namespace, application, snapshot }: PolicyScope, most?: number): PolicyChecks {
  const known = useTaskHistories(namespace, verifyTasks, { application, snapshot })
  // A snapshot of a pull request has no others.
  const select = snapshot ? newestVerifications : latestVerifications
  const latest = useMemo(() => select(known.rows ?? none), [select, known.rows])
  return useReports({
    name: 'policy results',
    known,
    taskRuns: latest,
    queryOf: securityReports.of,
    rowOf: checkOf,
    kind: checkRows,
    ...(most !== undefined && { most }),
  })
}

const none: never[] = []
