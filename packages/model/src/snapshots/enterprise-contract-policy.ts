import type { KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

/** Rules that the images of a release have to fulfil. The console shows them as they are. */
export const enterpriseContractPolicyType = defineResource<KubeObject>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'EnterpriseContractPolicy',
  plural: 'enterprisecontractpolicies',
  namespaced: true,
})
