import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import type { ParamValue, RunResult } from '@slipway/model/runs/tekton'
import { integerBetween, type Random } from '../keyed-random'
import { taskDefinitionOf } from './catalog'
import type { Facts, TaskDefinition } from './catalog/definition'
import { factsOf, type World } from './facts'
import { parseGoDuration } from './go-duration'
import { forcedOutcomeOf, type Outcome } from './outcome'
import { podNameOf, attemptsBefore } from './attempt'
import { defaultTimeoutMs, scaledTimeout } from './run-timeouts'

/** Times are in ms since the pod started to run. */
export interface StepPlan {
  name: string
  /** Name of its container in the pod: `step-{name}`. */
  container: string
  startMs: number
  /** `Infinity` for a step that hangs. */
  endMs: number
  exitCode: number
  reason: 'Completed' | 'Error' | 'OOMKilled'
  /** Whether it exited with an error that its definition ignores. */
  isContinued?: boolean
  /** Whether it did not run, since a previous step failed. */
  isSkipped?: boolean
}

/** Everything that happens in one attempt of a TaskRun, known before it starts. */
export interface TaskPlan {
  /** How long the pod is Pending: creation, scheduling, image pulls. */
  pendingMs: number
  /** Present if the pod never runs. The run then fails, or times out. */
  neverRuns?: NeverRuns
  /** In order, including the steps that are skipped after a failure. */
  steps: StepPlan[]
  /** Written when the run ends. */
  results: RunResult[]
  succeeds: boolean
  /** Message of the condition if the run fails. */
  message: string
  /** Time limit from the start of the run. */
  timeoutMs: number
  /** The requested outcome, or a random one. */
  outcome?: Outcome
}

export interface NeverRuns {
  /** Reason of the TaskRun's condition. */
  reason: string
  message: string
  /** Reason of the waiting containers or of the condition `PodScheduled`. */
  podReason: string
  /** Message of the waiting containers. */
  waitingMessage?: string
  event: { reason: string; message: string }
  /** Time from the start of the run until Tekton fails it; absent if it times out. */
  failsAfterMs?: number
}

const slowFactor = 5
const outOfMemoryShare = 0.15

/** @param pipelineRun owner of the task run; its annotation may force an outcome */
export function planOf(taskRun: TaskRun, pipelineRun: PipelineRun | undefined, world: World): TaskPlan {
  const { namespace = '', name = '' } = taskRun.metadata
  const attempts = attemptsBefore(taskRun)
  const random = world.random(`plan ${namespace}/${name} ${attempts}`)
  const forced = forcedOutcomeOf(pipelineRun, taskRun.metadata.labels?.[labels.pipelineTask] ?? name)
  const definition = taskDefinitionOf(taskRun)
  const outcome = forced ?? randomOutcome(definition, random)
  const facts = factsOf(taskRun, outcome, world)
  const steps = stepsOf(definition, facts, attempts, random, world)
  const failed = steps.find(({ exitCode, isContinued }) => exitCode !== 0 && !isContinued)
  const verdictFails = definition.fails?.(facts) !== undefined
  return {
    pendingMs: world.scale(integerBetween(random, 2_000, 8_000)),
    ...neverRunsOf(taskRun, definition, outcome, world),
    steps,
    results: failed && !verdictFails ? [] : resultsOf(definition, facts),
    succeeds: !failed,
    message: failed ? failureMessage(failed) : 'All Steps have completed executing',
    timeoutMs: scaledTimeout(parseGoDuration(taskRun.spec.timeout) ?? defaultTimeoutMs, world.scale),
    ...(outcome && { outcome }),
  }
}

function randomOutcome({ failure }: TaskDefinition, random: Random): Outcome | undefined {
  // Always drawn, so that later numbers do not depend on it.
  const [draw, kind] = [random(), random()]
  if (!failure || draw >= failure.rate) return undefined
  return kind < outOfMemoryShare ? 'oom' : 'fail'
}

/** Which step fails or hangs, and how. */
function failingStepOf(definition: TaskDefinition, facts: Facts, attempts: number) {
  const { outcome } = facts
  const longest = [...definition.steps].sort((a, b) => b.seconds[1] - a.seconds[1])[0]?.name
  const natural = definition.failure?.step ?? longest
  if (outcome === 'oom') return { step: longest, exitCode: 137, reason: 'OOMKilled' as const }
  if (outcome === 'timeout') return { step: longest, exitCode: 0, reason: 'Completed' as const, hangs: true }
  const bad = definition.fails?.(facts)
  if (bad) return { step: bad.step, exitCode: bad.exitCode, reason: 'Error' as const }
  if (outcome !== 'fail' && !(outcome === 'flaky' && attempts === 0)) return undefined
  return { step: natural, exitCode: definition.failure?.exitCode ?? 1, reason: 'Error' as const }
}

