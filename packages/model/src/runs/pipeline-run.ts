import { defineResource } from '@slipway/kube/resource-type'
import type { KubeObject } from '@slipway/kube/object'
import type { DefinitionRef, Param, PipelineSpec, Run, RunStatus, WhenExpression } from './tekton'

export interface ChildReference {
  apiVersion?: string
  kind?: string
  name: string
  pipelineTaskName: string
  displayName?: string
  whenExpressions?: WhenExpression[]
}
export interface SkippedTask {
  name: string
  reason: string
  whenExpressions?: WhenExpression[]
}

export interface TaskRunSpec {
  pipelineTaskName: string
  /** A Go duration. */
  timeout?: string
  stepSpecs?: StepSpec[]
}

/** Resources of a step, in place of those that its task sets. */
export interface StepSpec {
  name: string
  computeResources: { limits?: { memory?: string }; requests?: { memory?: string } }
}

export interface PipelineRun extends Run {
  spec: {
    /** The requested state; absent for a run that may continue. */
    status?: 'Cancelled' | 'CancelledRunFinally' | 'StoppedRunFinally' | 'PipelineRunPending'
    /** The controller that runs it, if not Tekton's; immutable. */
    managedBy?: string
    params?: Param[]
    pipelineRef?: DefinitionRef
    pipelineSpec?: PipelineSpec
    taskRunTemplate?: { serviceAccountName?: string }
    /** What single tasks have of their own. */
    taskRunSpecs?: TaskRunSpec[]
    /** Go durations, such as `1h0m0s`. */
    timeouts?: { pipeline?: string; tasks?: string; finally?: string }
    workspaces?: ({ name: string } & Record<string, unknown>)[]
  }
  status?: RunStatus & {
    childReferences?: ChildReference[]
    skippedTasks?: SkippedTask[]
    pipelineSpec?: PipelineSpec
    /** Start of the first `finally` task. */
    finallyStartTime?: string
  }
}

export const pipelineRunType = defineResource<PipelineRun>({
  group: 'tekton.dev',
  version: 'v1',
  kind: 'PipelineRun',
  plural: 'pipelineruns',
  namespaced: true,
})

export interface Pipeline extends KubeObject {
  spec: PipelineSpec
}
export const pipelineType = defineResource<Pipeline>({
  group: 'tekton.dev',
  version: 'v1',
  kind: 'Pipeline',
  plural: 'pipelines',
  namespaced: true,
})
