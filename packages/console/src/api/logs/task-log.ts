import type { Clock } from '@slipway/kube/clock'
import type { Pod } from '@slipway/kube/core-types'
import { createLogCursor, type LogCursor } from '@slipway/kube/log-cursor'
import { isRecord, namespaceOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { createLogLines, type LogLines } from '@slipway/model/logs/log-lines'
import {
  containerOf,
  earlierAttemptsOf,
  podNameOf,
  sidecarContainerOf,
  sidecarsOf,
  stepNameOf,
  type TaskRun,
} from '@slipway/model/runs/task-run'
import { taskRunStatus } from '@slipway/model/runs/run-status'
import { isFinished } from '@slipway/model/runs/tekton'
import { containerPhaseOf, type ContainerPhase, stepContainersOf } from '@slipway/model/runs/pod-containers'
import { limitConcurrency } from '../../lib/limit-concurrency'
import { createEmitter } from '../../lib/store'
import { type ContainerLog, logOf } from '../archive/archived-log'
import { originOf } from '../archive/origin'
import { isTransientOrSignedOut, pause, readContainerLog, readPod, type LogConnection } from './pod-logs'
import { archivedLogLoader } from './step-log'

export type StepLogState =
  | LogConnection
  /** The log is not on screen: reading continues from here as soon as it is. */
  | { phase: 'paused' }
  | { phase: 'ended'; isArchived: boolean }
  | { phase: 'failed'; error: unknown }

/** The log of one step or sidecar, as far as it has been read. */
export interface StepLog {
  container: string
  /** The name of the step in its task; of a sidecar, the name of its container. */
  name: string
  lines: LogLines
  state: StepLogState
}

/** The log of a task. It is read while there are subscribers, and what has been read stays. */
export interface TaskLog {
  /** Reads for as long as there is a subscriber. Reports changes a few times a second. */
  subscribe(onChange: () => void): () => void
  /** Another number after every change. */
  version(): number
  /** In the order in which they run, followed by the sidecars. */
  readonly steps: readonly StepLog[]
  /** While there are no steps, why there are none. */
  readonly error: StepLogState
  /** Passes on what is now known about the task. */
  update(taskRun: TaskRun): void
  /** Tries again to read what could not be read. */
  retry(): void
}

/** How long a log without subscribers stays connected, so that switching tabs and back does not reconnect. */
const graceMs = 5_000
/** How long a page in the background stays connected: a browser shares few connections among all its pages. */
const hiddenMs = 30_000
const notifyIntervalMs = 100
/** A browser opens at most six connections to one server. */
const readAtOnce = 3
const archivedLinesAtOnce = 5_000
const podDelayMs = 2_000

export function createTaskLog(first: TaskRun, { clock, random }: { clock: Clock; random: () => number }): TaskLog {
  let taskRun = first
  let steps: (StepLog & { cursor: LogCursor })[] = []
  let taskState: StepLogState = { phase: 'loading' }
  let version = 0
  let stopWaiting: (() => void) | undefined
  let reading: AbortController | undefined
  let cancelClose: (() => void) | undefined
  const changes = createEmitter()

  const notify = () => {
    stopWaiting = undefined
    changes.emit()
  }
  /** Notifies at once, and then at most once per interval. */
  const changed = () => {
    version++
    if (stopWaiting) return
    let seen = version
    notify()
    const wait = () => {
      stopWaiting = clock.after(notifyIntervalMs, () => {
        stopWaiting = undefined
        if (version === seen) return
        seen = version
        notify()
        wait()
      })
    }
    wait()
  }

  const setState = (step: StepLog, state: StepLogState) => {
    step.state = state
    changed()
  }
  const setTaskState = (state: StepLogState) => {
    taskState = state
    changed()
  }

  function stepOf(container: string) {
    const known = steps.find((step) => step.container === container)
    if (known) return known
    const name = nameOfStep(taskRun, container)
    const step = {
      container,
      name,
      lines: createLogLines(),
      state: { phase: 'waiting' } as const,
      cursor: createLogCursor(),
    }
    const sidecars = sidecarContainersOf(taskRun)
    const isAfter = (other: StepLog) => sidecars.indexOf(other.container) > sidecars.indexOf(container)
    steps = [...steps.filter((other) => !isAfter(other)), step, ...steps.filter(isAfter)]
    changed()
    return step
  }

  async function read(signal: AbortSignal): Promise<void> {
    const pod = podNameOf(taskRun)
    if (!pod) return
    const ref = { namespace: namespaceOf(taskRun) ?? '', pod }
    const archived = archivedLogLoader(taskRun, signal)
    const readStep = async (step: ReturnType<typeof stepOf>, phase: ContainerPhase) => {
      try {
        await readContainerLog({ ...ref, container: step.container }, phase, {
          cursor: step.cursor,
          sink: {
            lines(lines) {
              step.lines.append(lines)
              changed()
            },
            open(text) {
              step.lines.open(text)
              changed()
            },
          },
          onConnection: (connection) => setState(step, connection),
          mayStart: () => !isFinished(taskRun),
          isPending: () => isPending(taskRun),
          clock,
          random,
          signal,
        })
        setState(step, { phase: 'ended', isArchived: false })
      } catch (error) {
        signal.throwIfAborted()
        if (isNotFound(error)) await readArchivedStep(step, archived, signal)
        else setState(step, { phase: 'failed', error })
      }
    }
    const unread = (containers: readonly string[]) =>
      containers.map(stepOf).filter(({ state }) => state.phase !== 'ended')
    // According to the task, these steps have ended, so they can be read without waiting for the pod. The pod of a
    // deleted task has usually been deleted too: then one request for the pod replaces one for each step.
    const ended = unread(originOf(taskRun) || isTriedAgain(taskRun) ? [] : endedContainersOf(taskRun))
    const readEnded = limitConcurrency(ended, readAtOnce, (step) => readStep(step, 'over'))
    const readRest = async () => {
      const found = await readPodAgain(ref, signal)
      if (!found) {
        await readEnded
        return readArchived(archived, signal)
      }
      const sidecars = sidecarContainersIn(found, taskRun)
      const containers = stepContainersOf(found).filter((container) => !sidecars.includes(container))
      const open = unread([...containers, ...sidecars]).filter((step) => !ended.includes(step))
      const phaseOf = ({ container }: StepLog) => containerPhaseOf(found, container)
      const over = open.filter((step) => phaseOf(step) === 'over')
      // Steps run one after another, so that only the first unfinished one can write; sidecars run beside them.
      const isSidecar = ({ container }: StepLog) => sidecars.includes(container)
      const unfinished = open.filter((step) => phaseOf(step) !== 'over')
      const later = unfinished.filter((step) => !isSidecar(step))
      const readOne = (step: (typeof open)[number]) => readStep(step, phaseOf(step))
      await Promise.all([
        limitConcurrency(over, readAtOnce, readOne),
        limitConcurrency(later, 1, readOne),
        ...unfinished.filter(isSidecar).map(readOne),
      ])
    }
    await Promise.all([readEnded, readRest()])
  }

  /** @returns `undefined` for a deleted pod. A pending task has lost nothing with it: it gets another, or ends. */
  async function readPodAgain(ref: { namespace: string; pod: string }, signal: AbortSignal) {
    let sinceMs: number | undefined
    for (;;) {
      try {
        return await readPod(ref, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (isNotFound(error)) {
          if (!isPending(taskRun)) return undefined
          setTaskState({ phase: 'waiting' })
        } else {
          if (!isTransientOrSignedOut(error)) throw error
          sinceMs ??= clock.now()
          setTaskState({ phase: 'reconnecting', sinceMs, error })
        }
        await pause(clock, podDelayMs, signal)
      }
    }
  }

  async function readArchived(archived: () => Promise<ContainerLog[]>, signal: AbortSignal): Promise<void> {
    const unread = steps.filter(({ state }) => state.phase !== 'ended')
    if (steps.length > 0 && unread.length === 0) return
    try {
      const logs = await archived()
      // Steps that have been read to their end need not be read again.
      for (const { container } of logs) stepOf(container)
    } catch (error) {
      signal.throwIfAborted()
      for (const step of unread) setState(step, { phase: 'failed', error })
      return setTaskState({ phase: 'failed', error })
    }
    for (const step of steps) {
      if (step.state.phase !== 'ended') await readArchivedStep(step, archived, signal)
    }
  }

  async function readArchivedStep(
    step: StepLog,
    archived: () => Promise<ContainerLog[]>,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const logs = await archived()
      const log = logOf(logs, step.container)
      if (log?.missing) throw log.missing
      const text = log?.text ?? ''
      step.lines.reset(false)
      const lines = text.replace(/\n$/, '').split('\n')
      for (let at = 0; text !== '' && at < lines.length; at += archivedLinesAtOnce) {
        if (at > 0) await pause(clock, 0, signal)
        step.lines.append(lines.slice(at, at + archivedLinesAtOnce))
        changed()
      }
      setState(step, { phase: 'ended', isArchived: true })
    } catch (error) {
      signal.throwIfAborted()
      setState(step, { phase: 'failed', error })
    }
  }

  function start(): void {
    if (reading || document.visibilityState === 'hidden') return
    const controller = new AbortController()
    reading = controller
    for (const step of steps) if (step.state.phase === 'paused') step.state = { phase: 'loading' }
    read(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) setTaskState({ phase: 'failed', error })
    })
  }

  function stop(): void {
    reading?.abort()
    reading = undefined
    for (const step of steps) {
      // The beginning of an unfinished line will be sent again.
      if (step.state.phase !== 'ended') step.lines.open('')
      if (['loading', 'live', 'polling', 'reconnecting'].includes(step.state.phase)) step.state = { phase: 'paused' }
    }
    changed()
  }

  const onVisibilityChange = () => {
    cancelClose?.()
    cancelClose = undefined
    if (document.visibilityState !== 'hidden') start()
    else if (reading) cancelClose = clock.after(hiddenMs, stop)
  }

  return {
    subscribe(onChange) {
      const unsubscribe = changes.subscribe(onChange)
      document.addEventListener('visibilitychange', onVisibilityChange)
      onVisibilityChange()
      return () => {
        unsubscribe()
        if (changes.hasListeners()) return
        document.removeEventListener('visibilitychange', onVisibilityChange)
        cancelClose?.()
        cancelClose = clock.after(graceMs, stop)
      }
    },
    version: () => version,
    get steps() {
      return steps
    },
    get error() {
      return taskState
    },
    update(next) {
      const podBefore = podNameOf(taskRun)
      taskRun = next
      if (podBefore === podNameOf(next) || !reading) return
      // A retried task has another pod, and another log.
      stop()
      if (podBefore) steps = []
      start()
    },
    retry() {
      stop()
      for (const step of steps) if (step.state.phase === 'failed') step.state = { phase: 'loading' }
      taskState = { phase: 'loading' }
      start()
    },
  }
}

