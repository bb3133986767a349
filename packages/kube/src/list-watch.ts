import { systemClock, type Clock } from './clock'
import type { KubeList, KubeObject } from './object'
import { isExpired, isRefusal, retryAfterMs } from './status'
import { isKnownEvent, parseWatchEvent, type WatchEvent } from './watch-event'

/**
 * Keeps a list up to date: list, then watch from the list's resourceVersion; after any gap list again and replace.
 *
 * It takes one step at a time (list, connect, open, wait), and whatever belongs to an earlier step is ignored when it
 * arrives late. A watch always starts from the version of the list that it continues, or on request (`resume`) from one
 * that has been reached since, and a new list, whoever asked for it, always starts a new watch: so no event can be lost
 * between a list and its watch, and none that is older than a list can be applied to it.
 */
export interface ListWatch {
  /** A list that somebody else has read and shown: the watch goes on from there. */
  adopt(list: Pick<KubeList, 'metadata'>): void
  /** The watch goes on from this version, which is known to be shown, and at once: after its regular end. */
  resume(resourceVersion: string): void
  /** List again now and start a new watch. */
  refresh(): void
  /** The computer or the tab may have slept: connect again now, or list again if nothing was heard lately. */
  wake(): void
  close(): void
}

export interface ListWatchState {
  connection: 'init' | 'open' | 'error' | 'closed' | 'destroyed'
  /**
   * Time of the last good list, event or bookmark, in ms since 1970; `undefined` before the first. Once a connection is
   * lost, the last time anything was heard through it: until then nothing had changed.
   */
  asOf?: number
  /** For people: why there is no connection; `undefined` while all is well. */
  reason?: string
  /** The list is read again every 10 s, since there is no connection. */
  isPolling: boolean
  /** While there is no connection: when the next attempt is made, in ms since 1970. */
  retryAtMs?: number
}

export interface WatchHandlers {
  onOpen(): void
  /** One watch event as JSON text; an empty text says that the connection lives. */
  onMessage(text: string): void
  /** The connection has ended or was never made. @param code of the websocket; 1006 for no proper ending */
  onClose(code?: number): void
}

export interface ListWatchOptions<T extends KubeObject> {
  list(signal: AbortSignal): Promise<KubeList<T>>
  openWatch(resourceVersion: string | undefined, handlers: WatchHandlers): { close(): void }
  /** What is already listed and shown, so that the first step is to watch. */
  initial?: { resourceVersion?: string; asOf: number }
  /** Replaces everything known. */
  onList?(list: KubeList<T>): void
  /** At least one event, in order, for `applyWatchEvents`. */
  onEvents(events: WatchEvent<T>[]): void
  onState?(state: ListWatchState): void
  /** Events are handed on together, at most this long after the first; 500 ms by default, 0 for at once. */
  flushMs?: number
  clock?: Clock
  /** From 0 to below 1: spreads the reconnects of many clients over a tenth of the delay. None without. */
  random?(): number
  warn?(message: string): void
  /** Asked before a list or a connection that nobody waits for: how many ms to put it off; 0 for not at all. */
  putOffMs?(): number
}

const flushAtMessages = 1_000
const abnormalClose = 1006
const abnormalDelaysMs = [2_000, 4_000, 8_000] as const
const backOff = { firstMs: 1_000, factor: 1.5, capMs: 60_000 } as const
const pollMs = 10_000
/** A first limit for handshakes, and the one after a server has been that slow while its lists arrived. */
const handshakeMs = { short: 5_000, long: 10_000 } as const
/** A list that does not settle is given up; each time in a row after twice as long, in case the server is only slow. */
const firstListLimitMs = 60_000
/** A connection that ends sooner counts as never made, lest one that is always cut is tried every second. */
const stableMs = 10_000
const tickMs = 30_000
/** Timers of a hidden tab run as seldom as once a minute: only what is later than that was sleep. */
const sleptMs = 90_000
/** A server sends a bookmark about once a minute: after two missed ones the connection is dead, if half open. */
const silenceMs = 150_000
/** From a gateway that says every 5 s that the connection lives, silence means the end much sooner: within 15 s. */
const heartbeatSilenceMs = 12_000
const heartbeatTickMs = 3_000

export const connectionFailedMessage = 'WebSocket connection failed after multiple attempts'
export const lostMessage = 'The live connection was lost.'

