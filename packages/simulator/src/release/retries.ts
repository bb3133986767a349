import { asArray, asRecord, asText } from '@slipway/kube/parse'
import { labels } from '@slipway/model/labels'
import type { PipelineRun, TaskRunSpec } from '@slipway/model/runs/pipeline-run'
import { taskNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import type { Release, ReleaseAttempt } from '@slipway/model/releases/release'
import type { ReleasePlan, ReleasePlanAdmission, RetryInfo } from '@slipway/model/releases/release-plan'
import { formatGoDuration, parseGoDuration } from '../tekton/go-duration'
import { chosenOutcomes, outcomeAnnotation } from '../tekton/outcome'

/**
 * Retries of managed pipelines: a run that lacked memory or time is run again with more of it. Source: release-service,
 * controllers/utils/retry, and the definitions of Release and ReleasePlanAdmission.
 */

/** Pipelines of the catalog that operators allow to be retried, by their path in it, with the policy of the platform. */
const retryable = ['push-to-external-registry', 'rh-push-to-registry-redhat-io', 'rh-advisories'].map(
  (name) => `pipelines/managed/${name}/${name}.yaml`,
)
const policy = {
  maxRetries: 2,
  /** A tag that counts up: a second run would release the same content as another version. */
  disablingTag: '{{ incrementer }}',
  mitigations: {
    oomKill: {
      multiplier: '2',
      maxComputeResources: { limits: { memory: '16Gi' }, requests: { memory: '16Gi' } },
    },
    timeout: {
      pipeline: { increment: '1h0m0s', maxTimeout: '12h0m0s' },
      task: { increment: '1h0m0s', maxTimeout: '8h0m0s' },
    },
  },
} satisfies { maxRetries: number; disablingTag: string; mitigations: RetryInfo['mitigations'] }

/** What the status of an admission says about retries. @param plans that it matches */
export function retryInfoFor({ spec }: ReleasePlanAdmission, plans: readonly ReleasePlan[]): RetryInfo {
  const { pipeline, data } = spec
  if (!pipeline) return { enabled: false, reason: 'no pipeline defined' }
  const path = pipeline.pipelineRef.params?.find(({ name }) => name === 'pathInRepo')?.value
  if (typeof path !== 'string' || !retryable.includes(path)) {
    return { enabled: false, reason: 'pipeline not configured for retries' }
  }
  if (pipeline.maxRetries === 0) return { enabled: false, reason: 'retries disabled by RPA pipeline override' }
  const { disablingTag, mitigations } = policy
  if ([data, ...plans.map((plan) => plan.spec.data)].some((each) => tagsIn(each).includes(disablingTag))) {
    return { enabled: false, reason: `disabled by tag: ${disablingTag}` }
  }
  const isOverridden = pipeline.maxRetries !== undefined
  return {
    enabled: true,
    maxRetries: pipeline.maxRetries ?? policy.maxRetries,
    mitigations,
    reason: isOverridden ? 'retries enabled by RPA pipeline override' : 'retries enabled by policy',
  }
}

/** The tags with which the images of a release are pushed, as its data sets them for all or for some components. */
function tagsIn(data: unknown): string[] {
  const { defaults, components } = asRecord(asRecord(data).mapping)
  const owners = [asRecord(defaults), ...asArray(components).map(asRecord)]
  const repositories = owners.flatMap((each) => asArray(each.repositories).map(asRecord))
  return [...owners, ...repositories]
    .flatMap((each) => [...asArray(each.tags), ...asArray(each.componentTags)])
    .flatMap((tag) => asText(tag) ?? [])
}

/** How far a run has come, and why it failed. */
type Outcome = Pick<ReleaseAttempt, 'failureReason' | 'lastTask' | 'lastStep' | 'successfulTasks'>

const memoryError = 'OOMKilled'

export function outcomeOf(run: PipelineRun, taskRuns: readonly TaskRun[]): Outcome {
  const ended = taskRuns
    .filter(({ status }) => status?.completionTime)
    .sort((a, b) => ((a.status?.completionTime ?? '') < (b.status?.completionTime ?? '') ? -1 : 1))
  const isOf = (status: string) => (taskRun: TaskRun) => succeededCondition(taskRun)?.status === status
  const successfulTasks = ended.filter(isOf('True')).length
  const hasSucceeded = succeededCondition(run)?.status === 'True'
  const failures = ended.filter(isOf('False'))
  // What runs at the end may fail as a consequence.
  const cause = failures.find(({ metadata }) => metadata.labels?.[labels.memberOf] !== 'finally') ?? failures[0]
  const last = hasSucceeded ? ended.at(-1) : (cause ?? ended.at(-1))
  const steps = last?.status?.steps ?? []
  const failed = steps.find(({ terminated }) => terminated !== undefined && terminated.exitCode !== 0)
  const lastStep = (failed ?? steps.at(-1))?.name
  return {
    ...(!hasSucceeded && { failureReason: failureOf(run, last, failed?.terminated?.reason) }),
    ...(last && { lastTask: taskNameOf(last) }),
    ...(lastStep && { lastStep }),
    successfulTasks,
  }
}

function failureOf(run: PipelineRun, taskRun: TaskRun | undefined, stepReason: string | undefined): string {
  if (succeededCondition(run)?.reason === 'PipelineRunTimeout') return 'PipelineRunTimeout'
  if (stepReason === memoryError) return 'OOMKill'
  return taskRun && succeededCondition(taskRun)?.reason === 'TaskRunTimeout' ? 'TaskRunTimeout' : 'Error'
}

export const attemptsOf = ({ status }: Release): readonly ReleaseAttempt[] => status?.managedPipelineAttempts ?? []

/** An error of a task is never retried: it would only repeat itself. */
const isMitigable = ({ failureReason }: ReleaseAttempt): boolean =>
  ['OOMKill', 'PipelineRunTimeout', 'TaskRunTimeout'].includes(failureReason ?? '')

/** Whether the last attempt of a release is followed by another. */
export function mayRetry(release: Release, info: RetryInfo | undefined): boolean {
  const attempts = attemptsOf(release)
  const last = attempts.at(-1)
  return last !== undefined && isMitigable(last) && info?.enabled === true && attempts.length <= (info.maxRetries ?? 0)
}

/** Memory of a step whose task does not set any, as for all of the catalog here. */
const defaultMemoryMi = 2_048
const defaultTaskTimeoutMs = 3_600_000

/** What the next attempt gets more of. @param run the attempt that failed */
export function mitigationFor(
  attempt: ReleaseAttempt,
  run: PipelineRun,
  { mitigations = {} }: RetryInfo,
): NonNullable<ReleaseAttempt['mitigation']> {
  const specs = run.spec.taskRunSpecs?.find(({ pipelineTaskName }) => pipelineTaskName === attempt.lastTask)
  if (attempt.failureReason === 'OOMKill' && mitigations.oomKill) {
    const { multiplier, maxComputeResources } = mitigations.oomKill
    const own = specs?.stepSpecs?.find(({ name }) => name === attempt.lastStep)?.computeResources
    const raised = Math.ceil((mebibytesOf(own?.limits?.memory) ?? defaultMemoryMi) * Number(multiplier))
    const memory = quantityOf(Math.min(raised, mebibytesOf(maxComputeResources?.limits?.memory) ?? Infinity))
    return { memoryLimit: memory, memoryRequest: memory }
  }
  const { pipeline, task } = mitigations.timeout ?? {}
  const pipelineMs = parseGoDuration(run.spec.timeouts?.pipeline) ?? defaultTaskTimeoutMs
  if (attempt.failureReason === 'TaskRunTimeout' && task) {
    const taskMs = raisedTimeout(parseGoDuration(specs?.timeout) ?? defaultTaskTimeoutMs, task)
    return { taskTimeout: formatGoDuration(taskMs), pipelinesTimeout: formatGoDuration(Math.max(pipelineMs, taskMs)) }
  }
  return pipeline ? { pipelinesTimeout: formatGoDuration(raisedTimeout(pipelineMs, pipeline)) } : {}
}

const raisedTimeout = (ms: number, { increment, maxTimeout }: { increment: string; maxTimeout?: string }): number =>
  Math.min(ms + (parseGoDuration(increment) ?? 0), parseGoDuration(maxTimeout) ?? Infinity)

/** Of a quantity in whole Mi or Gi. */
function mebibytesOf(quantity: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity ?? '') ?? []
  return amount === undefined ? undefined : Number(amount) * (unit === 'Gi' ? 1_024 : 1)
}
const quantityOf = (mebibytes: number): string =>
  mebibytes % 1_024 === 0 ? `${mebibytes / 1_024}Gi` : `${mebibytes}Mi`

