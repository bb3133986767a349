import { podType, type Pod } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { TaskRun } from '@slipway/model/runs/task-run'
import type { ControllerContext } from '../controller'
import { logLinesOf, type LogLine } from '../tekton/logs'
import type { StepPlan, TaskPlan } from '../tekton/plan'

/**
 * Log lines are written in batches of this length. The first batch starts with the step, so batches do not depend on
 * when the controller runs.
 */
const batchMs = 2_000
/** Maximum characters of a batch: below the request limit of the log endpoint, even if all are multi-byte. */
const maxBatchLength = 500_000

/** The lines of a step's log that are still to be written. */
interface Cursor {
  podUid: string
  lines: Iterator<LogLine>
  next: LogLine | undefined
}

/** Only avoids reading the stored log each time; after a restart it is restored from there. */
const cursors = new WeakMap<ControllerContext, Map<string, Cursor>>()

export interface StepLog {
  pod: Pod
  taskRun: TaskRun
  plan: TaskPlan
  step: StepPlan
  /** When the pod started to run; milliseconds since 1970. */
  podMs: number
}

const keyOf = ({ pod, step }: StepLog) => `${uidOf(pod)}/${step.container}`

function cursorsOf(context: ControllerContext): Map<string, Cursor> {
  const known = cursors.get(context) ?? new Map<string, Cursor>()
  cursors.set(context, known)
  return known
}

/** Starts the log of a step, of which `linesWritten` lines are already written. */
export function startLog(context: ControllerContext, log: StepLog, linesWritten = 0): Cursor {
  const known = cursorsOf(context)
  const pods = context.informer(podType)
  // Pods may be deleted during a step, which then never finishes.
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
  return startLog(context, log, written.split('\n').length - 1)
}

/**
 * Writes the output of a running step so far, in complete batches.
 * @param isOver writes everything, since the step has ended
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
  const isDue = (line: LogLine) => (isOver ? podMs + line.atMs <= nowMs : dueMs(line) <= nowMs)
  while (cursor.next && isDue(cursor.next)) {
    const first = cursor.next
    let text = ''
    do {
      text += `${cursor.next.text}\n`
      advance(cursor)
    } while (
      cursor.next &&
      isDue(cursor.next) &&
      dueMs(cursor.next) === dueMs(first) &&
      text.length + cursor.next.text.length < maxBatchLength
    )
    try {
      await context.logs.write(locationOf(log), step.container, text, podMs + first.atMs)
    } catch (error) {
      // Whether the text was written can only be seen in the log.
      cursorsOf(context).delete(keyOf(log))
      throw error
    }
  }
  if (isOver) cursorsOf(context).delete(keyOf(log))
  return cursor.next && dueMs(cursor.next)
}
