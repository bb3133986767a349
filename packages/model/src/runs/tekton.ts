import { specOf, type Condition, type KubeObject } from '@slipway/kube/object'

/** What runs of pipelines and of tasks share. Source: tektoncd/pipeline, pkg/apis/pipeline/v1. */

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

/** A pipeline or task by name, or where a resolver (`git`, `bundles`, `cluster`) finds it. */
export interface DefinitionRef {
  name?: string
  kind?: string
  apiVersion?: string
  resolver?: string
  params?: Param[]
}

export interface WhenExpression {
  input: string
  operator: 'in' | 'notin'
  values: string[]
}

export interface Step {
  name: string
  image: string
  script?: string
  command?: string[]
  args?: string[]
  /** `continue`: an error of the step is none of the task. */
  onError?: 'continue' | 'stopAndFail'
}
export interface TaskSpec {
  description?: string
  params?: { name: string; type?: string; default?: ParamValue; description?: string }[]
  results?: { name: string; type?: string; description?: string }[]
  steps?: Step[]
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
  matrix?: { params?: { name: string; value: string[] }[]; include?: { name?: string; params?: Param[] }[] }
  retries?: number
  timeout?: string
  /** `continue`: a failure of the task is none of the run. */
  onError?: 'continue' | 'stopAndFail'
  /** Which workspace of the pipeline a workspace of the task is. */
  workspaces?: { name: string; workspace?: string }[]
}
export interface PipelineSpec {
  description?: string
  params?: TaskSpec['params']
  tasks: PipelineTask[]
  finally?: PipelineTask[]
  results?: { name: string; type?: string; description?: string; value: ParamValue }[]
  workspaces?: { name: string; description?: string; optional?: boolean }[]
}

/** Of any run: the condition `Succeeded` says how it is doing. */
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

/** Neither waiting nor running: its condition is decided. */
export const isFinished = (run: Run): boolean => {
  const status = succeededCondition(run)?.status
  return status === 'True' || status === 'False'
}

/** Is it for the controller of Tekton to run it? It leaves what somebody else runs alone, whatever becomes of that. */
export const isManagedByTekton = (run: { spec?: { managedBy?: string } }): boolean =>
  (specOf(run).managedBy ?? tektonController) === tektonController

const tektonController = 'tekton.dev/pipeline'

/** How long a run took; `undefined` for one that goes on, or that never began. */
export function durationMsOf({ status }: Run): number | undefined {
  const ms = Date.parse(status?.completionTime ?? '') - Date.parse(status?.startTime ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

/** When a run began; when it was made, for one that has not. */
export const startOf = ({ status, metadata }: Run): string => status?.startTime ?? metadata.creationTimestamp ?? ''

/** What runs are sorted by, to have the newest start first or last: one that waits is newer than all that have begun. */
export const startKey = (run: Run): string =>
  run.status?.startTime || isFinished(run) ? startOf(run) : `~${startOf(run)}`
