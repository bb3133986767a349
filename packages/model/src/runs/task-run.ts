import type { ContainerState } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { labels } from '../labels'
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

/** Name of a task in its pipeline; a task run without a pipeline has its own name. */
export const taskNameOf = (taskRun: TaskRun): string =>
  taskRun.metadata.labels?.[labels.pipelineTask] ?? nameOf(taskRun)

/** The pod of its last attempt, if it has one: some versions of Tekton write an empty name before that. */
export const podNameOf = ({ status }: TaskRun): string | undefined => status?.podName || undefined

/** The container of a step: older task runs do not name it. */
export const containerOf = ({ name, container }: Pick<StepState, 'name' | 'container'>): string =>
  container ?? `step-${name}`

/** The step of a container, for a task run that does not have it. */
export const stepNameOf = (container: string): string => container.replace(/^step-/, '')