/** Whether none of its steps has begun. One that is only in an archive is no longer known to. */
const isPending = (taskRun: TaskRun): boolean => !originOf(taskRun) && taskRunStatus(taskRun) === 'Pending'

/** The name that the task gives to a step, or `build` for `step-build`. */
function nameOfStep({ status }: TaskRun, container: string): string {
  const known = status?.steps?.find((step) => step.container === container)?.name
  return known ?? stepNameOf(container)
}

/** Then the task reports the steps of the attempt before, until the pod of this one has started. */
const isTriedAgain = (taskRun: TaskRun): boolean => earlierAttemptsOf(taskRun).length > 0 && !isFinished(taskRun)

/** The containers of those steps and sidecars that have ended according to the task, in order. */
const endedContainersOf = (taskRun: TaskRun): string[] => [
  ...(taskRun.status?.steps ?? []).filter((step) => step.terminated).map(containerOf),
  ...sidecarsOf(taskRun)
    .filter((sidecar) => sidecar.terminated)
    .map(sidecarContainerOf),
]

const sidecarContainersOf = (taskRun: TaskRun): string[] => sidecarsOf(taskRun).map(sidecarContainerOf)

/** A task reports its sidecars only once its pod has started, which may be after its log has been opened. */
function sidecarContainersIn({ spec }: Pod, taskRun: TaskRun): string[] {
  const reported = sidecarContainersOf(taskRun)
  const { sidecars } = taskRun.status?.taskSpec ?? {}
  const defined = (Array.isArray(sidecars) ? sidecars : []).map((sidecar: unknown) =>
    isRecord(sidecar) && typeof sidecar.name === 'string' ? sidecarContainerOf({ name: sidecar.name }) : '',
  )
  const later = (spec?.containers ?? []).map(({ name }) => name).filter((name) => defined.includes(name))
  return [...new Set([...reported, ...later])]
}
