import type { PipelineRun } from '@slipway/model/pipeline-run'
import type { TaskRun } from '@slipway/model/task-run'
import type { RunResult, Step } from '@slipway/model/tekton'
import { integerBetween, type Random } from '../keyed-random'
import { parseGoDuration } from './go-duration'

/** What the world of a run is drawn from: a `ControllerContext` is one. */
export interface World {
  /** The same numbers for the same key. */
  random(key: string): Random
  /** How long something that takes so long in the real world takes here. */
  pace(realMs: number): number
}

/** Times are in ms after the pod began to run. */
export interface StepPlan {
  name: string
  /** Of the container in the pod; `step-{name}`. */
  container: string
  startMs: number
  endMs: number
  exitCode: number
  reason: 'Completed' | 'Error' | 'OOMKilled'
  message?: string
}

/** The whole course of one try of a TaskRun, known before it begins. */
export interface TaskPlan {
  /** Before the pod runs: creation, scheduling, image pulls; the pod is Pending. */
  pendingMs: number
  /** Why the pod never runs, when it does not. The run then waits for its timeout. */
  neverRuns?: {
    reason: string
    message: string
    podReason: string
    event: { reason: string; message: string }
  }
  /** In order. After a failing step come the ones that were skipped because of it. */
  steps: StepPlan[]
  /** Written once the run has ended. */
  results: RunResult[]
  succeeds: boolean
  /** Of the condition when the run fails. */
  message: string
  /** After the start of the run, whatever it is doing then. */
  timeoutMs: number
}

/** Tekton's own default of a TaskRun. */
const defaultTimeoutMs = 3_600_000

export const podNameOf = (taskRun: TaskRun): string => `${taskRun.metadata.name ?? ''}-pod`

/** @param _pipelineRun that the task belongs to; its annotation may force an outcome */
export function planOf(taskRun: TaskRun, _pipelineRun: PipelineRun | undefined, world: World): TaskPlan {
  const { namespace = '', name = '' } = taskRun.metadata
  const tries = taskRun.status?.retriesStatus?.length ?? 0
  const random = world.random(`plan ${namespace}/${name} ${tries}`)
  const spec = taskRun.status?.taskSpec ?? taskRun.spec.taskSpec
  let atMs = 0
  const steps = (spec?.steps ?? []).map((step: Step): StepPlan => {
    const startMs = atMs
    atMs += world.pace(integerBetween(random, 3_000, 30_000))
    return {
      name: step.name,
      container: `step-${step.name}`,
      startMs,
      endMs: atMs,
      exitCode: 0,
      reason: 'Completed',
    }
  })
  return {
    pendingMs: world.pace(integerBetween(random, 2_000, 8_000)),
    steps,
    results: (spec?.results ?? []).map((result) => ({ name: result.name, type: 'string', value: result.name })),
    succeeds: true,
    message: 'All Steps have completed executing',
    timeoutMs: world.pace(parseGoDuration(taskRun.spec.timeout) ?? defaultTimeoutMs),
  }
}
