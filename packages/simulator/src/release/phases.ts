import { releasePipelineConditions, type Release, type ReleaseProcessing } from '@slipway/model/supply-chain/release'
import type {
  Collectors,
  ReleasePipeline,
  ReleasePlan,
  ReleasePlanAdmission,
} from '@slipway/model/supply-chain/release-plan'

/** The pipelines of a release, in the order in which they run. */

/** As the label of its runs says. */
export type ReleasePhase = 'tenant-collectors' | 'managed-collectors' | 'tenant' | 'managed' | 'final'

type Status = NonNullable<Release['status']>

interface PhaseDefinition {
  condition: string
  /** As in the messages of the service. */
  words: string
  /** Where it runs: in the namespace of the plan, or of the admission. */
  place: 'plan' | 'admission'
  pipelineOf(plan: ReleasePlan, admission: ReleasePlanAdmission | undefined): ReleasePipeline | undefined
  processingOf(status: Status): ReleaseProcessing | undefined
  withProcessing(status: Status, processing: ReleaseProcessing): Status
}

export const phases: Record<ReleasePhase, PhaseDefinition> = {
  'tenant-collectors': {
    condition: releasePipelineConditions.tenantCollectors,
    words: 'tenant collectors',
    place: 'plan',
    pipelineOf: ({ spec }) => collectorsPipeline(spec.collectors),
    processingOf: ({ collectorsProcessing }) => collectorsProcessing?.tenantCollectorsProcessing,
    withProcessing: (status, tenantCollectorsProcessing) => ({
      ...status,
      collectorsProcessing: { ...status.collectorsProcessing, tenantCollectorsProcessing },
    }),
  },
  'managed-collectors': {
    condition: releasePipelineConditions.managedCollectors,
    words: 'managed collectors',
    place: 'admission',
    pipelineOf: (_, admission) => collectorsPipeline(admission?.spec.collectors),
    processingOf: ({ collectorsProcessing }) => collectorsProcessing?.managedCollectorsProcessing,
    withProcessing: (status, managedCollectorsProcessing) => ({
      ...status,
      collectorsProcessing: { ...status.collectorsProcessing, managedCollectorsProcessing },
    }),
  },
  tenant: {
    condition: releasePipelineConditions.tenant,
    words: 'tenant',
    place: 'plan',
    pipelineOf: ({ spec: { tenantPipeline, pipelineRef, serviceAccount } }) =>
      tenantPipeline ?? (pipelineRef && { pipelineRef, serviceAccountName: serviceAccount }),
    processingOf: ({ tenantProcessing }) => tenantProcessing,
    withProcessing: (status, tenantProcessing) => ({ ...status, tenantProcessing }),
  },
  managed: {
    condition: releasePipelineConditions.managed,
    words: 'managed',
    place: 'admission',
    pipelineOf: (_, admission) => admission?.spec.pipeline,
    processingOf: ({ managedProcessing }) => managedProcessing,
    withProcessing: (status, managedProcessing) => ({ ...status, managedProcessing }),
  },
  final: {
    condition: releasePipelineConditions.final,
    words: 'final',
    place: 'plan',
    pipelineOf: ({ spec }) => spec.finalPipeline,
    processingOf: ({ finalProcessing }) => finalProcessing,
    withProcessing: (status, finalProcessing) => ({ ...status, finalProcessing }),
  },
}

// The keys of a record are known to the type checker as strings only.
export const phaseNames = Object.keys(phases) as ReleasePhase[]

/** The service runs all collectors in one pipeline of its own. */
const collectorsPipeline = (collectors: Collectors | undefined): ReleasePipeline | undefined =>
  collectors?.items.length
    ? {
        pipelineRef: {
          resolver: 'git',
          params: [
            { name: 'url', value: 'https://github.com/konflux-ci/release-service-catalog.git' },
            { name: 'revision', value: 'production' },
            { name: 'pathInRepo', value: 'pipelines/run-collectors/run-collectors.yaml' },
          ],
        },
        serviceAccountName: collectors.serviceAccountName,
      }
    : undefined
