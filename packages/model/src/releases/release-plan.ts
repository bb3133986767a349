import { type Condition, type KubeObject, specOf } from '@slipway/kube/object'
import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { defineResource } from '@slipway/kube/resource-type'
import type { DefinitionRef, Param } from '../runs/tekton'

/** A pipeline that a release runs. */
export interface ReleasePipeline {
  /** The fields besides the reference say how the pipeline passes data between its tasks. */
  pipelineRef: DefinitionRef & { ociStorage?: string; useEmptyDir?: boolean }
  serviceAccountName?: string
  params?: Param[]
  timeouts?: { pipeline?: string; tasks?: string; finally?: string }
  /** How often it is run again after it lacked memory or time; 0 for never. The operator decides by default. */
  maxRetries?: number
}

interface TimeoutIncrease {
  /** Go durations, such as `1h0m0s`. */
  increment: string
  maxTimeout?: string
}

/** Whether a managed pipeline is run again after it lacked memory or time, and what it gets more of then. */
export interface RetryInfo {
  enabled: boolean
  maxRetries?: number
  mitigations?: {
    oomKill?: {
      /** A number, such as `1.5`. */
      multiplier: string
      maxComputeResources?: { limits?: { memory?: string }; requests?: { memory?: string } }
    }
    timeout?: { pipeline?: TimeoutIncrease; task?: TimeoutIncrease }
  }
  /** Why retries are enabled or not. */
  reason: string
}

/** Collectors add to the data of a release before its pipelines run. */
export interface Collectors {
  items: { name: string; type: string; params: { name: string; value: string }[]; timeout?: number }[]
  secrets?: string[]
  serviceAccountName?: string
}

export interface ReleasePlan extends KubeObject {
  spec: {
    /** Absent if there is a `componentGroup`. */
    application: string
    componentGroup?: string
    /** Namespace of the admission; a plan without one releases on its own. */
    target?: string
    tenantPipeline?: ReleasePipeline
    finalPipeline?: ReleasePipeline
    collectors?: Collectors
    releaseGracePeriodDays?: number
    data?: unknown
    /** Predecessors of `tenantPipeline`, the oldest last: still read, never written. */
    pipeline?: ReleasePipeline & { serviceAccount?: string }
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
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'ReleasePlan',
  plural: 'releaseplans',
  namespaced: true,
})

export interface ReleasePlanAdmission extends KubeObject {
  spec: {
    applications?: string[]
    componentGroups?: string[]
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
  status?: {
    conditions?: Condition[]
    releasePlans?: { name: string; active?: boolean }[]
    retryInfo?: RetryInfo
  }
}
export const releasePlanAdmissionType = defineResource<ReleasePlanAdmission>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'ReleasePlanAdmission',
  plural: 'releaseplanadmissions',
  namespaced: true,
})

export const releasePlanStatuses = ['Matched', 'Not Matched'] as const
export type ReleasePlanStatus = (typeof releasePlanStatuses)[number]

/** The admission that matches a plan. The API stores an empty object if there is none, so only a name counts. */
export function attachedAdmission({ status }: ReleasePlan): { name: string; isActive: boolean } | undefined {
  const { name, active } = asRecord(asRecord(status).releasePlanAdmission)
  const text = asText(name)
  return text === undefined ? undefined : { name: text, isActive: active !== false }
}

/** Specification: 3, section 4. */
export const releasePlanStatus = (plan: ReleasePlan): ReleasePlanStatus =>
  attachedAdmission(plan) ? 'Matched' : 'Not Matched'

/** The applications that an admission admits, in every shape of it. */
export const admittedApplications = (admission: ReleasePlanAdmission): string[] => {
  const { applications, application } = specOf(admission)
  return (applications === undefined ? [application] : asArray(applications)).flatMap((name) => asText(name) ?? [])
}

/** The value of a label that is `"true"` or `"false"`, as shown: `True`, `False`, or `-` without the label. */
export function flagText({ metadata }: KubeObject, label: string): string {
  const value = metadata.labels?.[label] ?? ''
  return value === '' ? '-' : value.charAt(0).toUpperCase() + value.slice(1)
}
