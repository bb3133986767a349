import { systemClock, type Clock } from '@slipway/kube/clock'
import { isNotFound } from '@slipway/kube/status'
import { lineCutter } from '@slipway/model/logs/line-cutter'
import { containerOf, stepNameOf, taskNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { byStartTime } from '@slipway/model/runs/tekton'
import type { ContainerLog } from '../api/archive/archive'
import { failureText } from '../api/messages'
import { archivedLogLoader, stepTexts } from '../api/logs/step-log'

/** What is longer is of no use in a file that is read by people. Specification 1, section 9. */
const longestLine = 1024
/** What a step that has not ended has sent by then is taken for all of it. Specification 1, section 9. */
const unfinishedMs = 1_000

interface FileOptions {
  /** Only this one, as the task calls it. */
  step?: string
  clock?: Clock
}

/**
 * The logs of tasks as one text, in the order in which their steps ran; long lines are cut.
 * @returns pieces, to be put into a file one after the other
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
    const begin = (title: string) => pieces.push(`${pieces.length > 0 ? '\n' : ''}===== ${title} =====\n`)
    const steps = await stepsOf(taskRun, archived).catch((error: unknown) => {
      // A task that is passed over in silence would seem to have written nothing.
      begin(task)
      pieces.push(`${failureText(error)}\n`)
      return []
    })
    for (const { name, container, isOver } of steps) {
      if (only !== undefined && name !== only) continue
      if (only === undefined) begin(`${task} / ${name}`)
      const cancel = isOver ? undefined : clock.after(unfinishedMs, () => stop.abort())
      pieces.push(...(await stepText(taskRun, container, archived, stop.signal)))
      cancel?.()
    }
  }
  return pieces
}

/**
 * A task that comes from the results database no longer knows its steps; its log does.
 * @throws the failure of an archive that may have the log
 */
async function stepsOf({ status }: TaskRun, archived: () => Promise<ContainerLog[]>) {
  if (status?.steps?.length) {
    return status.steps.map((step) => ({
      name: step.name,
      container: containerOf(step),
      isOver: step.terminated !== undefined,
    }))
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
  const cut = lineCutter(longestLine)
  let isEnded = true
  try {
    for await (const text of stepTexts(taskRun, container, archived, signal)) {
      const piece = cut(text)
      if (piece) pieces.push(piece)
      isEnded = text.endsWith('\n')
    }
  } catch (error) {
    // What there is of a step that goes on is what was asked for.
    if (!signal.aborted) {
      pieces.push(`${failureText(error)}\n`)
      isEnded = true
    }
  }
  if (!isEnded) pieces.push('\n')
  return pieces
}