function stepsOf(
  definition: TaskDefinition,
  facts: Facts,
  attempts: number,
  random: Random,
  { scale }: World,
): StepPlan[] {
  const failing = failingStepOf(definition, facts, attempts)
  let atMs = 0
  let hasFailed = false
  return definition.steps.map(({ name, seconds, onError }): StepPlan => {
    const [min, max] = seconds
    const realMs = integerBetween(random, min * 1000, max * 1000) * (facts.outcome === 'slow' ? slowFactor : 1)
    const part = 0.3 + random() * 0.6
    const container = `step-${name}`
    const startMs = atMs
    if (hasFailed) {
      return { name, container, startMs, endMs: startMs, exitCode: 1, reason: 'Error', isSkipped: true }
    }
    if (failing?.step !== name) {
      atMs += scale(realMs)
      return { name, container, startMs, endMs: atMs, exitCode: 0, reason: 'Completed' }
    }
    atMs += failing.hangs ? Infinity : scale(realMs * part)
    // A step that was killed for lack of memory cannot be ignored.
    if (onError === 'continue' && failing.reason === 'Error') {
      const { exitCode } = failing
      return { name, container, startMs, endMs: atMs, exitCode, reason: 'Completed', isContinued: true }
    }
    hasFailed = failing.exitCode !== 0
    return { name, container, startMs, endMs: atMs, exitCode: failing.exitCode, reason: failing.reason }
  })
}

const resultsOf = (definition: TaskDefinition, facts: Facts): RunResult[] =>
  Object.entries(definition.resultsOf?.(facts) ?? {}).map(([name, value]) => ({ name, type: typeOf(value), value }))

const typeOf = (value: ParamValue): NonNullable<RunResult['type']> =>
  typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object'

const failureMessage = ({ container, exitCode, reason }: StepPlan): string =>
  `"${container}" exited with code ${exitCode}: ${reason}`

/** With the messages of Tekton and the kubelet. Source: tektoncd/pipeline, pkg/pod/status.go. */
function neverRunsOf(
  taskRun: TaskRun,
  definition: TaskDefinition,
  outcome: Outcome | undefined,
  { scale }: World,
): { neverRuns?: NeverRuns } {
  const name = taskRun.metadata.name ?? ''
  const [step] = definition.steps
  const image = step?.image ?? ''
  if (outcome === 'image-pull') {
    const backOff = `Back-off pulling image "${image}"`
    return {
      neverRuns: {
        reason: 'TaskRunImagePullFailed',
        // Tekton names the image that the container runs, which it does not do yet.
        message: `the step "${step?.name ?? ''}" in TaskRun "${name}" failed to pull the image "". The pod errored with the message: "${backOff}."`,
        podReason: 'ImagePullBackOff',
        waitingMessage: backOff,
        event: { reason: 'BackOff', message: backOff },
        failsAfterMs: scale(25_000),
      },
    }
  }
  if (outcome === 'config-error') {
    const missing = 'secret "registry-credentials" not found'
    return {
      neverRuns: {
        reason: 'CreateContainerConfigError',
        message: 'Failed to create pod due to config error',
        podReason: 'CreateContainerConfigError',
        waitingMessage: missing,
        event: { reason: 'Failed', message: `Error: ${missing}` },
        failsAfterMs: scale(12_000),
      },
    }
  }
  if (outcome === 'quota') {
    const quota = `pods "${podNameOf(taskRun)}" is forbidden: exceeded quota: compute-build, requested: limits.memory=8Gi, used: limits.memory=60Gi, limited: limits.memory=64Gi`
    return {
      neverRuns: {
        reason: 'ExceededResourceQuota',
        message: `TaskRun Pod exceeded available resources: ${quota}`,
        podReason: 'ExceededResourceQuota',
        event: { reason: 'FailedCreate', message: quota },
      },
    }
  }
  if (outcome === 'unschedulable') {
    return {
      neverRuns: {
        reason: 'ExceededNodeResources',
        message: 'TaskRun Pod exceeded available resources',
        podReason: 'Unschedulable',
        event: {
          reason: 'FailedScheduling',
          message: '0/5 nodes are available: 2 Insufficient cpu, 5 Insufficient memory.',
        },
      },
    }
  }
  return {}
}