/**
 * A run after failed attempts, with more of what they lacked. A task that no longer lacks anything succeeds, whatever
 * outcome was chosen for it.
 */
export const withMitigations = (run: PipelineRun, attempts: readonly ReleaseAttempt[]): PipelineRun =>
  attempts.reduce((changed, { mitigation = {}, lastTask = '', lastStep = '' }) => {
    const { memoryLimit, memoryRequest = memoryLimit, taskTimeout, pipelinesTimeout } = mitigation
    const resources = { limits: { memory: memoryLimit }, requests: { memory: memoryRequest } }
    const own: Partial<TaskRunSpec> = {
      ...(taskTimeout && { timeout: taskTimeout }),
      ...(memoryLimit && { stepSpecs: [{ name: lastStep, computeResources: resources }] }),
    }
    const helped = Object.keys(own).length > 0 ? withTaskSpec(changed, lastTask, own) : changed
    if (!pipelinesTimeout) return helped
    const timeouts = { ...helped.spec.timeouts, pipeline: pipelinesTimeout }
    return { ...helped, spec: { ...helped.spec, timeouts } }
  }, run)

function withTaskSpec(run: PipelineRun, task: string, own: Partial<TaskRunSpec>): PipelineRun {
  const { taskRunSpecs = [] } = run.spec
  const isOf = ({ pipelineTaskName }: TaskRunSpec) => pipelineTaskName === task
  const spec = { ...taskRunSpecs.find(isOf), ...own, pipelineTaskName: task }
  const outcomes = JSON.stringify({ ...chosenOutcomes(run), [task]: 'success' })
  return {
    ...run,
    metadata: { ...run.metadata, annotations: { ...run.metadata.annotations, [outcomeAnnotation]: outcomes } },
    spec: { ...run.spec, taskRunSpecs: [...taskRunSpecs.filter((each) => !isOf(each)), spec] },
  }
}
