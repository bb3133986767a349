import { nameOf, specOf } from '@slipway/kube/object'
import { isForbidden } from '@slipway/kube/status'
import { parseNamespacedName } from '@slipway/model/namespaced-name'
import type { AppliedPolicyRef } from '@slipway/model/policy/verifications'
import { attachedAdmission } from '@slipway/model/releases/release-plan'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accessQuery } from '../../api/access/access'
import { failureText } from '../../api/messages'
import { useFold } from '../../lib/use-fold'
import { readAdmissionChecks, releasePlanAdmissions } from '../../resources/release-plan-admissions'
import { releasePlans } from '../../resources/release-plans'
import type { PolicyScope } from './policy-scope'
import type { UnknownPolicy } from './use-policies'

/** A policy that is not known by name, and the application that it holds for: `undefined` if it may hold for any. */
export interface UnnamedPolicy extends UnknownPolicy {
  application: string | undefined
}

export interface ReleasePolicies {
  applied: readonly AppliedPolicyRef[]
  unnamed: readonly UnnamedPolicy[]
  isPending: boolean
}

type ReadAdmission = { policy: string | undefined; reason?: undefined } | { policy?: undefined; reason: string }

/**
 * The policies that releases of applications are verified against. The admissions of their plans name them, which are
 * usually in the namespaces of other teams.
 */
export function useReleasePolicies({ namespace, application }: PolicyScope): ReleasePolicies {
  const plans = useQuery(releasePlans.listed(namespace))
  const attached = useMemo(
    () =>
      (plans.data?.items ?? []).flatMap((plan) => {
        const { application: of } = specOf(plan)
        const admission = parseNamespacedName(attachedAdmission(plan)?.name)
        if (!of || !admission?.namespace || (application && of !== application)) return []
        return [{ plan: nameOf(plan), application: of, namespace: admission.namespace, name: admission.name }]
      }),
    [plans.data, application],
  )
  const namespaces = [...new Set(attached.map((each) => each.namespace))]
  const access = useQueries({ queries: namespaces.flatMap(readAdmissionChecks).map(accessQuery) })
  const accessTo = (each: string) => access[namespaces.indexOf(each)]
  const admissions = useQueries({
    queries: attached.map((each) => ({
      ...releasePlanAdmissions.get(each.namespace, each.name),
      enabled: accessTo(each.namespace)?.data === true,
    })),
  })
  const read = attached.map((each, at): ReadAdmission | undefined => {
    const { data: isAllowed, error: reviewError } = accessTo(each.namespace) ?? {}
    const { data: admission, error } = admissions[at] ?? {}
    const failure = reviewError ?? error
    if (admission) return { policy: specOf(admission).policy }
    if (isAllowed === false || isForbidden(error)) return { reason: `you may not read admissions in ${each.namespace}` }
    return failure ? { reason: failureText(failure) } : undefined
  })
  const known = JSON.stringify(
    attached.flatMap((each, at): KnownPolicy[] => {
      const policy = read[at]?.policy
      return policy ? [[each.application, each.namespace, policy]] : []
    }),
  )
  const unnamed = attached.flatMap(({ plan, application: of }, at): UnnamedPolicy[] => {
    const reason = read[at]?.reason
    return reason === undefined ? [] : [{ name: `the policy of release plan ${plan}`, reason, application: of }]
  })
  const { refs: applied } = useFold(refsIn, known)
  return {
    applied,
    unnamed: plans.error
      ? [{ name: 'the policies of release plans', reason: failureText(plans.error), application: undefined }]
      : unnamed,
    isPending: plans.isPending || read.includes(undefined),
  }
}

type KnownPolicy = [application: string, namespace: string, policy: string]

interface KnownRefs {
  known: string
  refs: readonly AppliedPolicyRef[]
}

/** @param known as JSON, so that the same policies are the same array */
function refsIn(known: string, before?: KnownRefs): KnownRefs {
  if (before?.known === known) return before
  // Written above.
  const policies = JSON.parse(known) as KnownPolicy[]
  return {
    known,
    refs: policies.map(([application, namespace, name]) => ({
      ref: { kind: 'object', namespace, name },
      applications: [application],
    })),
  }
}
