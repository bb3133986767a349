import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

/** One or more components that are built, tested and released together. */
export interface Application extends KubeObject {
  spec: { displayName: string; description?: string }
  status?: { conditions?: Condition[] }
}

export const applicationType = defineResource<Application>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'Application',
  plural: 'applications',
  namespaced: true,
})
