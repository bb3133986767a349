import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import type { DefinitionRef, Param } from '../runs/tekton'

/** A pipeline that a release runs. */
export interface ReleasePipeline {
  /** The fields besides the reference say how the pipeline passes data between its tasks. */
  pipelineRef: DefinitionRef & { ociStorage?: string; useEmptyDir?: boolean }
  serviceAccountName?: string
  params?: Param[]
  timeouts?: { pipeline?: string; tasks?: string; finally?: string }
}

/** Collectors add to the data of a release before its pipelines run. */
export interface Collectors {
  items: { name: string; type: string; params: { name: string; value: string }[]; timeout?: number }[]
  secrets?: string[]
  serviceAccountName?: string
}

export interface ReleasePlan extends KubeObject {
  spec: {
    application: string
    /** Namespace of the admission; a plan without one releases on its own. */
    target?: string
    tenantPipeline?: ReleasePipeline
    finalPipeline?: ReleasePipeline
    collectors?: Collectors
    releaseGracePeriodDays?: number
    data?: unknown
    /** Predecessor of `tenantPipeline`: still read, never written. */
    pipelineRef?: DefinitionRef
    serviceAccount?: string
  }
  status?: {
    conditions?: Condition[]
    /** `name` is `namespace/name`; an empty object if no admission matches. */
    releasePlanAdmission?: { name?: string; active?: boolean }
  }
}
export const releasePlanType = defineResource<ReleasePlan>({
  group: 'appstudio.redhat.com',
  version: 'v1alpha1',
  kind: 'ReleasePlan',
  plural: 'releaseplans',
  namespaced: true,
})

export interface ReleasePlanAdmission extends KubeObject {
  spec: {
    applications?: string[]
    /** Predecessor of `applications`: still read, never written. */
    application?: string
    /** Namespace of the release plans that it admits. */
    origin: string
    policy: string
    environment?: string
    pipeline?: ReleasePipeline
    collectors?: Collectors
    data?: unknown
  }
  status?: { conditions?: Condition[]; releasePlans?: { name: string; active?: boolean }[] }
}
export const releasePlanAdmissionType = defineResource<ReleasePlanAdmission>({
  group: 'appstudio.redhat.com',
  version: 'v1alpha1',
  kind: 'ReleasePlanAdmission',
  plural: 'releaseplanadmissions',
  namespaced: true,
})
