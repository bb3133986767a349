import type { ContainerState } from '@slipway/kube/core-types'
import { defineResource } from '@slipway/kube/resource-type'
import type { DefinitionRef, Param, Run, RunStatus, TaskSpec } from './tekton'

export interface StepState extends ContainerState {
  name: string
  /** Name of the container in the pod: `step-{name}`. */
  container?: string
  imageID?: string
  terminationReason?: string
}

export interface TaskRun extends Run {
  spec: {
    status?: 'TaskRunCancelled'
    statusMessage?: string
    /** The controller that runs it, if not Tekton's; immutable. */
    managedBy?: string
    params?: Param[]
    taskRef?: DefinitionRef
    taskSpec?: TaskSpec
    serviceAccountName?: string
    /** A Go duration, such as `1h0m0s`. */
    timeout?: string
    retries?: number
    workspaces?: ({ name: string } & Record<string, unknown>)[]
  }
  status?: RunStatus & {
    podName?: string
    steps?: StepState[]
    taskSpec?: TaskSpec
    /** Statuses of earlier attempts. */
    retriesStatus?: TaskRun['status'][]
  }
}

export const taskRunType = defineResource<TaskRun>({
  group: 'tekton.dev',
  version: 'v1',
  kind: 'TaskRun',
  plural: 'taskruns',
  namespaced: true,
})
