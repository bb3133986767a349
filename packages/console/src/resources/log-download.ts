import { systemClock, type Clock } from '@slipway/kube/clock'
import { isNotFound } from '@slipway/kube/status'
import { lineCutter } from '@slipway/model/logs/line-cutter'
import {
  containerOf,
  sidecarContainerOf,
  sidecarsOf,
  stepNameOf,
  taskNameOf,
  type TaskRun,
} from '@slipway/model/runs/task-run'
import { byStartTime } from '@slipway/model/runs/tekton'
import type { ContainerLog } from '../api/archive/archived-log'
import { failureText } from '../api/messages'
import { archivedLogLoader, stepTexts } from '../api/logs/step-log'

/** Longer lines are of no use in a file that people read. Specification 1, section 9. */
const maxLineLength = 1024
/** For a running step, the file has the output that arrives within this time. Specification 1, section 9. */
const runningStepMs = 1_000

interface FileOptions {
  /** Only the step with this name. */
  step?: string
  clock?: Clock
}

/**
 * The logs of tasks as one text, in the order in which their steps ran, and their sidecars last; long lines are truncated.
 * @returns pieces of the text, to be concatenated
 */
export async function logFile(
  taskRuns: readonly TaskRun[],
  { step: only, clock = systemClock }: FileOptions = {},
): Promise<string[]> {
  const pieces: string[] = []
  for (const taskRun of byStartTime(taskRuns)) {
    const task = taskNameOf(taskRun)
    const stop = new AbortController()
    const archived = archivedLogLoader(taskRun, stop.signal)
    const startSection = (title: string) => pieces.push(`${pieces.length > 0 ? '\n' : ''}===== ${title} =====\n`)
    const steps = await stepsOf(taskRun, archived).catch((error: unknown) => {
      // A task that was skipped silently would seem to have no output.
      startSection(task)
      pieces.push(`${failureText(error)}\n`)
      return []
    })
    for (const { name, container, isOver } of steps) {
      if (only !== undefined && name !== only) continue
      if (only === undefined) startSection(`${task} / ${name}`)
      const cancel = isOver ? undefined : clock.after(runningStepMs, () => stop.abort())
      pieces.push(...(await stepText(taskRun, container, archived, stop.signal)))
      cancel?.()
    }
  }
  return pieces
}

/**
 * The steps of a task. One from the results database has no step statuses, so its log names them.
 * @throws the error of an archive that may have the log
 */
async function stepsOf(taskRun: TaskRun, archived: () => Promise<ContainerLog[]>) {
  const { status } = taskRun
  if (status?.steps?.length) {
    return [
      ...status.steps.map((step) => ({ ...step, container: containerOf(step) })),
      ...sidecarsOf(taskRun).map((each) => {
        const container = sidecarContainerOf(each)
        return { ...each, name: container, container }
      }),
    ].map(({ name, container, terminated }) => ({ name, container, isOver: terminated !== undefined }))
  }
  if (!status?.podName && !status?.completionTime) return []
  const known = await archived().catch((error: unknown) => {
    if (isNotFound(error)) return []
    throw error
  })
  return known.map(({ container }) => ({ name: stepNameOf(container) || 'log', container, isOver: true }))
}

async function stepText(
  taskRun: TaskRun,
  container: string,
  archived: () => Promise<ContainerLog[]>,
  signal: AbortSignal,
): Promise<string[]> {
  const pieces: string[] = []
  const cut = lineCutter(maxLineLength)
  let isEnded = true
  try {
    for await (const text of stepTexts(taskRun, container, archived, signal)) {
      const piece = cut(text)
      if (piece) pieces.push(piece)
      isEnded = text.endsWith('\n')
    }
  } catch (error) {
    // After the time limit of a running step, what has arrived is the result.
    if (!signal.aborted) {
      pieces.push(`${failureText(error)}\n`)
      isEnded = true
    }
  }
  if (!isEnded) pieces.push('\n')
  return pieces
}
