import type { KubeList } from './object'
import { isExpired, isRejection, retryAfterMs } from './status'

/** What users see of a live list. */
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

/** What is being done, until when (in ms since 1970). A new step ends the previous one, except that a watch opens. */
export type Step =
  | { readonly name: 'listing'; readonly untilMs: number; readonly startedAtMs: number }
  | { readonly name: 'connecting' | 'open' | 'waiting'; readonly untilMs: number }
  | { readonly name: 'destroyed'; readonly untilMs?: undefined }

export interface Machine {
  readonly shown: ListWatchState
  readonly step: Step
  /** Version from which the next watch starts; `undefined` if a list must come first. */
  readonly from?: { readonly resourceVersion?: string }
  readonly connectAtMs: number
  readonly pollAtMs: number
  readonly triedAtMs: number
  readonly openedAtMs?: number
  readonly heardAtMs: number
  readonly hasHeartbeat: boolean
  readonly isListBroken: boolean
  readonly listLimitMs: number
  readonly isHandshakeSlow: boolean
  readonly abnormalCloses: number
  readonly delayMs: number
}

export type MachineEvent =
  | { type: 'listed' | 'adopted'; metadata: KubeList['metadata'] }
  | { type: 'listFailed'; error: unknown }
  | { type: 'opened' | 'heartbeat' | 'flushed' | 'timeout' | 'refresh' | 'wake' | 'close' }
  /** Something arrived through the watch. @param resourceVersion of its event */
  | { type: 'received'; resourceVersion?: string }
  /** The connection works, but its events can no longer be used. */
  | { type: 'interrupted'; reason: string }
  /** The connection ended or was never established. */
  | { type: 'lost'; isAbnormal: boolean }
  | { type: 'resumed'; resourceVersion: string }

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

/** @param initial a list that is already shown, so that the first step is to watch */
export function startMachine(initial: { resourceVersion?: string; asOf: number } | undefined, nowMs: number): Machine {
  const machine: Draft = {
    shown: { connection: 'init', asOf: initial?.asOf, isPolling: false },
    step: { name: 'waiting', untilMs: nowMs },
    from: initial,
    connectAtMs: nowMs,
    pollAtMs: nowMs,
    triedAtMs: -Infinity,
    heardAtMs: 0,
    hasHeartbeat: false,
    isListBroken: false,
    listLimitMs: firstListLimitMs,
    isHandshakeSlow: false,
    abnormalCloses: 0,
    delayMs: backOff.firstMs,
  }
  attempt(machine, nowMs)
  return machine
}

/**
 * The state after an event, which is ignored if it does not fit the step. A pure function: the caller carries out a
 * step when it is entered, reports `timeout` at its `untilMs`, and shows `shown` when it changes.
 *
 * A watch always starts from the version of the list that it continues, or on request (`resumed`) from a later version.
 * A new list always starts a new watch, whatever triggered it. So no event is lost between a list and its watch, and no
 * event older than a list is applied to it.
 * @param random 0 ≤ n < 1: spreads the reconnects of many clients over a tenth of the delay
 */
