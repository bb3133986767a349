import { podType } from '@slipway/kube/core-types'
import { ApiError } from '@slipway/kube/status'
import { type LogSection, sectionsOf } from '@slipway/model/logs/log-sections'
import { isMissingLogNotice } from '@slipway/model/logs/missing-log'
import { stepContainersOf } from '@slipway/model/runs/pod-containers'
import { chosenArchive, isInconclusive } from './archive'
import { archivedPodLog, getArchived } from './kube-archive'
import { missingLog, recordedLog } from './tekton-results'

/** A task whose pod was deleted. */
export interface ArchivedTask {
  namespace: string
  task: string
  pod?: string | undefined
  /** The containers of its steps, in order; empty if they are no longer known. */
  containers: readonly string[]
  /** Those of them that never ran. That they have no log says nothing. */
  silent?: readonly string[]
  pipelineRunUid: string
  taskRunUid: string
  /** The only container whose log is needed. An archive that stores the task's log as a whole returns all of it. */
  only?: string | undefined
  /** Which of the attempts that were followed by another, from 1; the last one of all by default. */
  earlierAttempt?: number | undefined
}

export interface ContainerLog extends LogSection {
  /** Why this log is missing although others of the task are archived; code 404. */
  missing?: ApiError
}

/**
 * The logs of all steps of a task that has ended, in order.
 * @throws ApiError with code 404 if there are none, or the archive's error if it may still have them
 */
export async function archivedTaskLog(log: ArchivedTask, signal?: AbortSignal): Promise<ContainerLog[]> {
  const { task, pod, containers, earlierAttempt } = log
  try {
    const archive = await chosenArchive('kubearchive-logs')
    // A task without a pod has written nothing.
    if (!archive || (archive === 'KubeArchive' && !pod)) throw missingLog(task, '', undefined)
    const found =
      archive === 'KubeArchive'
        ? await mirroredLogs({ ...log, pod: pod ?? '' }, signal)
        : sectionsOf(await recordedLog(log, signal), containers, earlierAttempt)
    if (!found) throw missingLog(task, '', undefined)
    // What was archived may be the sentence of a node that had already lost the log.
    const logs = found.map((section): ContainerLog =>
      isMissingLogNotice(section.text)
        ? { ...section, text: '', missing: missingLog(task, '', section.text) }
        : section,
    )
    const expected = logs.filter(({ container }) => !log.silent?.includes(container))
    if (expected[0]?.missing && expected.every(({ missing }) => missing)) throw expected[0].missing
    return logs
  } catch (error) {
    if (signal?.aborted || isInconclusive(error)) throw error
    throw missingLog(task, error instanceof ApiError ? error.url : '', error)
  }
}

async function mirroredLogs(
  { namespace, task, pod, only, containers, silent = [] }: ArchivedTask & { pod: string },
  signal?: AbortSignal,
): Promise<ContainerLog[]> {
  const all = only === undefined ? containers : [only]
  const known = all.length > 0 ? all : stepContainersOf(await getArchived(podType, { namespace, name: pod }, signal))
  const logs = await Promise.all(known.map((container) => mirroredLog({ namespace, pod, container }, task, signal)))
  return logs.map(({ missing, ...log }) => ({
    ...log,
    ...(missing && !silent.includes(log.container) && { missing }),
  }))
}

/** A step without a log does not hide the others. */
async function mirroredLog(
  ref: { namespace: string; pod: string; container: string },
  task: string,
  signal?: AbortSignal,
): Promise<ContainerLog> {
  const { container } = ref
  try {
    return { container, text: await archivedPodLog(ref, signal) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error
    return { container, text: '', missing: missingLog(task, error.url, error) }
  }
}

/** The log of one container. A log that does not name its container counts for every step, but for no sidecar. */
export const logOf = (logs: readonly ContainerLog[], container: string): ContainerLog | undefined =>
  logs.find((log) => log.container === container) ??
  (container.startsWith('sidecar-') ? undefined : logs.find((log) => log.container === ''))
