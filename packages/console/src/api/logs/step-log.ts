import { namespaceOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { stepsNeverRun } from '@slipway/model/runs/run-steps'
import {
  attemptOf,
  containerOf,
  pipelineRunUidOf,
  podNameOf,
  sidecarContainerOf,
  sidecarsOf,
  taskNameOf,
  type TaskRun,
} from '@slipway/model/runs/task-run'
import { archivedTaskLog, type ContainerLog, logOf } from '../archive/archived-log'
import { client } from '../client'
import { loggedTexts, logPath } from './pod-logs'

/**
 * Returns everything that a step has written so far.
 * @throws ApiError with code 404 if neither the cluster nor an archive has it
 */
export async function fetchStepLog(taskRun: TaskRun, step: string, signal: AbortSignal): Promise<string> {
  const container = containerOf(taskRun.status?.steps?.find(({ name }) => name === step) ?? { name: step })
  let text = ''
  for await (const part of stepTexts(taskRun, container, archivedLogLoader(taskRun, signal, container), signal)) {
    text += part
  }
  return text
}

/**
 * Yields the same piece by piece.
 * @param archived called if the cluster no longer has it
 */
export async function* stepTexts(
  taskRun: TaskRun,
  container: string,
  archived: () => Promise<ContainerLog[]>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const pod = podNameOf(taskRun)
  const namespace = namespaceOf(taskRun) ?? ''
  if (pod !== undefined) {
    const path = logPath({ namespace, pod, container }, {})
    try {
      return yield* loggedTexts(path, await client.stream(path, { signal }), signal)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  const logs = await archived()
  const log = logOf(logs, container)
  if (log?.missing) throw log.missing
  yield log?.text ?? ''
}

/**
 * Returns a function that fetches the archived log of a task, at most once.
 * @param only the only container whose log is needed
 */
export function archivedLogLoader(taskRun: TaskRun, signal: AbortSignal, only?: string): () => Promise<ContainerLog[]> {
  const { status } = taskRun
  const neverRun = stepsNeverRun(taskRun)
  const { uid, earlierAttempt } = attemptOf(taskRun)
  const task = {
    namespace: namespaceOf(taskRun) ?? '',
    task: taskNameOf(taskRun),
    pod: podNameOf(taskRun),
    containers: [...(status?.steps ?? []).map(containerOf), ...sidecarsOf(taskRun).map(sidecarContainerOf)],
    silent: (status?.steps ?? []).filter(({ name }) => neverRun.includes(name)).map(containerOf),
    pipelineRunUid: pipelineRunUidOf(taskRun) ?? '',
    taskRunUid: uid,
    earlierAttempt,
    only,
  }
  let log: Promise<ContainerLog[]> | undefined
  return () => (log ??= archivedTaskLog(task, signal))
}
