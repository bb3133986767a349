import { podType, type Pod } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { TaskRun } from '@slipway/model/runs/task-run'
import type { ControllerContext } from '../controller'
import { logLinesOf, type LogLine } from '../tekton/logs'
import type { StepPlan, TaskPlan } from '../tekton/plan'

/**
 * Lines are written in batches, each of what a step says within this time. They begin with the step, so that they do
 * not depend on when somebody looked.
 */
const batchMs = 2_000
/** Below what the log door takes at a time, whatever the bytes of these characters. */
const maxBatchLength = 500_000

/** What is left to be written of the log of a step. */
interface Cursor {
  podUid: string
  lines: Iterator<LogLine>
  next: LogLine | undefined
}

/** Known again from the stored log after a restart: only spares reading it each time. */
const cursors = new WeakMap<ControllerContext, Map<string, Cursor>>()

export interface StepLog {
  pod: Pod
  taskRun: TaskRun
  plan: TaskPlan
  step: StepPlan
  /** When the pod began to run; milliseconds since 1970. */
  podMs: number
}

const keyOf = ({ pod, step }: StepLog) => `${uidOf(pod)}/${step.container}`

function cursorsOf(context: ControllerContext): Map<string, Cursor> {
  const known = cursors.get(context) ?? new Map<string, Cursor>()
  cursors.set(context, known)
  return known
}

/** Of a step that has just begun: nothing can have been written. */
export function beginLog(context: ControllerContext, log: StepLog, linesWritten = 0): Cursor {
  const known = cursorsOf(context)
  const pods = context.informer(podType)
  // Of pods that went away in the middle of a step nobody would hear again.
  for (const [key, { podUid }] of known) if (!pods.byUid(podUid)) known.delete(key)
  const lines = logLinesOf(log.taskRun, log.plan, log.step, context)[Symbol.iterator]()
  const cursor: Cursor = { podUid: uidOf(log.pod), lines, next: undefined }
  for (let count = 0; count <= linesWritten; count++) advance(cursor)
  known.set(keyOf(log), cursor)
  return cursor
}

function advance(cursor: Cursor): void {
  const { value, done } = cursor.lines.next()
  cursor.next = done ? undefined : value
}

const locationOf = ({ pod }: StepLog) => ({ namespace: namespaceOf(pod), name: nameOf(pod) })

async function resumeLog(context: ControllerContext, log: StepLog): Promise<Cursor> {
  const written = await context.logs.read(locationOf(log), log.step.container)
  return beginLog(context, log, written.split('\n').length - 1)
}

/**
 * Writes what a running step has said until now, as far as the batches are complete.
 * @param isSettled everything is written, since nothing will follow
 * @returns when the next batch is due, unless there is none
 */
export async function writeLog(
  context: ControllerContext,
  log: StepLog,
  nowMs: number,
  isOver: boolean,
): Promise<number | undefined> {
  if (!context.logs.areStored) return undefined
  const { podMs, step } = log
  const cursor = cursorsOf(context).get(keyOf(log)) ?? (await resumeLog(context, log))
  const endMs = podMs + step.endMs
  const dueMs = ({ atMs }: LogLine) =>
    Math.min(podMs + step.startMs + (Math.floor((atMs - step.startMs) / batchMs) + 1) * batchMs, endMs)
  const isSaid = (line: LogLine) => (isOver ? podMs + line.atMs <= nowMs : dueMs(line) <= nowMs)
  while (cursor.next && isSaid(cursor.next)) {
    const first = cursor.next
    let text = ''
    do {
      text += `${cursor.next.text}\n`
      advance(cursor)
    } while (
      cursor.next &&
      isSaid(cursor.next) &&
      dueMs(cursor.next) === dueMs(first) &&
      text.length + cursor.next.text.length < maxBatchLength
    )
    try {
      await context.logs.write(locationOf(log), step.container, text, podMs + first.atMs)
    } catch (error) {
      // Whether it was written, only the log can tell.
      cursorsOf(context).delete(keyOf(log))
      throw error
    }
  }
  if (isOver) cursorsOf(context).delete(keyOf(log))
  return cursor.next && dueMs(cursor.next)
}
