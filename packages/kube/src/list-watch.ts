import { systemClock, type Clock } from './clock'
import type { KubeList, KubeObject } from './object'
import { isExpired, isRejection, retryAfterMs } from './status'
import { isKnownEvent, parseWatchEvent, type WatchEvent } from './watch-event'

/**
 * Keeps a list up to date: lists, then watches from the list's resourceVersion; after any gap it lists again and
 * replaces everything.
 *
 * It is in one step at a time (list, connect, open, wait), and late results of an earlier step are ignored. A watch
 * always starts from the version of the list that it continues, or on request (`resume`) from a later version. A new
 * list always starts a new watch, whatever triggered it. So no event is lost between a list and its watch, and no event
 * older than a list is applied to it.
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

export interface ListWatchState {
  connection: 'init' | 'open' | 'error' | 'closed' | 'destroyed'
  /**
   * Time of the last successful list, event or bookmark, in ms since 1970; `undefined` before the first. After a
   * connection is lost, the last time anything arrived through it: until then nothing had changed.
   */
  asOf?: number
  /** Human-readable reason why there is no connection; `undefined` while there is one. */
  reason?: string
  /** Without a connection, the list is fetched every 10 s. */
  isPolling: boolean
  /** Without a connection: time of the next attempt, in ms since 1970. */
  retryAtMs?: number
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
const abnormalDelaysMs = [2_000, 4_000, 8_000] as const
const backOff = { firstMs: 1_000, factor: 1.5, capMs: 60_000 } as const
const pollMs = 10_000
/** Time limits of a handshake: the first, and the one used after a server exceeded it while its lists arrived. */
const handshakeMs = { short: 5_000, long: 10_000 } as const
/** A list that does not settle is abandoned. The limit doubles each time in a row, in case the server is only slow. */
const firstListLimitMs = 60_000
/** A connection that ends sooner counts as failed, so that one that is always cut is not retried every second. */
const stableMs = 10_000
const tickMs = 30_000
/** Timers of a hidden tab may run only once a minute: a timer this late means that the computer slept. */
const sleptMs = 90_000
/** A server sends a bookmark about once a minute: after two missed bookmarks the connection is dead or half open. */
const silenceMs = 150_000
/** A gateway that sends a heartbeat every 5 s shows a dead connection much sooner: within 15 s. */
const heartbeatSilenceMs = 12_000
const heartbeatTickMs = 3_000

export const connectionFailedMessage = 'WebSocket connection failed after multiple attempts'
export const connectionLostMessage = 'The live connection was lost.'

