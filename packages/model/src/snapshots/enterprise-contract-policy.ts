import type { KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

/** Rules that the images of a release have to fulfil. */
export interface EnterpriseContractPolicy extends KubeObject {
  /** Its exceptions are read by `waiversOf`. */
  spec?: object
}

export const enterpriseContractPolicyType = defineResource<EnterpriseContractPolicy>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'EnterpriseContractPolicy',
  plural: 'enterprisecontractpolicies',
  namespaced: true,
})
