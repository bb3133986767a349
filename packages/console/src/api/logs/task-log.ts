import type { Clock } from '@slipway/kube/clock'
import { createLogCursor, type LogCursor } from '@slipway/kube/log-cursor'
import { namespaceOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { createLogLines, type LogLines } from '@slipway/model/logs/log-lines'
import { containerOf, stepNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { limitConcurrency } from '../../lib/limit-concurrency'
import { createEmitter } from '../../lib/store'
import { type ContainerLog, logOf } from '../archive/archive'
import { originOf } from '../archive/origin'
import { containerPhaseOf, type ContainerPhase, stepContainersOf } from '@slipway/model/runs/pod-containers'
import { isTransientOrSignedOut, pause, readContainerLog, readPod, type LogConnection } from './pod-logs'
import { archivedLogLoader } from './step-log'

export type StepLogState =
  | LogConnection
  /** Nobody looks: it goes on from here as soon as somebody does. */
  | { phase: 'paused' }
  | { phase: 'ended'; isArchived: boolean }
  | { phase: 'failed'; error: unknown }

/** The log of one step, as far as it has been read. */
export interface StepLog {
  container: string
  /** As the task calls the step. */
  name: string
  lines: LogLines
  state: StepLogState
}

/** The log of a task: it is read while somebody looks, and what has been read stays. */
export interface TaskLog {
  /** Reads, for as long as there is a subscriber. Changes are told of a few times a second. */
  subscribe(onChange: () => void): () => void
  /** Another number after every change. */
  version(): number
  readonly steps: readonly StepLog[]
  /** Before there are steps: why there are none. */
  readonly error: StepLogState
  /** What is known of the task now. */
  update(taskRun: TaskRun): void
  /** Reads again what could not be read. */
  retry(): void
}

/** A tab that is changed and changed back keeps its connection. */
const graceMs = 5_000
/** A page in the background gives its connections back: a browser has few of them for all its pages together. */
const hiddenMs = 30_000
const notifyIntervalMs = 100
/** A browser has six connections for one server. */
const readAtOnce = 3
const archivedLinesAtOnce = 5_000
const podDelayMs = 2_000

export function createTaskLog(first: TaskRun, { clock, random }: { clock: Clock; random: () => number }): TaskLog {
  let taskRun = first
  let steps: (StepLog & { cursor: LogCursor })[] = []
  let problem: StepLogState = { phase: 'loading' }
  let version = 0
  let stopWaiting: (() => void) | undefined
  let reading: AbortController | undefined
  let cancelClose: (() => void) | undefined
  const changes = createEmitter()

  const tell = () => {
    stopWaiting = undefined
    changes.emit()
  }
  /** At once, and then not again for a moment. */
  const changed = () => {
    version++
    if (stopWaiting) return
    let seen = version
    tell()
    const wait = () => {
      stopWaiting = clock.after(notifyIntervalMs, () => {
        stopWaiting = undefined
        if (version === seen) return
        seen = version
        tell()
        wait()
      })
    }
    wait()
  }

  const setState = (step: StepLog, state: StepLogState) => {
    step.state = state
    changed()
  }
  const setProblem = (state: StepLogState) => {
    problem = state
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
    steps = [...steps, step]
    changed()
    return step
  }

  async function read(signal: AbortSignal): Promise<void> {
    const pod = taskRun.status?.podName
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
    // The task itself says that these are over: nothing is to be learned from the pod before they are read. The pod of a
    // task that is gone is gone too, as a rule: that is one question instead of one for each step.
    const ended = unread(originOf(taskRun) ? [] : endedContainersOf(taskRun))
    const readEnded = limitConcurrency(ended, readAtOnce, (step) => readStep(step, 'over'))
    const readRest = async () => {
      const found = await readPodAgain(ref, signal)
      if (!found) {
        await readEnded
        return readArchived(archived, signal)
      }
      const open = unread(stepContainersOf(found)).filter((step) => !ended.includes(step))
      const phaseOf = ({ container }: StepLog) => containerPhaseOf(found, container)
      const over = open.filter((step) => phaseOf(step) === 'over')
      // Steps run one after the other, so that of those that have not ended only the first can write.
      const later = open.filter((step) => phaseOf(step) !== 'over')
      const readOne = (step: (typeof open)[number]) => readStep(step, phaseOf(step))
      await Promise.all([limitConcurrency(over, readAtOnce, readOne), limitConcurrency(later, 1, readOne)])
    }
    await Promise.all([readEnded, readRest()])
  }

  /** @returns `undefined` for a pod that is gone */
  async function readPodAgain(ref: { namespace: string; pod: string }, signal: AbortSignal) {
    let sinceMs: number | undefined
    for (;;) {
      try {
        return await readPod(ref, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (isNotFound(error)) return undefined
        if (!isTransientOrSignedOut(error)) throw error
        sinceMs ??= clock.now()
        setProblem({ phase: 'reconnecting', sinceMs, error })
        await pause(clock, podDelayMs, signal)
      }
    }
  }

  async function readArchived(archived: () => Promise<ContainerLog[]>, signal: AbortSignal): Promise<void> {
    const unread = steps.filter(({ state }) => state.phase !== 'ended')
    if (steps.length > 0 && unread.length === 0) return
    try {
      const logs = await archived()
      // What is known already of steps that have ended is the same.
      for (const { container } of logs) stepOf(container)
    } catch (error) {
      signal.throwIfAborted()
      for (const step of unread) setState(step, { phase: 'failed', error })
      return setProblem({ phase: 'failed', error })
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
      if (!controller.signal.aborted) setProblem({ phase: 'failed', error })
    })
  }

  function stop(): void {
    reading?.abort()
    reading = undefined
    for (const step of steps) {
      // What came of a line that was not ended comes again.
      if (step.state.phase !== 'ended') step.lines.open('')
      if (['loading', 'live', 'reconnecting'].includes(step.state.phase)) step.state = { phase: 'paused' }
    }
    changed()
  }

  const look = () => {
    cancelClose?.()
    cancelClose = undefined
    if (document.visibilityState !== 'hidden') start()
    else if (reading) cancelClose = clock.after(hiddenMs, stop)
  }

  return {
    subscribe(onChange) {
      const unsubscribe = changes.subscribe(onChange)
      document.addEventListener('visibilitychange', look)
      look()
      return () => {
        unsubscribe()
        if (changes.hasListeners()) return
        document.removeEventListener('visibilitychange', look)
        cancelClose?.()
        cancelClose = clock.after(graceMs, stop)
      }
    },
    version: () => version,
    get steps() {
      return steps
    },
    get error() {
      return problem
    },
    update(next) {
      const hadPod = taskRun.status?.podName
      taskRun = next
      if (hadPod === next.status?.podName || !reading) return
      // A task that is tried again has another pod, and another log.
      stop()
      if (hadPod) steps = []
      start()
    },
    retry() {
      stop()
      for (const step of steps) if (step.state.phase === 'failed') step.state = { phase: 'loading' }
      problem = { phase: 'loading' }
      start()
    },
  }
}

/** `step-build` is `build`; what the task itself says of it goes before. */
function nameOfStep({ status }: TaskRun, container: string): string {
  const known = status?.steps?.find((step) => step.container === container)?.name
  return known ?? stepNameOf(container)
}

/** Of the steps that the task knows to have ended, in order. */
const endedContainersOf = ({ status }: TaskRun): string[] =>
  (status?.steps ?? []).filter((step) => step.terminated).map(containerOf)