export function advance(machine: Machine, event: MachineEvent, nowMs: number, random: number): Machine {
  const next: Draft = { ...machine }
  const { name } = next.step
  const isWatching = name === 'connecting' || name === 'open'
  if (name === 'destroyed') return machine
  switch (event.type) {
    case 'listed':
      next.listLimitMs = firstListLimitMs
      listed(next, event.metadata, nowMs)
      break
    case 'adopted':
      if (isWatching && next.from && next.from.resourceVersion === event.metadata.resourceVersion) return machine
      listed(next, event.metadata, nowMs)
      break
    case 'resumed':
      if (name !== 'waiting') return machine
      next.connectAtMs = nowMs
      listed(next, event, nowMs)
      break
    case 'listFailed':
      listFailed(next, event.error, nowMs, random)
      break
    case 'opened':
      next.openedAtMs = next.heardAtMs = nowMs
      show(next, { connection: 'open', reason: undefined, isPolling: false, retryAtMs: undefined })
      check(next, nowMs)
      break
    case 'heartbeat':
      next.heardAtMs = nowMs
      if (next.hasHeartbeat) break
      next.hasHeartbeat = true
      if (name === 'open') check(next, nowMs)
      break
    case 'received':
      next.heardAtMs = nowMs
      if ('resourceVersion' in event) next.from = { resourceVersion: event.resourceVersion }
      break
    case 'flushed':
      show(next, { asOf: next.heardAtMs })
      break
    case 'interrupted':
      if (isWatching) interrupted(next, event.reason, nowMs, random)
      break
    case 'lost':
      if (isWatching) lost(next, event.isAbnormal, nowMs, random)
      break
    case 'timeout':
      timeout(next, nowMs, random)
      break
    case 'refresh':
      if (name !== 'listing') listAfterGap(next, nowMs)
      break
    case 'wake':
      if (name === 'open' && nowMs - next.heardAtMs >= pollMs) listAfterGap(next, nowMs)
      else if (nowMs - next.triedAtMs < backOff.firstMs) break
      else if (name === 'waiting') listAfterGap(next, nowMs)
      // A poll would otherwise leave the connection waiting for its scheduled time.
      else if (name === 'listing') next.connectAtMs = nowMs
      break
    case 'close':
      show(next, { connection: 'destroyed', reason: undefined, isPolling: false, retryAtMs: undefined })
      next.step = { name: 'destroyed' }
  }
  return next
}

/** The next state while it is made. */
type Draft = { -readonly [K in keyof Machine]: Machine[K] }

function show(next: Draft, change: Partial<ListWatchState>) {
  const shown = { ...next.shown, ...change }
  const isSame = (Object.keys(shown) as (keyof ListWatchState)[]).every((key) => shown[key] === next.shown[key])
  if (!isSame) next.shown = shown
}

/** Connects if a version is known, otherwise lists. */
function attempt(next: Draft, nowMs: number) {
  if (next.from && nowMs >= next.connectAtMs) connect(next, nowMs)
  else list(next, nowMs)
}

function list(next: Draft, nowMs: number) {
  if (nowMs >= next.connectAtMs) next.triedAtMs = nowMs
  next.step = { name: 'listing', startedAtMs: nowMs, untilMs: nowMs + next.listLimitMs }
}

function connect(next: Draft, nowMs: number) {
  next.triedAtMs = nowMs
  next.openedAtMs = undefined
  next.hasHeartbeat = false
  const limitMs = next.isHandshakeSlow ? handshakeMs.long : handshakeMs.short
  next.step = { name: 'connecting', untilMs: nowMs + limitMs }
}

/** Checks periodically whether the open connection is still alive. */
function check(next: Draft, nowMs: number) {
  next.step = { name: 'open', untilMs: nowMs + (next.hasHeartbeat ? heartbeatTickMs : tickMs) }
}

function wait(next: Draft) {
  next.step = { name: 'waiting', untilMs: Math.min(next.connectAtMs, next.pollAtMs) }
}

function listed(next: Draft, { resourceVersion }: KubeList['metadata'], nowMs: number) {
  next.from = { resourceVersion }
  next.pollAtMs = nowMs + pollMs
  // The problem that broke the list is over, so the connection need not wait any longer.
  if (next.isListBroken) next.connectAtMs = nowMs
  next.isListBroken = false
  const isTrouble = next.shown.connection === 'error' || next.shown.connection === 'closed'
  show(next, { asOf: nowMs, reason: isTrouble ? connectionReason(next) : undefined })
  if (nowMs >= next.connectAtMs) connect(next, nowMs)
  else wait(next)
}

