import type { Finding, PolicyCheck } from '@slipway/model/policy/policy-checks'
import { latestFindings } from '@slipway/model/policy/policy-checks'
import type { KnownPolicy } from '@slipway/model/policy/policy-horizon'
import { type PolicyRef, policyRefOf, type Waiver, waiversOf } from '@slipway/model/policy/waivers'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { useQueries } from '@tanstack/react-query'
import { accessQuery } from '../../api/access/access'
import { failureText } from '../../api/messages'
import { enterpriseContractPolicies, readPolicyChecks } from '../../resources/enterprise-contract-policies'

/** A policy whose exceptions are not known. */
interface UnknownPolicy {
  name: string
  reason: string
}

export interface Policies {
  known: KnownPolicy[]
  unknown: UnknownPolicy[]
  isPending: boolean
}

interface AppliedPolicy {
  ref: PolicyRef
  findings: Finding[]
}

/** The policies that verifications were told to apply, with what they found. */
export function appliedPolicies(checks: readonly PolicyCheck[]): AppliedPolicy[] {
  const applied = new Map<string, AppliedPolicy>()
  for (const finding of latestFindings(checks)) {
    const ref = policyRefOf(finding.from.policy, finding.from.namespace)
    if (!ref) continue
    const key = JSON.stringify(ref)
    const same = applied.get(key)
    if (same) same.findings.push(finding)
    else applied.set(key, { ref, findings: [finding] })
  }
  return [...applied.values()]
}

/** The exceptions of a policy, which are read once for each version of it. */
const waiversByObject = new WeakMap<object, Waiver[]>()
function waiversIn(spec: object): Waiver[] {
  const known = waiversByObject.get(spec) ?? waiversOf(spec)
  waiversByObject.set(spec, known)
  return known
}

/** Reads the policies that are objects of the cluster, where the user may. */
export function usePolicies(applied: readonly AppliedPolicy[]): Policies {
  const objects = applied.flatMap(({ ref }) => (ref.kind === 'object' ? ref : []))
  const namespaces = [...new Set(objects.map(({ namespace }) => namespace))]
  const access = useQueries({ queries: namespaces.flatMap(readPolicyChecks).map(accessQuery) })
  const accessTo = (namespace: string) => access[namespaces.indexOf(namespace)]
  const reads = useQueries({
    queries: objects.map(({ namespace, name }) => ({
      ...enterpriseContractPolicies.get(namespace, name),
      enabled: accessTo(namespace)?.data === true,
    })),
  })
  const known: KnownPolicy[] = []
  const unknown: UnknownPolicy[] = []
  let isPending = false
  for (const { ref, findings } of applied) {
    if (ref.kind === 'inline') known.push({ ref, findings, waivers: waiversIn(ref.spec) })
    else if (ref.kind === 'elsewhere') unknown.push({ name: ref.address, reason: 'it is not an object of the cluster' })
    else {
      const name = `${ref.namespace}/${ref.name}`
      const { data: isAllowed, error: reviewError } = accessTo(ref.namespace) ?? {}
      const { data: policy, error } = reads[objects.indexOf(ref)] ?? {}
      const failure = reviewError ?? error
      if (policy) known.push({ ref, findings, waivers: waiversIn(policy.spec ?? policy) })
      else if (isAllowed === false || isForbidden(error))
        unknown.push({ name, reason: `you may not read policies in ${ref.namespace}` })
      else if (isNotFound(error)) unknown.push({ name, reason: 'it does not exist' })
      else if (failure) unknown.push({ name, reason: failureText(failure) })
      else isPending = true
    }
  }
  return { known, unknown, isPending }
}
