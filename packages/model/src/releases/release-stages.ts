import { type Condition, isRecord, namespaceOf, specOf } from '@slipway/kube/object'
import { asArray, asRecord, asText } from '@slipway/kube/parse'
import {
  type Release,
  type ReleaseAttempt,
  releaseConditions,
  releasePipelineConditions,
  type ReleaseProcessing,
  releaseStatus,
} from './release'
import type { ReleasePlan, ReleasePlanAdmission } from './release-plan'
import { tenantPipelineOf } from './release-plan-edit'
import { parseNamespacedName, type NamespacedName } from '../namespaced-name'

/** The stages of a release: its validation, and the pipelines that its plan and its admission define. */

/** In the order in which the release service passes them. */
export const stageNames = ['validation', 'tenantCollectors', 'managedCollectors', 'tenant', 'managed', 'final'] as const
export type StageName = (typeof stageNames)[number]
type PipelineStageName = Exclude<StageName, 'validation'>
const pipelineStageNames = stageNames.filter((name): name is PipelineStageName => name !== 'validation')

export type StageState =
  | 'Waiting'
  | 'Running'
  | 'Succeeded'
  | 'Failed'
  /** Neither the plan nor the admission defines a pipeline for it. */
  | 'Not needed'
  /** The release failed before it. */
  | 'Not reached'
  /** The status of the release contradicts itself, or says something that only a newer service writes. */
  | 'Unknown'

export interface ReleaseStage {
  name: StageName
  state: StageState
  /** RFC 3339: when it entered this state; `undefined` if that is unknown. */
  since: string | undefined
  startTime: string | undefined
  completionTime: string | undefined
  /** Its run, the newest of several attempts. */
  run: NamespacedName | undefined
  /** What the release service says about it. */
  message: string | undefined
  /** The attempts before the newest, which failed, the oldest first. */
  failedAttempts: readonly ReleaseAttempt[]
}

/** What defines the pipelines of a release, as far as it is known. */
export interface ReleaseDefinitions {
  plan?: ReleasePlan | undefined
  admission?: ReleasePlanAdmission | undefined
}

/** @param definitions without them, a stage that has not started counts as needed */
export function stagesOf(release: Release, definitions: ReleaseDefinitions = {}): ReleaseStage[] {
  let hasPipelineFailed = false
  const pipelines = pipelineStageNames.map((name) => {
    const stage = pipelineStageOf(name, release, definitions, hasPipelineFailed)
    hasPipelineFailed ||= stage.state === 'Failed'
    return stage
  })
  return [validationOf(release), ...pipelines]
}

const isOver = (release: Release): boolean => ['Succeeded', 'Failed'].includes(releaseStatus(release))

const conditionOf = ({ status }: Release, type: string): Condition | undefined =>
  status?.conditions?.find((condition) => condition.type === type)

function validationOf(release: Release): ReleaseStage {
  const condition = conditionOf(release, releaseConditions.validated)
  const { startTime, validation } = release.status ?? {}
  const state = condition ? stateOf(condition) : stateWithoutValidation(release)
  const hasEnded = state === 'Succeeded' || state === 'Failed'
  const completionTime = hasEnded ? (condition?.lastTransitionTime ?? asText(asRecord(validation).time)) : undefined
  return {
    name: 'validation',
    state,
    since: completionTime ?? (state === 'Waiting' ? release.metadata.creationTimestamp : startTime),
    startTime: asText(startTime),
    completionTime,
    run: undefined,
    message: asText(condition?.message),
    failedAttempts: [],
  }
}

/** The service starts a release before it validates it. */
function stateWithoutValidation(release: Release): StageState {
  const isPast = pipelineStageNames.some(
    (name) => conditionOf(release, releasePipelineConditions[name]) ?? processingOf(release, name).startTime,
  )
  if (isPast || releaseStatus(release) === 'Succeeded') return 'Succeeded'
  if (isOver(release)) return 'Unknown'
  return conditionOf(release, releaseConditions.released) ? 'Running' : 'Waiting'
}

