import { releasePipelineConditions, type Release, type ReleaseProcessing } from '@slipway/model/releases/release'
import type {
  Collectors,
  ReleasePipeline,
  ReleasePlan,
  ReleasePlanAdmission,
} from '@slipway/model/releases/release-plan'
import { tenantPipelineOf } from '@slipway/model/releases/release-plan-edit'
import { releaseCatalogRef } from '../tekton/catalog/pipeline-parts'

/** The pipelines of a release, in the order in which they run. */

/** Value of the label of its runs. */
export type ReleasePhase = 'tenant-collectors' | 'managed-collectors' | 'tenant' | 'managed' | 'final'

type Status = NonNullable<Release['status']>

interface PhaseDefinition {
  condition: string
  /** Name in messages of the service. */
  label: string
  /** Whether it runs in the namespace of the plan or of the admission. */
  runsIn: 'plan' | 'admission'
  pipelineOf(plan: ReleasePlan, admission: ReleasePlanAdmission | undefined): ReleasePipeline | undefined
  processingOf(status: Status): ReleaseProcessing | undefined
  withProcessing(status: Status, processing: ReleaseProcessing): Status
}

export const phases: Record<ReleasePhase, PhaseDefinition> = {
  'tenant-collectors': {
    condition: releasePipelineConditions.tenantCollectors,
    label: 'tenant collectors',
    runsIn: 'plan',
    pipelineOf: ({ spec }) => collectorsPipeline(spec.collectors),
    processingOf: ({ collectorsProcessing }) => collectorsProcessing?.tenantCollectorsProcessing,
    withProcessing: (status, tenantCollectorsProcessing) => ({
      ...status,
      collectorsProcessing: { ...status.collectorsProcessing, tenantCollectorsProcessing },
    }),
  },
  'managed-collectors': {
    condition: releasePipelineConditions.managedCollectors,
    label: 'managed collectors',
    runsIn: 'admission',
    pipelineOf: (_, admission) => collectorsPipeline(admission?.spec.collectors),
    processingOf: ({ collectorsProcessing }) => collectorsProcessing?.managedCollectorsProcessing,
    withProcessing: (status, managedCollectorsProcessing) => ({
      ...status,
      collectorsProcessing: { ...status.collectorsProcessing, managedCollectorsProcessing },
    }),
  },
  tenant: {
    condition: releasePipelineConditions.tenant,
    label: 'tenant',
    runsIn: 'plan',
    pipelineOf: (plan) => tenantPipelineOf(plan),
    processingOf: ({ tenantProcessing }) => tenantProcessing,
    withProcessing: (status, tenantProcessing) => ({ ...status, tenantProcessing }),
  },
  managed: {
    condition: releasePipelineConditions.managed,
    label: 'managed',
    runsIn: 'admission',
    pipelineOf: (_, admission) => admission?.spec.pipeline,
    processingOf: ({ managedProcessing }) => managedProcessing,
    withProcessing: (status, managedProcessing) => ({ ...status, managedProcessing }),
  },
  final: {
    condition: releasePipelineConditions.final,
    label: 'final',
    runsIn: 'plan',
    pipelineOf: ({ spec }) => spec.finalPipeline,
    processingOf: ({ finalProcessing }) => finalProcessing,
    withProcessing: (status, finalProcessing) => ({ ...status, finalProcessing }),
  },
}

// TypeScript types the keys of a record as strings.
export const phaseNames = Object.keys(phases) as ReleasePhase[]

/** The service runs all collectors in a separate pipeline. */
const collectorsPipeline = (collectors: Collectors | undefined): ReleasePipeline | undefined =>
  collectors?.items.length
    ? {
        pipelineRef: releaseCatalogRef('pipelines/run-collectors/run-collectors.yaml'),
        serviceAccountName: collectors.serviceAccountName,
      }
    : undefined
