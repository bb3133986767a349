import { systemClock, type Clock } from '@slipway/kube/clock'
import { nameOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { labels } from '@slipway/model/labels'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { archivedTaskLog, type ContainerLog } from '../api/archive/archive'
import { failureText } from '../api/messages'
import { stepTexts } from '../api/logs/step-log'
import { archivedTaskOf } from '../api/logs/task-log'

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
    const task = taskRun.metadata.labels?.[labels.pipelineTask] ?? nameOf(taskRun)
    const stop = new AbortController()
    const archived = once(() => archivedTaskLog(archivedTaskOf(taskRun), stop.signal))
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

/** By their start; what has not begun comes last. */
export const byStartTime = (taskRuns: readonly TaskRun[]): TaskRun[] =>
  [...taskRuns].sort((a, b) => {
    const [first, second] = [a.status?.startTime ?? '~', b.status?.startTime ?? '~']
    return first === second ? 0 : first < second ? -1 : 1
  })

/**
 * A task that comes from the results database no longer knows its steps; its log does.
 * @throws the failure of an archive that may have the log
 */
async function stepsOf({ status }: TaskRun, archived: () => Promise<ContainerLog[]>) {
  if (status?.steps?.length) {
    return status.steps.map(({ name, container, terminated }) => ({
      name,
      container: container ?? `step-${name}`,
      isOver: terminated !== undefined,
    }))
  }
  if (!status?.podName && !status?.completionTime) return []
  const known = await archived().catch((error: unknown) => {
    if (isNotFound(error)) return []
    throw error
  })
  return known.map(({ container }) => ({ name: container.replace(/^step-/, '') || 'log', container, isOver: true }))
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

/** Cuts the lines of a text that comes in pieces. */
export function lineCutter(longest: number): (text: string) => string {
  /** Of the line that has begun. */
  let length = 0
  return (text) => {
    let kept = ''
    for (let at = 0; at < text.length;) {
      const newline = text.indexOf('\n', at)
      const end = newline < 0 ? text.length : newline
      const cut = Math.min(end, at + Math.max(0, longest - length))
      // Half of a character is none.
      kept += text.slice(at, cut < end && /[\ud800-\udbff]/.test(text.charAt(cut - 1)) ? cut - 1 : cut)
      length += end - at
      if (newline >= 0) {
        kept += '\n'
        length = 0
      }
      at = end + 1
    }
    return kept
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