export function listWatch<T extends KubeObject>(options: ListWatchOptions<T>): ListWatch {
  const { clock = systemClock, random = () => 0, flushMs = 500, warn = (message) => console.warn(message) } = options
  let state: ListWatchState = { connection: 'init', asOf: options.initial?.asOf, isPolling: false }
  let step: 'listing' | 'connecting' | 'open' | 'waiting' | 'destroyed' = 'waiting'
  let leaveStep = () => {}
  let stopStepTimer = () => {}
  /** Version from which the next watch starts; `undefined` if a list must come first. */
  let from: { resourceVersion?: string } | undefined = options.initial
  let connectAtMs = clock.now()
  let pollAtMs = clock.now()
  let triedAtMs = -Infinity
  let openedAtMs: number | undefined
  let heardAtMs = 0
  let hasHeartbeat = false
  let isListBroken = false
  let listLimitMs: number = firstListLimitMs
  let isHandshakeSlow = false
  let abnormalCloses = 0
  let delayMs: number = backOff.firstMs
  let buffer: WatchEvent<T>[] = []
  let stopFlushTimer: (() => void) | undefined

  const setState = (change: Partial<ListWatchState>) => {
    const next = { ...state, ...change }
    const isSame = (Object.keys(next) as (keyof ListWatchState)[]).every((key) => next[key] === state[key])
    if (isSame) return
    state = next
    options.onState?.(state)
  }

  /** Ends the current step. Returns a function that tells whether the new step is still current. */
  function enter(next: typeof step): () => boolean {
    stopStepTimer()
    const leave = leaveStep
    leaveStep = () => {}
    let isCurrent = true
    step = next
    leave()
    leaveStep = () => void (isCurrent = false)
    return () => isCurrent
  }

  const onLeave = (action: () => void) => {
    const leave = leaveStep
    leaveStep = () => {
      leave()
      action()
    }
  }

  function list() {
    const isCurrent = enter('listing')
    const controller = new AbortController()
    onLeave(() => controller.abort())
    const startedAtMs = clock.now()
    if (startedAtMs >= connectAtMs) triedAtMs = startedAtMs
    const failed = (error: unknown) => isCurrent() && listFailed(error, startedAtMs)
    stopStepTimer = clock.after(listLimitMs, () => {
      listLimitMs *= 2
      failed(new Error('The list did not arrive in time.'))
    })
    options
      .list(controller.signal)
      .then((result) => {
        if (!isCurrent()) return
        options.onList?.(result)
        listLimitMs = firstListLimitMs
        listed(result)
      })
      .catch(failed)
  }

  function listed({ metadata }: Pick<KubeList, 'metadata'>) {
    from = { resourceVersion: metadata.resourceVersion }
    pollAtMs = clock.now() + pollMs
    // The problem that broke the list is over, so the connection need not wait any longer.
    if (isListBroken) connectAtMs = clock.now()
    isListBroken = false
    const isTrouble = state.connection === 'error' || state.connection === 'closed'
    setState({ asOf: clock.now(), reason: isTrouble ? connectionReason() : undefined })
    if (clock.now() >= connectAtMs) connect()
    else wait()
  }

  function listFailed(error: unknown, startedAtMs: number) {
    from = undefined
    isListBroken = true
    isHandshakeSlow = false
    // Counted from the start of the attempt: a request that got lost has already used up its time.
    pollAtMs = Math.max(startedAtMs + pollMs, clock.now() + backOff.firstMs)
    // An expired version is followed by another one.
    if (isRejection(error) && !isExpired(error)) {
      // The connection is fine, and trying again soon would not change the result.
      connectAtMs = pollAtMs = clock.now() + backOff.capMs
    } else if (clock.now() >= connectAtMs) {
      connectAtMs = clock.now() + nextDelayMs()
    }
    const requestedDelayMs = retryAfterMs(error)
    connectAtMs = Math.max(connectAtMs, clock.now() + requestedDelayMs)
    pollAtMs = Math.max(pollAtMs, clock.now() + requestedDelayMs)
    setState({
      connection: 'error',
      reason: error instanceof Error ? error.message : String(error),
      retryAtMs: Math.min(connectAtMs, pollAtMs),
    })
    wait()
  }

  function connect() {
    const isCurrent = enter('connecting')
    triedAtMs = clock.now()
    openedAtMs = undefined
    hasHeartbeat = false
    const ended = (code: number | undefined) => isCurrent() && lost(code === abnormalClose)
    // A handshake without a response counts as an abnormal closure.
    stopStepTimer = clock.after(isHandshakeSlow ? handshakeMs.long : handshakeMs.short, () => {
      isHandshakeSlow = true
      ended(abnormalClose)
    })
    try {
      const socket = options.openWatch(from?.resourceVersion, {
        onOpen() {
          if (!isCurrent()) return
          openedAtMs = heardAtMs = clock.now()
          opened()
        },
        onMessage: (text) => isCurrent() && received(text),
        onClose: ended,
      })
      if (isCurrent()) onLeave(() => socket.close())
      else socket.close()
    } catch (error) {
      warn(`The watch could not be opened: ${String(error)}`)
      ended(abnormalClose)
    }
  }

  function opened() {
    step = 'open'
    setState({ connection: 'open', reason: undefined, isPolling: false, retryAtMs: undefined })
    scheduleCheck()
  }

  /** Checks periodically whether the open connection is still alive. */
  function scheduleCheck() {
    stopStepTimer()
    const expectedAtMs = clock.now() + (hasHeartbeat ? heartbeatTickMs : tickMs)
    stopStepTimer = clock.after(expectedAtMs - clock.now(), () => {
      const nowMs = clock.now()
      const hasSlept = nowMs - expectedAtMs > sleptMs
      if (hasSlept || nowMs - heardAtMs > (hasHeartbeat ? heartbeatSilenceMs : silenceMs)) listAfterGap()
      else scheduleCheck()
    })
  }

  function received(text: string) {
    heardAtMs = clock.now()
    if (text === '') {
      if (!hasHeartbeat) {
        hasHeartbeat = true
        scheduleCheck()
      }
      return
    }
    const event = parseWatchEvent<T>(text)
    if (!event) {
      // Its content is lost, so later events cannot be trusted.
      warn(`A watch event could not be read: ${text.slice(0, 200)}`)
      return interrupted(connectionLostMessage)
    }
    if (!isKnownEvent(event)) return warn(`Unknown watch event ${event.type} was ignored.`)
    if (event.type === 'ERROR') {
      const { code, reason, message } = event.object
      return interrupted(
        code === 410 || reason === 'Expired' ? connectionLostMessage : (message ?? connectionLostMessage),
      )
    }
    from = { resourceVersion: event.object.metadata.resourceVersion }
    buffer.push(event)
    if (buffer.length >= flushAtMessages || flushMs === 0) flush()
    else stopFlushTimer ??= clock.after(flushMs, flush)
  }

  function flush() {
    stopFlushTimer?.()
    stopFlushTimer = undefined
    if (buffer.length === 0) return
    const events = buffer
    buffer = []
    try {
      options.onEvents(events)
    } catch (error) {
      // The consumer misses these events until the next list.
      warn(`Watch events could not be applied: ${error instanceof Error ? error.message : String(error)}`)
      interrupted(connectionLostMessage)
      return
    }
    setState({ asOf: heardAtMs })
  }

  function clearBuffer() {
    stopFlushTimer?.()
    stopFlushTimer = undefined
    buffer = []
  }

  function lost(isAbnormal: boolean) {
    flush()
    resetAfterStableConnection()
    connectAtMs = clock.now() + (isAbnormal ? abnormalDelayMs() : nextDelayMs())
    // Polling keeps the list, and so the start of the next watch, up to date. Without polling a list comes first.
    if (!state.isPolling) {
      from = undefined
      // An attempt that got lost has already used up its time.
      const heardOrTriedAtMs = openedAtMs === undefined ? triedAtMs : clock.now()
      pollAtMs = Math.max(heardOrTriedAtMs + pollMs, clock.now() + backOff.firstMs)
    }
    setState({
      ...lastHeard(),
      connection: isAbnormal ? 'error' : 'closed',
      reason: connectionReason(),
      isPolling: state.isPolling || hasGivenUp(),
      retryAtMs: Math.min(connectAtMs, pollAtMs),
    })
    wait()
  }

  /** The connection works, but its events can no longer be used. */
  function interrupted(reason: string) {
    flush()
    resetAfterStableConnection()
    from = undefined
    connectAtMs = clock.now() + nextDelayMs()
    pollAtMs = clock.now() + pollMs
    setState({ connection: 'closed', reason, ...lastHeard(), retryAtMs: Math.min(connectAtMs, pollAtMs) })
    wait()
  }

  function listAfterGap() {
    flush()
    connectAtMs = clock.now()
    if (state.connection === 'open') setState({ connection: 'closed', reason: connectionLostMessage, ...lastHeard() })
    list()
  }

  function wait() {
    enter('waiting')
    const atMs = Math.min(connectAtMs, pollAtMs)
    const due = () => {
      const postponeMs = options.postponeMs?.() ?? 0
      if (postponeMs > 0) {
        stopStepTimer = clock.after(postponeMs, due)
        return
      }
      if (clock.now() < connectAtMs) setState({ isPolling: true })
      if (clock.now() >= connectAtMs && from) connect()
      else list()
    }
    stopStepTimer = clock.after(atMs - clock.now(), due)
  }

  const lastHeard = (): Partial<ListWatchState> => (state.connection === 'open' ? { asOf: heardAtMs } : {})

  const hasGivenUp = () => abnormalCloses > abnormalDelaysMs.length

  const connectionReason = () => (hasGivenUp() ? connectionFailedMessage : connectionLostMessage)

  function resetAfterStableConnection() {
    if (openedAtMs === undefined || clock.now() - openedAtMs < stableMs) return
    abnormalCloses = 0
    delayMs = backOff.firstMs
  }

  function abnormalDelayMs(): number {
    return abnormalDelaysMs[abnormalCloses++] ?? nextDelayMs()
  }

  function nextDelayMs(): number {
    const now = delayMs
    delayMs = Math.min(delayMs * backOff.factor, backOff.capMs)
    return Math.min(now * (1 + random() / 10), backOff.capMs)
  }

  if (from) connect()
  else list()

  return {
    adopt(list) {
      if (step === 'destroyed') return
      const isKnownVersion = from !== undefined && from.resourceVersion === list.metadata.resourceVersion
      if ((step === 'open' || step === 'connecting') && isKnownVersion) return
      // The new watch repeats any of these events that the list does not include.
      clearBuffer()
      listed(list)
    },
    resume(resourceVersion) {
      if (step !== 'waiting') return
      connectAtMs = clock.now()
      listed({ metadata: { resourceVersion } })
    },
    refresh() {
      if (step !== 'destroyed' && step !== 'listing') listAfterGap()
    },
    wake() {
      const nowMs = clock.now()
      if (step === 'open' && nowMs - heardAtMs >= pollMs) listAfterGap()
      else if (nowMs - triedAtMs < backOff.firstMs) return
      else if (step === 'waiting') listAfterGap()
      // A poll would otherwise leave the connection waiting for its scheduled time.
      else if (step === 'listing') connectAtMs = nowMs
    },
    close() {
      if (step === 'destroyed') return
      enter('destroyed')
      clearBuffer()
      setState({ connection: 'destroyed', reason: undefined, isPolling: false, retryAtMs: undefined })
    },
  }
}