function listFailed(next: Draft, error: unknown, nowMs: number, random: number) {
  const startedAtMs = next.step.name === 'listing' ? next.step.startedAtMs : nowMs
  next.from = undefined
  next.isListBroken = true
  next.isHandshakeSlow = false
  // Counted from the start of the attempt: a request that got lost has already used up its time.
  next.pollAtMs = Math.max(startedAtMs + pollMs, nowMs + backOff.firstMs)
  // An expired version is followed by another one.
  if (isRejection(error) && !isExpired(error)) {
    // The connection is fine, and trying again soon would not change the result.
    next.connectAtMs = next.pollAtMs = nowMs + backOff.capMs
  } else if (nowMs >= next.connectAtMs) {
    next.connectAtMs = nowMs + nextDelayMs(next, random)
  }
  const requestedAtMs = nowMs + retryAfterMs(error)
  next.connectAtMs = Math.max(next.connectAtMs, requestedAtMs)
  next.pollAtMs = Math.max(next.pollAtMs, requestedAtMs)
  wait(next)
  const reason = error instanceof Error ? error.message : String(error)
  show(next, { connection: 'error', reason, retryAtMs: next.step.untilMs })
}

function timeout(next: Draft, nowMs: number, random: number) {
  const { step } = next
  switch (step.name) {
    case 'listing':
      next.listLimitMs *= 2
      return listFailed(next, new Error('The list did not arrive in time.'), nowMs, random)
    case 'connecting':
      // A handshake without a response counts as an abnormal closure.
      next.isHandshakeSlow = true
      return lost(next, true, nowMs, random)
    case 'open': {
      const hasSlept = nowMs - step.untilMs > sleptMs
      const limitMs = next.hasHeartbeat ? heartbeatSilenceMs : silenceMs
      return hasSlept || nowMs - next.heardAtMs > limitMs ? listAfterGap(next, nowMs) : check(next, nowMs)
    }
    case 'waiting':
      if (nowMs < next.connectAtMs) show(next, { isPolling: true })
      attempt(next, nowMs)
  }
}

function lost(next: Draft, isAbnormal: boolean, nowMs: number, random: number) {
  resetAfterStableConnection(next, nowMs)
  const delayMs = isAbnormal ? abnormalDelaysMs[next.abnormalCloses++] : undefined
  next.connectAtMs = nowMs + (delayMs ?? nextDelayMs(next, random))
  // Polling keeps the list, and so the start of the next watch, up to date. Without polling a list comes first.
  if (!next.shown.isPolling) {
    next.from = undefined
    // An attempt that got lost has already used up its time.
    const heardOrTriedAtMs = next.openedAtMs === undefined ? next.triedAtMs : nowMs
    next.pollAtMs = Math.max(heardOrTriedAtMs + pollMs, nowMs + backOff.firstMs)
  }
  wait(next)
  show(next, {
    ...lastHeard(next),
    connection: isAbnormal ? 'error' : 'closed',
    reason: connectionReason(next),
    isPolling: next.shown.isPolling || hasGivenUp(next),
    retryAtMs: next.step.untilMs,
  })
}

function interrupted(next: Draft, reason: string, nowMs: number, random: number) {
  resetAfterStableConnection(next, nowMs)
  next.from = undefined
  next.connectAtMs = nowMs + nextDelayMs(next, random)
  next.pollAtMs = nowMs + pollMs
  wait(next)
  show(next, { connection: 'closed', reason, ...lastHeard(next), retryAtMs: next.step.untilMs })
}

function listAfterGap(next: Draft, nowMs: number) {
  next.connectAtMs = nowMs
  if (next.shown.connection === 'open') {
    show(next, { connection: 'closed', reason: connectionLostMessage, ...lastHeard(next) })
  }
  list(next, nowMs)
}

const lastHeard = ({ shown, heardAtMs }: Machine): Partial<ListWatchState> =>
  shown.connection === 'open' ? { asOf: heardAtMs } : {}

const hasGivenUp = ({ abnormalCloses }: Machine) => abnormalCloses > abnormalDelaysMs.length

const connectionReason = (machine: Machine) => (hasGivenUp(machine) ? connectionFailedMessage : connectionLostMessage)

function resetAfterStableConnection(next: Draft, nowMs: number) {
  if (next.openedAtMs === undefined || nowMs - next.openedAtMs < stableMs) return
  next.abnormalCloses = 0
  next.delayMs = backOff.firstMs
}

function nextDelayMs(next: Draft, random: number): number {
  const { delayMs } = next
  next.delayMs = Math.min(delayMs * backOff.factor, backOff.capMs)
  return Math.min(delayMs * (1 + random / 10), backOff.capMs)
}
