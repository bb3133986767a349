import { isRecord, specOf, type Condition, type KubeObject } from '@slipway/kube/object'
import { asText } from '@slipway/kube/parse'
import { msBetween } from '../duration'

/** Common parts of pipeline runs and task runs. Source: tektoncd/pipeline, pkg/apis/pipeline/v1. */

export type ParamValue = string | string[] | Record<string, string>
export interface Param {
  name: string
  value: ParamValue
}
export interface RunResult {
  name: string
  type?: 'string' | 'array' | 'object'
  value: ParamValue
}

/** A pipeline or task by name, or by a resolver (`git`, `bundles`, `cluster`). */
export interface DefinitionRef {
  name?: string
  kind?: string
  apiVersion?: string
  resolver?: string
  params?: Param[]
}

/** Either a choice of values for `input`, or an expression in the Common Expression Language. */
export interface WhenExpression {
  cel?: string
  input?: string
  operator?: 'in' | 'notin'
  values?: string[]
}

export interface Step {
  name: string
  image: string
  script?: string
  command?: string[]
  args?: string[]
  /** `continue`: an error of the step does not fail the task. */
  onError?: 'continue' | 'stopAndFail'
}
export interface TaskSpec {
  description?: string
  params?: { name: string; type?: string; default?: ParamValue; description?: string }[]
  results?: { name: string; type?: string; description?: string; properties?: Record<string, { type?: string }> }[]
  steps?: Step[]
  /** Containers that run beside the steps. */
  sidecars?: { name: string; image?: string; script?: string }[]
  workspaces?: { name: string; description?: string; optional?: boolean }[]
}

export interface PipelineTask {
  name: string
  displayName?: string
  description?: string
  taskRef?: DefinitionRef
  taskSpec?: TaskSpec
  params?: Param[]
  runAfter?: string[]
  when?: WhenExpression[]
  /** A value that is not a list refers to one: `$(tasks.{task}.results.{result}[*])`. */
  matrix?: { params?: { name: string; value: string | string[] }[]; include?: { name?: string; params?: Param[] }[] }
  retries?: number
  timeout?: string
  /** `continue`: a failure of the task does not fail the run. */
  onError?: 'continue' | 'stopAndFail'
  /** Maps workspaces of the task to workspaces of the pipeline. */
  workspaces?: { name: string; workspace?: string }[]
}
export interface PipelineSpec {
  displayName?: string
  description?: string
  params?: TaskSpec['params']
  tasks: PipelineTask[]
  finally?: PipelineTask[]
  results?: { name: string; type?: string; description?: string; value: ParamValue }[]
  workspaces?: { name: string; description?: string; optional?: boolean }[]
}

/** Status of any run; its state is in the condition `Succeeded`. */
export interface RunStatus {
  conditions?: Condition[]
  startTime?: string
  completionTime?: string
  results?: RunResult[]
}
export interface Run extends KubeObject {
  status?: RunStatus
}

export const succeededCondition = (run: Run): Condition | undefined =>
  run.status?.conditions?.find(({ type }) => type === 'Succeeded')

/** Whether a run has ended: its condition is True or False. */
export const isFinished = (run: Run): boolean => {
  const status = succeededCondition(run)?.status
  return status === 'True' || status === 'False'
}

/** Whether Tekton's controller runs this. It ignores runs managed by another controller. */
export const isManagedByTekton = (run: { spec?: { managedBy?: string } }): boolean =>
  (specOf(run).managedBy ?? tektonController) === tektonController

const tektonController = 'tekton.dev/pipeline'

/**
 * When a run started; `undefined` before that. Tekton restarts `startTime` with each attempt of a task, so the first
 * attempt tells.
 */
export function startTimeOf({ status }: Run): string | undefined {
  const { retriesStatus } = (status ?? {}) as { retriesStatus?: unknown }
  const first: unknown = Array.isArray(retriesStatus) ? retriesStatus[0] : undefined
  return (isRecord(first) && asText(first.startTime)) || status?.startTime
}

/** Duration of a run in ms; `undefined` while it runs, or if it never started. */
export const durationMsOf = (run: Run): number | undefined => msBetween(startTimeOf(run), run.status?.completionTime)

/** Start time of a run, or its creation time if it has not started. */
export const startOf = (run: Run): string => startTimeOf(run) ?? run.metadata.creationTimestamp ?? ''

/** Sort key of runs by start: a waiting run counts as newer than all that have started. */
export const startKey = (run: Run): string => (startTimeOf(run) || isFinished(run) ? startOf(run) : `~${startOf(run)}`)

/** Sorts runs by when they started; those that have not started come last. */
export const byStartTime = <R extends Run>(runs: readonly R[]): R[] =>
  [...runs].sort((a, b) => {
    const [first, second] = [startTimeOf(a) ?? '~', startTimeOf(b) ?? '~']
    return first === second ? 0 : first < second ? -1 : 1
  })
