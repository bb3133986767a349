import { isForbidden, isNotFound } from '@slipway/kube/status'
import type { PolicyRef } from '@slipway/model/policy/waivers'
import { useQueries } from '@tanstack/react-query'
import { accessQuery } from '../../api/access/access'
import { failureText } from '../../api/messages'
import { enterpriseContractPolicies, readPolicyChecks } from '../../resources/enterprise-contract-policies'

/** A policy that has been read, or why it could not be. */
export type PolicySpec = { spec: object; reason?: undefined } | { spec?: undefined; reason: string }

/** How to name a policy whose content is elsewhere, or in an object. */
export function policyName(ref: PolicyRef): string {
  if (ref.kind === 'object') return `${ref.namespace}/${ref.name}`
  return ref.kind === 'elsewhere' ? ref.address : 'the policy in the parameters of the verification'
}

/** Reads policies, those in the cluster where the user may. Those that are still being read are `undefined`. */
export function usePolicySpecs(refs: readonly PolicyRef[]): (PolicySpec | undefined)[] {
  const objects = refs.flatMap((ref) => (ref.kind === 'object' ? ref : []))
  const namespaces = [...new Set(objects.map(({ namespace }) => namespace))]
  const access = useQueries({ queries: namespaces.flatMap(readPolicyChecks).map(accessQuery) })
  const accessTo = (namespace: string) => access[namespaces.indexOf(namespace)]
  const reads = useQueries({
    queries: objects.map(({ namespace, name }) => ({
      ...enterpriseContractPolicies.get(namespace, name),
      enabled: accessTo(namespace)?.data === true,
    })),
  })
  return refs.map((ref) => {
    if (ref.kind === 'inline') return { spec: ref.spec }
    if (ref.kind === 'elsewhere') return { reason: 'it is not an object of the cluster' }
    const { data: isAllowed, error: reviewError } = accessTo(ref.namespace) ?? {}
    const { data: policy, error } = reads[objects.indexOf(ref)] ?? {}
    const failure = reviewError ?? error
    if (policy) return { spec: policy.spec ?? policy }
    if (isAllowed === false || isForbidden(error)) return { reason: `you may not read policies in ${ref.namespace}` }
    if (isNotFound(error)) return { reason: 'it does not exist' }
    return failure ? { reason: failureText(failure) } : undefined
  })
}
