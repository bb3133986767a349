import { podType } from '@slipway/kube/core-types'
import { ApiError } from '@slipway/kube/status'
import { type LogSection, sectionsOf } from '@slipway/model/logs/log-sections'
import { isMissingLogNotice } from '@slipway/model/logs/missing-log'
import { stepContainersOf } from '@slipway/model/runs/pod-containers'
import { flagOnceKnown } from '../flags/flags'
import { isInconclusive } from './archive'
import { archivedPodLog, getArchived, hasKubeArchive } from './kube-archive'
import { missingLog, recordedLog } from './tekton-results'

/** A task whose pod was deleted. */
export interface ArchivedTask {
  namespace: string
  task: string
  pod?: string | undefined
  /** The containers of its steps, in order; empty if they are no longer known. */
  containers: readonly string[]
  pipelineRunUid: string
  taskRunUid: string
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
    const isMirrored = pod && (await flagOnceKnown('kubearchive-logs')) && (await hasKubeArchive())
    const found = isMirrored
      ? await mirroredLogs({ ...log, pod }, signal)
      : sectionsOf(await recordedLog(log, signal), containers, earlierAttempt)
    if (!found) throw missingLog(task, '', undefined)
    // What was archived may be the sentence of a node that had already lost the log.
    const logs = found.map((section): ContainerLog =>
      isMissingLogNotice(section.text)
        ? { ...section, text: '', missing: missingLog(task, '', section.text) }
        : section,
    )
    const [first] = logs
    if (first?.missing && logs.every(({ missing }) => missing)) throw first.missing
    return logs
  } catch (error) {
    if (signal?.aborted || isInconclusive(error)) throw error
    throw missingLog(task, error instanceof ApiError ? error.url : '', error)
  }
}

async function mirroredLogs(
  { namespace, task, pod, containers }: ArchivedTask & { pod: string },
  signal?: AbortSignal,
): Promise<ContainerLog[]> {
  const known =
    containers.length > 0 ? containers : stepContainersOf(await getArchived(podType, { namespace, name: pod }, signal))
  return Promise.all(known.map((container) => mirroredLog({ namespace, pod, container }, task, signal)))
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
