import { latestFindings, type PolicyCheck } from '@slipway/model/policy/policy-checks'
import { isOnHorizon, type KnownPolicy, type PolicyDate, policyDates } from '@slipway/model/policy/policy-horizon'
import { useMemo } from 'react'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'
import { useNow } from '../../ui/text/now'
import type { PolicyScope } from './policy-scope'
import { appliedPolicies, usePolicies } from './use-policies'
import { usePolicyChecks } from './use-policy-checks'

const minuteMs = 60_000

/**
 * The dates of the next 90 days, what is not known of them, and the time to the minute.
 * @param mostReports that are read, if fewer than on the pages of the policy
 */
export function usePolicyDates(scope: PolicyScope, mostReports?: number) {
  const checks = usePolicyChecks(scope, mostReports)
  const applied = useMemo(() => appliedPolicies(checks.rows ?? none), [checks.rows])
  const policies = usePolicies(applied)
  // A date is due within a second; the calendar moves on within a minute.
  const nowMs = useNow(1_000)
  const { dates } = useFold(foldDates, { checks: checks.rows ?? none, policies: policies.known, nowMs })
  const minute = Math.floor(nowMs / minuteMs) * minuteMs
  return { checks, policies, nowMs: minute, dates: checks.rows && !policies.isPending ? dates : undefined }
}

interface Known {
  checks: readonly PolicyCheck[]
  policies: readonly KnownPolicy[]
  nowMs: number
}

interface Dates extends Known {
  dates: readonly PolicyDate[]
}

function foldDates({ checks, policies, nowMs }: Known, before?: Dates): Dates {
  const isSame =
    before?.checks === checks &&
    isShallowEqual(
      policies.map(({ waivers }) => waivers),
      before.policies.map(({ waivers }) => waivers),
    ) &&
    Math.floor(nowMs / minuteMs) === Math.floor(before.nowMs / minuteMs) &&
    before.dates.every(({ isDue, atMs }) => isDue || nowMs < atMs)
  if (isSame) return before
  const dates = policyDates(nowMs, latestFindings(checks), policies).filter((date) => isOnHorizon(nowMs, date))
  return { checks, policies, nowMs, dates }
}

const none: never[] = []
