import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

/** A source repository that Pipelines as Code watches. */
export interface Repository extends KubeObject {
  spec: {
    url: string
    /** How many of its runs may run at the same time; the others are held. Any number by default. */
    concurrency_limit?: number
    git_provider?: { type?: string; url?: string; secret?: { name: string; key?: string } }
  }
  /** Its last runs. Pipelines as Code no longer writes them. */
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
