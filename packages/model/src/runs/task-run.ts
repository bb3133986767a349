import type { ContainerState } from '@slipway/kube/core-types'
import { isRecord, nameOf, specOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { labels } from '../labels'
import type { PipelineRun, StepSpec } from './pipeline-run'
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
    stepSpecs?: StepSpec[]
    workspaces?: ({ name: string } & Record<string, unknown>)[]
  }
  status?: RunStatus & {
    podName?: string
    steps?: StepState[]
    /** Containers that run beside the steps. */
    sidecars?: StepState[]
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

/** A definition to which tasks of pipelines in its namespace refer by name. */
export interface Task extends KubeObject {
  spec: TaskSpec
}
export const taskType = defineResource<Task>({
  group: 'tekton.dev',
  version: 'v1',
  kind: 'Task',
  plural: 'tasks',
  namespaced: true,
})

/** Name of a task in its pipeline; a task run without a pipeline has its own name. */
export const taskNameOf = (taskRun: TaskRun): string =>
  taskRun.metadata.labels?.[labels.pipelineTask] ?? nameOf(taskRun)

/** The name of its task in the pipeline, also of a task run without labels, as archives may return it: its run names it. */
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

/** The sidecars of a task, as far as its pod has reported them. Drops entries that are not objects. */
export const sidecarsOf = ({ status }: TaskRun): StepState[] =>
  Array.isArray(status?.sidecars) ? status.sidecars.filter((sidecar: unknown) => isRecord(sidecar)) : []

/** The container of a sidecar. Its log has this name too, since a step may have the same name as a sidecar. */
export const sidecarContainerOf = ({ name, container }: Pick<StepState, 'name' | 'container'>): string =>
  container ?? `sidecar-${name}`

/**
 * The attempts of a task that failed and were followed by another, as task runs, the first one first. Each has a uid of
 * its own: what archives store by the uid of a task run is the log of all its attempts, or of the last one.
 */
export function earlierAttemptsOf(taskRun: TaskRun): TaskRun[] {
  const { retriesStatus } = taskRun.status ?? {}
  if (!Array.isArray(retriesStatus)) return []
  return retriesStatus
    .filter((status: unknown) => isRecord(status))
    .map((status, index) => ({
      ...taskRun,
      metadata: { ...taskRun.metadata, uid: `${uidOf(taskRun)}${attemptMark}${index + 1}` },
      status,
    }))
}

const attemptMark = '-attempt-'

/** The uid of a task run, and which of its earlier attempts this is, from 1; `undefined` for the last one. */
export function attemptOf(taskRun: TaskRun): { uid: string; earlierAttempt: number | undefined } {
  const [uid = '', earlier] = uidOf(taskRun).split(attemptMark)
  return { uid, earlierAttempt: earlier === undefined ? undefined : Number(earlier) }
}

/** The step of a container, for a task run that does not have it. */
export const stepNameOf = (container: string): string => container.replace(/^step-/, '')