export function listWatch<T extends KubeObject>(options: ListWatchOptions<T>): ListWatch {
  const { clock = systemClock, random = () => 0, flushMs = 500, warn = (message) => console.warn(message) } = options
  let state: ListWatchState = { connection: 'init', asOf: options.initial?.asOf, isPolling: false }
  let step: 'listing' | 'connecting' | 'open' | 'waiting' | 'destroyed' = 'waiting'
  let leaveStep = () => {}
  let stopStepTimer = () => {}
  /** Where the next watch starts; `undefined` when a list must come first. */
  let from: { resourceVersion?: string } | undefined = options.initial
  let connectAtMs = clock.now()
  let pollAtMs = clock.now()
  let triedAtMs = -Infinity
  let openedAtMs: number | undefined
  let heardAtMs = 0
  let isBeating = false
  let isListBroken = false
  let listLimitMs: number = firstListLimitMs
  let isHandshakeSlow = false
  let abnormalCloses = 0
  let delayMs: number = backOff.firstMs
  let buffer: WatchEvent<T>[] = []
  let stopFlushTimer: (() => void) | undefined

  const show = (change: Partial<ListWatchState>) => {
    const next = { ...state, ...change }
    const isSame = (Object.keys(next) as (keyof ListWatchState)[]).every((key) => next[key] === state[key])
    if (isSame) return
    state = next
    options.onState?.(state)
  }

  /** Ends the present step; the answer tells whether the new one is still the present one. */
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
    const beganAtMs = clock.now()
    if (beganAtMs >= connectAtMs) triedAtMs = beganAtMs
    const failed = (error: unknown) => isCurrent() && listFailed(error, beganAtMs)
    stopStepTimer = clock.after(listLimitMs, () => {
      listLimitMs *= 2
      failed(new Error('The list did not arrive in time.'))
    })
    options
      .list(controller.signal)
      .then((answer) => {
        if (!isCurrent()) return
        options.onList?.(answer)
        listLimitMs = firstListLimitMs
        listed(answer)
      })
      .catch(failed)
  }

  function listed({ metadata }: Pick<KubeList, 'metadata'>) {
    from = { resourceVersion: metadata.resourceVersion }
    pollAtMs = clock.now() + pollMs
    // Whatever broke the list is over: there is no reason to wait for the connection's turn.
    if (isListBroken) connectAtMs = clock.now()
    isListBroken = false
    const isTrouble = state.connection === 'error' || state.connection === 'closed'
    show({ asOf: clock.now(), reason: isTrouble ? connectionReason() : undefined })
    if (clock.now() >= connectAtMs) connect()
    else wait()
  }

  function listFailed(error: unknown, beganAtMs: number) {
    from = undefined
    isListBroken = true
    isHandshakeSlow = false
    // Counted from its beginning: an attempt that was lost in silence has taken its time already.
    pollAtMs = Math.max(beganAtMs + pollMs, clock.now() + backOff.firstMs)
    // A version that has expired is followed by another one.
    if (isRefusal(error) && !isExpired(error)) {
      // No fault of the connection, and nothing that asking again soon would change.
      connectAtMs = pollAtMs = clock.now() + backOff.capMs
    } else if (clock.now() >= connectAtMs) {
      connectAtMs = clock.now() + nextDelayMs()
    }
    const askedForMs = retryAfterMs(error)
    connectAtMs = Math.max(connectAtMs, clock.now() + askedForMs)
    pollAtMs = Math.max(pollAtMs, clock.now() + askedForMs)
    show({
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
    isBeating = false
    const ended = (code: number | undefined) => isCurrent() && lost(code === abnormalClose)
    // A handshake that is never answered is an end without a proper ending.
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
    show({ connection: 'open', reason: undefined, isPolling: false, retryAtMs: undefined })
    lookLater()
  }

  /** Looks from time to time whether the open connection is still one. */
  function lookLater() {
    stopStepTimer()
    const expectedAtMs = clock.now() + (isBeating ? heartbeatTickMs : tickMs)
    stopStepTimer = clock.after(expectedAtMs - clock.now(), () => {
      const nowMs = clock.now()
      const hasSlept = nowMs - expectedAtMs > sleptMs
      if (hasSlept || nowMs - heardAtMs > (isBeating ? heartbeatSilenceMs : silenceMs)) listAfterGap()
      else lookLater()
    })
  }

  function received(text: string) {
    heardAtMs = clock.now()
    if (text === '') {
      if (!isBeating) {
        isBeating = true
        lookLater()
      }
      return
    }
    const event = parseWatchEvent<T>(text)
    if (!event) {
      // What it said is lost, and so is the trust in what follows.
      warn(`A watch event could not be read: ${text.slice(0, 200)}`)
      return interrupted(lostMessage)
    }
    if (!isKnownEvent(event)) return warn(`Unknown watch event ${event.type} was ignored.`)
    if (event.type === 'ERROR') {
      const { code, reason, message } = event.object
      return interrupted(code === 410 || reason === 'Expired' ? lostMessage : (message ?? lostMessage))
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
      // What they said is lost to whoever follows the list, until it is listed again.
      warn(`Watch events could not be applied: ${error instanceof Error ? error.message : String(error)}`)
      interrupted(lostMessage)
      return
    }
    show({ asOf: heardAtMs })
  }

  function forgetBuffer() {
    stopFlushTimer?.()
    stopFlushTimer = undefined
    buffer = []
  }

  function lost(isAbnormal: boolean) {
    flush()
    resetAfterStableConnection()
    connectAtMs = clock.now() + (isAbnormal ? abnormalDelayMs() : nextDelayMs())
    // A poll keeps the list, and so the place where the next watch starts, fresh; without one a list comes first.
    if (!state.isPolling) {
      from = undefined
      // An attempt that was lost in silence has taken its time already.
      const heardOrTriedAtMs = openedAtMs === undefined ? triedAtMs : clock.now()
      pollAtMs = Math.max(heardOrTriedAtMs + pollMs, clock.now() + backOff.firstMs)
    }
    show({
      ...lastHeard(),
      connection: isAbnormal ? 'error' : 'closed',
      reason: connectionReason(),
      isPolling: state.isPolling || hasGivenUp(),
      retryAtMs: Math.min(connectAtMs, pollAtMs),
    })
    wait()
  }

  /** The connection is well, but what it says can no longer be used. */
  function interrupted(reason: string) {
    flush()
    resetAfterStableConnection()
    from = undefined
    connectAtMs = clock.now() + nextDelayMs()
    pollAtMs = clock.now() + pollMs
    show({ connection: 'closed', reason, ...lastHeard(), retryAtMs: Math.min(connectAtMs, pollAtMs) })
    wait()
  }

  function listAfterGap() {
    flush()
    connectAtMs = clock.now()
    if (state.connection === 'open') show({ connection: 'closed', reason: lostMessage, ...lastHeard() })
    list()
  }

  function wait() {
    enter('waiting')
    const atMs = Math.min(connectAtMs, pollAtMs)
    const due = () => {
      const putOffMs = options.putOffMs?.() ?? 0
      if (putOffMs > 0) {
        stopStepTimer = clock.after(putOffMs, due)
        return
      }
      if (clock.now() < connectAtMs) show({ isPolling: true })
      if (clock.now() >= connectAtMs && from) connect()
      else list()
    }
    stopStepTimer = clock.after(atMs - clock.now(), due)
  }

  const lastHeard = (): Partial<ListWatchState> => (state.connection === 'open' ? { asOf: heardAtMs } : {})

  const hasGivenUp = () => abnormalCloses > abnormalDelaysMs.length

  const connectionReason = () => (hasGivenUp() ? connectionFailedMessage : lostMessage)

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
    return now * (1 + random() / 10)
  }

  if (from) connect()
  else list()

  return {
    adopt(answer) {
      if (step === 'destroyed') return
      const isKnownVersion = from !== undefined && from.resourceVersion === answer.metadata.resourceVersion
      if ((step === 'open' || step === 'connecting') && isKnownVersion) return
      // The new watch says again what of this the list does not know.
      forgetBuffer()
      listed(answer)
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
      // A poll, which would leave the connection to wait for its turn.
      else if (step === 'listing') connectAtMs = nowMs
    },
    close() {
      if (step === 'destroyed') return
      enter('destroyed')
      forgetBuffer()
      show({ connection: 'destroyed', reason: undefined, isPolling: false, retryAtMs: undefined })
    },
  }
}