function pipelineStageOf(
  name: PipelineStageName,
  release: Release,
  definitions: ReleaseDefinitions,
  hasPipelineFailed: boolean,
): ReleaseStage {
  const condition = conditionOf(release, releasePipelineConditions[name])
  const processing = processingOf(release, name)
  const attempts = name === 'managed' ? attemptsOf(release) : []
  const startTime = asText(processing.startTime)
  const completionTime = asText(processing.completionTime)
  const state = pipelineState({ name, release, condition, processing, definitions, hasPipelineFailed })
  const transition = condition?.lastTransitionTime
  return {
    name,
    state,
    since: state === 'Running' ? (startTime ?? transition) : (completionTime ?? transition),
    startTime,
    completionTime: state === 'Running' ? undefined : completionTime,
    run: parseNamespacedName(processing.pipelineRun),
    message: asText(condition?.message),
    failedAttempts: attempts.slice(0, -1),
  }
}

/** An empty object if the stage has not started. */
function processingOf(release: Release, name: PipelineStageName): ReleaseProcessing {
  // Other clients and archives may write anything into a status.
  const { tenantProcessing, finalProcessing, collectorsProcessing } = release.status ?? {}
  const collectors = asRecord(collectorsProcessing)
  const all: Record<PipelineStageName, unknown> = {
    tenantCollectors: collectors.tenantCollectorsProcessing,
    managedCollectors: collectors.managedCollectorsProcessing,
    tenant: tenantProcessing,
    managed: attemptsOf(release).at(-1) ?? release.status?.managedProcessing,
    final: finalProcessing,
  }
  return asRecord(all[name])
}

const attemptsOf = ({ status }: Release): ReleaseAttempt[] =>
  asArray(status?.managedPipelineAttempts).filter((attempt): attempt is ReleaseAttempt => isRecord(attempt))

interface PipelineStateInput {
  name: PipelineStageName
  release: Release
  condition: Condition | undefined
  processing: ReleaseProcessing
  definitions: ReleaseDefinitions
  hasPipelineFailed: boolean
}

function pipelineState(input: PipelineStateInput): StageState {
  const { name, release, condition, processing, definitions, hasPipelineFailed } = input
  const hasEnded = isOver(release)
  if (condition) {
    const state = stateOf(condition)
    // After a failure, the service marks the remaining stages as skipped, whether or not they are defined.
    if (state === 'Not needed' && hasPipelineFailed) return 'Not reached'
    return state === 'Running' && hasEnded ? 'Unknown' : state
  }
  const hasSucceeded = releaseStatus(release) === 'Succeeded'
  if (processing.completionTime) return hasSucceeded ? 'Succeeded' : 'Unknown'
  if (processing.startTime) return hasEnded ? 'Unknown' : 'Running'
  if (hasEnded) return hasSucceeded ? 'Not needed' : 'Not reached'
  return isNeeded(name, release, definitions) === false ? 'Not needed' : 'Waiting'
}

/** Source: release-service, api/v1alpha1/release_types.go. */
function stateOf({ status, reason }: Condition): StageState {
  if (status === 'True') return reason === 'Skipped' ? 'Not needed' : 'Succeeded'
  if (reason === 'Progressing') return 'Running'
  return status === 'False' && reason === 'Failed' ? 'Failed' : 'Unknown'
}

/** Whether a stage has a pipeline; `undefined` if that is not known. Source: release-service, controllers/release. */
export function isNeeded(
  name: StageName,
  release: Release,
  { plan, admission }: ReleaseDefinitions,
): boolean | undefined {
  if (name === 'validation') return true
  const { collectors, finalPipeline, target } = plan ? specOf(plan) : {}
  const admitted = admission && specOf(admission)
  // Without a target no admission can match, and without an admission there is no managed pipeline.
  const isUnmanaged =
    plan !== undefined && (!target || (target === namespaceOf(release) && !plan.status?.releasePlanAdmission?.name))
  switch (name) {
    case 'tenantCollectors':
      return plan && asArray(collectors?.items).length > 0
    case 'tenant':
      return plan && tenantPipelineOf(plan) !== undefined
    case 'final':
      return plan && Boolean(finalPipeline)
    case 'managedCollectors':
      return admitted ? asArray(admitted.collectors?.items).length > 0 : isUnmanaged ? false : undefined
    case 'managed':
      return admitted ? Boolean(admitted.pipeline) : isUnmanaged ? false : undefined
  }
}
