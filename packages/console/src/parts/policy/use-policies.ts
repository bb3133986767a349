import type { Finding, PolicyCheck } from '@slipway/model/policy/policy-checks'
import { latestFindings } from '@slipway/model/policy/policy-checks'
import type { KnownPolicy } from '@slipway/model/policy/policy-horizon'
import { type PolicyRef, policyRefOf, type Waiver, waiversOf } from '@slipway/model/policy/waivers'
import { policyName, usePolicySpecs } from './use-policy-specs'

/** A policy whose exceptions are not known. */
export interface UnknownPolicy {
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

/** The policies that verifications apply, with what they found. */
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
  const specs = usePolicySpecs(applied.map(({ ref }) => ref))
  const known: KnownPolicy[] = []
  const unknown: UnknownPolicy[] = []
  for (const [at, { ref, findings }] of applied.entries()) {
    const read = specs[at]
    if (read?.spec) known.push({ ref, findings, waivers: waiversIn(read.spec) })
    else if (read) unknown.push({ name: policyName(ref), reason: read.reason })
  }
  return { known, unknown, isPending: specs.includes(undefined) }
}
