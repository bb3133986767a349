import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { labels } from '../labels'

/** One of the pipelines that a release runs. */
export interface ReleaseProcessing {
  /** `namespace/name`. */
  pipelineRun?: string
  startTime?: string
  completionTime?: string
  /** By which the service account of the pipeline reached what it needed; gone once it has ended. As `namespace/name`. */
  roleBindings?: { tenantRoleBinding?: string; managedRoleBinding?: string }
}

/** A run of the managed pipeline of a release, which the service may try again. */
export interface ReleaseAttempt extends ReleaseProcessing {
  status?: string
  failureReason?: string
  lastTask?: string
  lastStep?: string
  successfulTasks?: number
  mitigation?: { memoryLimit?: string; memoryRequest?: string }
}

export interface Release extends KubeObject {
  spec: { releasePlan: string; snapshot: string; data?: unknown; gracePeriodDays?: number }
  status?: {
    conditions?: Condition[]
    startTime?: string
    completionTime?: string
    expirationTime?: string
    /** Namespace of the release plan admission that takes the release. */
    target?: string
    automated?: boolean
    attribution?: { author?: string; standingAuthorization?: boolean }
    validation?: { failedPostValidation?: boolean; time?: string }
    tenantProcessing?: ReleaseProcessing
    managedProcessing?: ReleaseProcessing
    finalProcessing?: ReleaseProcessing
    /** All of them, the last one included, where the service tries again. */
    managedPipelineAttempts?: ReleaseAttempt[]
    /** What the collectors found; its shape is theirs. */
    collectors?: unknown
    collectorsProcessing?: {
      tenantCollectorsProcessing?: ReleaseProcessing
      managedCollectorsProcessing?: ReleaseProcessing
    }
    /** What the pipelines put out; its shape is theirs. */
    artifacts?: unknown
  }
}

export const releaseType = defineResource<Release>({
  group: 'appstudio.redhat.com',
  version: 'v1alpha1',
  kind: 'Release',
  plural: 'releases',
  namespaced: true,
})

/** Types of the conditions of a Release. */
export const releaseConditions = { validated: 'Validated', released: 'Released' } as const

/** Types of the conditions about the pipelines of a Release, in the order in which they run. */
export const releasePipelineConditions = {
  tenantCollectors: 'TenantCollectorsPipelineProcessed',
  managedCollectors: 'ManagedCollectorsPipelineProcessed',
  tenant: 'TenantPipelineProcessed',
  managed: 'ManagedPipelineProcessed',
  final: 'FinalPipelineProcessed',
} as const

export type ReleaseStatus = 'Succeeded' | 'In Progress' | 'Failed' | 'Pending' | 'Unknown'

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

/** When the newest release of an application that succeeded was completed; `undefined` without one. */
export function lastDeployOf(releases: Release[], application: string): string | undefined {
  return releases
    .filter((release) => release.metadata.labels?.[labels.application] === application)
    .filter((release) => releaseStatus(release) === 'Succeeded')
    .flatMap((release) => release.status?.completionTime ?? [])
    .reduce<string | undefined>((newest, time) => (newest && newest >= time ? newest : time), undefined)
}
