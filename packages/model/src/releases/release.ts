import type { Condition, KubeObject } from '@slipway/kube/object'
import { asText } from '@slipway/kube/parse'
import { defineResource } from '@slipway/kube/resource-type'
import { msBetween } from '../duration'
import { labels } from '../labels'

/** One of the pipelines that a release runs. */
export interface ReleaseProcessing {
  /** `namespace/name`. */
  pipelineRun?: string
  startTime?: string
  completionTime?: string
  /** Role bindings of the pipeline's service account, as `namespace/name`; deleted after the pipeline ends. */
  roleBindings?: { tenantRoleBinding?: string; managedRoleBinding?: string }
}

/** A run of a release's managed pipeline, which the service may retry. */
export interface ReleaseAttempt extends ReleaseProcessing {
  status?: string
  failureReason?: string
  lastTask?: string
  lastStep?: string
  successfulTasks?: number
  /** What the next attempt gets more of. */
  mitigation?: {
    memoryLimit?: string
    memoryRequest?: string
    pipelinesTimeout?: string
    taskTimeout?: string
    tasksTimeout?: string
  }
}

export interface Release extends KubeObject {
  spec: { releasePlan: string; snapshot: string; data?: unknown; gracePeriodDays?: number }
  status?: {
    conditions?: Condition[]
    startTime?: string
    completionTime?: string
    expirationTime?: string
    /** Namespace of the release plan admission that accepts the release. */
    target?: string
    automated?: boolean
    attribution?: { author?: string; standingAuthorization?: boolean }
    validation?: { failedPostValidation?: boolean; time?: string }
    tenantProcessing?: ReleaseProcessing
    managedProcessing?: ReleaseProcessing
    finalProcessing?: ReleaseProcessing
    /** All attempts including the last. Services that do not retry yet have none. */
    managedPipelineAttempts?: ReleaseAttempt[]
    /** Data from the collectors, in a shape that they define. */
    collectors?: unknown
    collectorsProcessing?: {
      tenantCollectorsProcessing?: ReleaseProcessing
      managedCollectorsProcessing?: ReleaseProcessing
    }
    /** Output of the pipelines, in a shape that they define. */
    artifacts?: unknown
  }
}

export const releaseType = defineResource<Release>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'Release',
  plural: 'releases',
  namespaced: true,
})

/** Types of the conditions of a Release as a whole. `Processed` is that of services before there were several pipelines. */
export const releaseConditions = { processed: 'Processed', validated: 'Validated', released: 'Released' } as const

/** Types of a Release's pipeline conditions, in the order in which the pipelines run. */
export const releasePipelineConditions = {
  tenantCollectors: 'TenantCollectorsPipelineProcessed',
  managedCollectors: 'ManagedCollectorsPipelineProcessed',
  tenant: 'TenantPipelineProcessed',
  managed: 'ManagedPipelineProcessed',
  final: 'FinalPipelineProcessed',
} as const

export const releaseStatuses = ['Succeeded', 'In Progress', 'Failed', 'Pending', 'Unknown'] as const
export type ReleaseStatus = (typeof releaseStatuses)[number]

/** Status of a Release, from its `Released` condition. Specification 3, section 4. */
export function releaseStatus(release: Release): ReleaseStatus {
  const conditions = release.status?.conditions
  if (!conditions?.length) return 'Unknown'
  const released = conditions.find((condition) => condition.type === releaseConditions.released)
  if (released?.status === 'True' && released.reason === 'Succeeded') return 'Succeeded'
  if (released?.reason === 'Progressing') return 'In Progress'
  if (released?.status === 'False' && released.reason === 'Failed') return 'Failed'
  return 'Pending'
}

/** What a release in the cluster comes to: one that the release service has not reached yet is waiting for it. */
export function releaseVerdict(release: Release): ReleaseStatus {
  const status = releaseStatus(release)
  return status === 'Unknown' ? 'Pending' : status
}

/** Whether a release plan created the release for a new snapshot, or a user requested it. */
export function releaseTrigger({ metadata, status }: Release): 'Automatic' | 'Manual' {
  const isAutomatic = status?.automated ?? metadata.labels?.[labels.automated] === 'true'
  return isAutomatic === true ? 'Automatic' : 'Manual'
}

/** `undefined` for a release that has not ended. */
export const releaseDurationMs = ({ status }: Release): number | undefined =>
  msBetween(status?.startTime, status?.completionTime)

/** Why a release failed, as its conditions say: the outcome first, then what led to it. */
export function failureMessages(release: Release): string[] {
  const failed = (release.status?.conditions ?? []).filter(
    ({ status, reason }) => status === 'False' && reason === 'Failed',
  )
  const { released, ...others } = { ...releaseConditions, ...releasePipelineConditions }
  const messages = [released, ...Object.values(others)].map((type) =>
    asText(failed.find((condition) => condition.type === type)?.message),
  )
  return [...new Set(messages.flatMap((message) => message ?? []))]
}
