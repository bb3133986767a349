import { systemClock, type Clock } from './clock'
import {
  advance,
  connectionLostMessage,
  startMachine,
  type ListWatchState,
  type MachineEvent,
} from './list-watch-machine'
import type { KubeList, KubeObject } from './object'
import { isKnownEvent, parseWatchEvent, type WatchEvent } from './watch-event'

/**
 * Keeps a list up to date: lists, then watches from the list's resourceVersion; after any gap it lists again and
 * replaces everything.
 *
 * It is in one step at a time (list, connect, open, wait), and late results of an earlier step are ignored. What comes
 * next is decided in `list-watch-machine.ts`.
 */
export interface ListWatch {
  /** Continues the watch from a list that other code has fetched and shown. */
  adopt(list: Pick<KubeList, 'metadata'>): void
  /** After a regular end: watches again immediately, from this version, which is known to be shown. */
  resume(resourceVersion: string): void
  /** Lists again now and starts a new watch. */
  refresh(): void
  /** The computer or the tab may have slept: connects again now, or lists again if nothing was received lately. */
  wake(): void
  close(): void
}

export interface WatchHandlers {
  onOpen(): void
  /** One watch event as JSON text; an empty text is a heartbeat. */
  onMessage(text: string): void
  /** The connection ended or was never established. @param code close code of the websocket; 1006 is an abnormal closure */
  onClose(code?: number): void
}

export interface ListWatchOptions<T extends KubeObject> {
  list(signal: AbortSignal): Promise<KubeList<T>>
  openWatch(resourceVersion: string | undefined, handlers: WatchHandlers): { close(): void }
  /** A list that is already shown, so that the first step is to watch. */
  initial?: { resourceVersion?: string; asOf: number }
  /** Replaces all known objects. */
  onList?(list: KubeList<T>): void
  /** Receives one or more events in order, for `applyWatchEvents`. */
  onEvents(events: WatchEvent<T>[]): void
  onState?(state: ListWatchState): void
  /** Events are delivered in batches, at most this long after the first; 500 ms by default, 0 for immediately. */
  flushMs?: number
  clock?: Clock
  /** Returns 0 ≤ n < 1: spreads the reconnects of many clients over a tenth of the delay. Default: no spread. */
  random?(): number
  warn?(message: string): void
  /** Called before a list or connection that no user is waiting for. Returns how many ms to postpone it; 0 for none. */
  postponeMs?(): number
}

const flushAtMessages = 1_000
const abnormalClose = 1006

export function listWatch<T extends KubeObject>(options: ListWatchOptions<T>): ListWatch {
  const { clock = systemClock, random = () => 0, flushMs = 500, warn = (message) => console.warn(message) } = options
  let machine = startMachine(options.initial, clock.now())
  let leaveStep = () => {}
  let stopTimer = () => {}
  let buffer: WatchEvent<T>[] = []
  let stopFlushTimer: (() => void) | undefined

  function dispatch(event: MachineEvent) {
    const before = machine
    machine = advance(machine, event, clock.now(), random())
    const { shown, step } = machine
    if (shown !== before.shown) options.onState?.(shown)
    // A handler may have closed it.
    if (step !== before.step && step === machine.step) enter()
  }

  function enter() {
    const { name, untilMs } = machine.step
    stopTimer()
    const due = () => {
      const postponeMs = (name === 'waiting' && options.postponeMs?.()) || 0
      if (postponeMs > 0) stopTimer = clock.after(postponeMs, due)
      else afterFlush({ type: 'timeout' })
    }
    if (untilMs !== undefined) stopTimer = clock.after(untilMs - clock.now(), due)
    if (name === 'open') return
    leaveStep()
    leaveStep = () => {}
    clearBuffer()
    if (name === 'listing') list()
    if (name === 'connecting') connect()
  }

  function list() {
    const controller = new AbortController()
    let isCurrent = true
    leaveStep = () => {
      isCurrent = false
      controller.abort()
    }
    options
      .list(controller.signal)
      .then((result) => {
        if (!isCurrent) return
        options.onList?.(result)
        dispatch({ type: 'listed', metadata: result.metadata })
      })
      .catch((error: unknown) => isCurrent && dispatch({ type: 'listFailed', error }))
  }

  function connect() {
    let socket: { close(): void } | undefined
    let isCurrent = true
    leaveStep = () => {
      isCurrent = false
      socket?.close()
    }
    try {
      socket = options.openWatch(machine.from?.resourceVersion, {
        onOpen: () => isCurrent && dispatch({ type: 'opened' }),
        onMessage: (text) => isCurrent && receive(text),
        onClose: (code) => isCurrent && afterFlush({ type: 'lost', isAbnormal: code === abnormalClose }),
      })
      if (!isCurrent) socket.close()
    } catch (error) {
      warn(`The watch could not be opened: ${String(error)}`)
      if (isCurrent) dispatch({ type: 'lost', isAbnormal: true })
    }
  }

  function receive(text: string) {
    if (text === '') return dispatch({ type: 'heartbeat' })
    dispatch({ type: 'received' })
    const event = parseWatchEvent<T>(text)
    if (!event) {
      // Its content is lost, so later events cannot be trusted.
      warn(`A watch event could not be read: ${text.slice(0, 200)}`)
      return afterFlush({ type: 'interrupted', reason: connectionLostMessage })
    }
    if (!isKnownEvent(event)) return warn(`Unknown watch event ${event.type} was ignored.`)
    if (event.type === 'ERROR') {
      const { code, reason, message = connectionLostMessage } = event.object
      const isGone = code === 410 || reason === 'Expired'
      return afterFlush({ type: 'interrupted', reason: isGone ? connectionLostMessage : message })
    }
    dispatch({ type: 'received', resourceVersion: event.object.metadata.resourceVersion })
    buffer.push(event)
    if (buffer.length >= flushAtMessages || flushMs === 0) flush()
    else stopFlushTimer ??= clock.after(flushMs, flush)
  }

  /** For events that may end a watch: its last events are applied first. */
  function afterFlush(event: MachineEvent) {
    flush()
    dispatch(event)
  }

  function flush() {
    const events = buffer
    clearBuffer()
    if (events.length === 0) return
    try {
      options.onEvents(events)
    } catch (error) {
      // The consumer misses these events until the next list.
      warn(`Watch events could not be applied: ${error instanceof Error ? error.message : String(error)}`)
      return dispatch({ type: 'interrupted', reason: connectionLostMessage })
    }
    dispatch({ type: 'flushed' })
  }

  function clearBuffer() {
    stopFlushTimer?.()
    stopFlushTimer = undefined
    buffer = []
  }

  enter()

  return {
    adopt: ({ metadata }) => dispatch({ type: 'adopted', metadata }),
    resume: (resourceVersion) => dispatch({ type: 'resumed', resourceVersion }),
    refresh: () => afterFlush({ type: 'refresh' }),
    wake: () => afterFlush({ type: 'wake' }),
    close: () => dispatch({ type: 'close' }),
  }
}
