import type { ContainerState } from '@slipway/kube/core-types'
import { nameOf, specOf } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
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

/** The same, where its run is known: that knows the task of a task run without labels, as archives may return it. */
export function taskNameIn({ status }: PipelineRun, taskRun: TaskRun): string {
  const label = taskRun.metadata.labels?.[labels.pipelineTask]
  if (label !== undefined || !Array.isArray(status?.childReferences)) return taskNameOf(taskRun)
  const known = status.childReferences.find((reference) => reference?.name === taskRun.metadata.name)
  return known?.pipelineTaskName ?? taskNameOf(taskRun)
}

/** The task that a task run runs: its name in the pipeline, or else in the cluster; `undefined` if neither is known. */
export const definedTaskOf = (taskRun: TaskRun): string | undefined =>
  taskRun.metadata.labels?.[labels.pipelineTask] ??
  taskRun.metadata.labels?.[labels.task] ??
  specOf(taskRun).taskRef?.name

/** The uid of its pipeline run; `undefined` for a task run without one, or copied from elsewhere. */
export const pipelineRunUidOf = ({ metadata }: TaskRun): string | undefined =>
  metadata.labels?.[labels.pipelineRunUid] ?? metadata.ownerReferences?.find(({ kind }) => kind === 'PipelineRun')?.uid

/** The pod of its last attempt, if it has one: some versions of Tekton write an empty name before that. */
export const podNameOf = ({ status }: TaskRun): string | undefined => status?.podName || undefined

/** The container of a step: older task runs do not name it. */
export const containerOf = ({ name, container }: Pick<StepState, 'name' | 'container'>): string =>
  container ?? `step-${name}`

/** The step of a container, for a task run that does not have it. */
export const stepNameOf = (container: string): string => container.replace(/^step-/, '')
