import { customRunType, type CustomRun } from '@slipway/model/runs/custom-run'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import type { Param, PipelineTask } from '@slipway/model/runs/tekton'
import { ownerReference } from '../controller'
import { normalizedTimeout } from './go-duration'
import { hexDigits, keyedRandom } from '../keyed-random'

/** A task, or one combination of its matrix, whose TaskRun is to be created. */
export interface TaskToStart {
  /** As in the pipeline, with all known variables substituted. */
  task: PipelineTask
  params: Param[]
  /** Position among the combinations of the matrix; absent without a matrix. */
  combination?: number
  isFinally: boolean
}

const maxNameLength = 63

/** Annotation on a TaskRun: the `onError` of its pipeline task. */
export const onErrorAnnotation = 'pipeline.tekton.dev/pipeline-task-on-error'

/** `{parent}{suffix}`, truncated and made unique by a hash if that is too long for a name. */
export function childName(parent: string, suffix: string): string {
  const name = `${parent}${suffix}`
  if (name.length <= maxNameLength) return name
  const hash = hexDigits(keyedRandom('child name', name), 32)
  const prefixLength = maxNameLength - hash.length - suffix.length
  return prefixLength > 0 ? `${parent.slice(0, prefixLength)}${hash}${suffix}` : `${parent.slice(0, 31)}${hash}`
}

/** Name of a task's definition: from its reference or the params of its resolver. */
export function taskNameOf({ taskRef }: Pick<PipelineTask, 'taskRef'>): string | undefined {
  const byResolver = taskRef?.params?.find(({ name }) => name === 'name')?.value
  return taskRef?.name ?? (typeof byResolver === 'string' ? byResolver : undefined)
}

/** Annotations that are not passed on to children. */
const isNotInherited = (key: string) =>
  key.startsWith('kubectl.kubernetes.io/') || key.startsWith('results.tekton.dev/')

/** Name of the TaskRun of a task, or of one combination of its matrix. */
export const taskRunNameOf = (run: PipelineRun, { task, combination }: Pick<TaskToStart, 'task' | 'combination'>) =>
  childName(run.metadata.name ?? '', `-${task.name}${combination === undefined ? '' : `-${combination}`}`)

/** Whether a task is run by its own controller instead of in a pod. */
export const isCustomTask = ({ taskRef }: Pick<PipelineTask, 'taskRef'>): boolean =>
  Boolean(taskRef?.apiVersion && taskRef.kind) && taskRef?.kind !== 'Task' && taskRef?.kind !== 'ClusterTask'

/** Name of the Task in its own namespace to which a task refers; `undefined` for any other. */
export const localTaskOf = (task: Pick<PipelineTask, 'taskRef'>): string | undefined =>
  task.taskRef?.resolver || isCustomTask(task) ? undefined : task.taskRef?.name

/** The TaskRun of a task, as Tekton creates it. */
export function taskRunFor(run: PipelineRun, start: TaskToStart): TaskRun {
  const { task, params } = start
  const own = run.spec.taskRunSpecs?.find(({ pipelineTaskName }) => pipelineTaskName === task.name)
  return {
    apiVersion: apiVersionOf(taskRunType),
    kind: taskRunType.kind,
    metadata: metadataFor(run, start),
    spec: {
      ...(params.length > 0 && { params }),
      ...(task.taskRef ? { taskRef: task.taskRef } : { taskSpec: task.taskSpec }),
      serviceAccountName: accountOf(run),
      timeout: normalizedTimeout(own?.timeout ?? task.timeout ?? '1h0m0s'),
      ...(task.retries && { retries: task.retries }),
      ...(own?.stepSpecs && { stepSpecs: own.stepSpecs }),
      ...workspacesFor(run, task),
    },
  }
}

/** The CustomRun of a custom task, as Tekton creates it for the controller of its kind. */
export function customRunFor(run: PipelineRun, start: TaskToStart): CustomRun {
  const { task, params } = start
  return {
    apiVersion: apiVersionOf(customRunType),
    kind: customRunType.kind,
    metadata: metadataFor(run, start),
    spec: {
      customRef: task.taskRef ?? {},
      ...(params.length > 0 && { params }),
      serviceAccountName: accountOf(run),
      ...(task.timeout && { timeout: normalizedTimeout(task.timeout) }),
      ...(task.retries && { retries: task.retries }),
      ...workspacesFor(run, task),
    },
  }
}

const accountOf = ({ spec }: PipelineRun): string => spec.taskRunTemplate?.serviceAccountName ?? 'default'

function workspacesFor(run: PipelineRun, task: PipelineTask): Pick<TaskRun['spec'], 'workspaces'> {
  const workspaces = task.workspaces?.flatMap(({ name, workspace = name }) => {
    const bound = run.spec.workspaces?.find((each) => each.name === workspace)
    return bound ? [{ ...bound, name }] : []
  })
  return workspaces?.length ? { workspaces } : {}
}

/** Labels and annotations are inherited from the run. */
function metadataFor(run: PipelineRun, { task, params, combination, isFinally }: TaskToStart): TaskRun['metadata'] {
  const runName = run.metadata.name ?? ''
  const taskName = taskNameOf(task)
  const platform = params.find(({ name }) => name === 'PLATFORM')?.value
  return {
    name: taskRunNameOf(run, { task, combination }),
    namespace: run.metadata.namespace,
    labels: {
      ...run.metadata.labels,
      'app.kubernetes.io/managed-by': 'tekton-pipelines',
      [labels.memberOf]: isFinally ? 'finally' : 'tasks',
      [labels.pipeline]: run.metadata.labels?.[labels.pipeline] ?? run.spec.pipelineRef?.name ?? runName,
      [labels.pipelineRun]: runName,
      [labels.pipelineRunUid]: run.metadata.uid ?? '',
      [labels.pipelineTask]: task.name,
      ...(taskName && !isCustomTask(task) && { [labels.task]: taskName }),
      ...(combination !== undefined &&
        typeof platform === 'string' && { [labels.targetPlatform]: platform.replace(/[^A-Za-z0-9_.-]/g, '-') }),
    },
    annotations: {
      ...Object.fromEntries(Object.entries(run.metadata.annotations ?? {}).filter(([key]) => !isNotInherited(key))),
      ...(task.onError === 'continue' && { [onErrorAnnotation]: task.onError }),
    },
    ownerReferences: [ownerReference(pipelineRunType, run)],
  }
}
