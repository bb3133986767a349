import { enterpriseContractPolicyType } from '@slipway/model/snapshots/enterprise-contract-policy'
import type { AccessCheck } from '../api/access/access-review'
import { getQuery } from '../api/queries'

export const enterpriseContractPolicies = {
  get: (namespace: string, name: string) => getQuery(enterpriseContractPolicyType, { namespace, name }),
}

/** The permission needed to read a policy, which is usually in another team's namespace. */
export const readPolicyChecks = (namespace: string): AccessCheck[] => [
  { verb: 'get', type: enterpriseContractPolicyType, namespace },
]
