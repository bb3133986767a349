import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

/** A source repository that Pipelines as Code watches. */
export interface Repository extends KubeObject {
  spec: {
    url: string
    git_provider?: { type?: string; url?: string; secret?: { name: string; key?: string } }
  }
  pipelinerun_status?: {
    conditions?: Condition[]
    pipelineRunName?: string
    sha?: string
    startTime?: string
    completionTime?: string
  }[]
}
export const repositoryType = defineResource<Repository>({
  group: 'pipelinesascode.tekton.dev',
  version: 'v1alpha1',
  kind: 'Repository',
  plural: 'repositories',
  namespaced: true,
})
