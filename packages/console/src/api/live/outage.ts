import { systemClock, type Clock } from '@slipway/kube/clock'
import { ApiError } from '@slipway/kube/status'
import { serverNow } from '../../lib/server-clock'
import { createEmitter, createStore, useStore } from '../../lib/store'
import { isIdle } from './idle'
import { onLiveState } from './live-state'
import { failureText } from '../messages'

/**
 * Whether the cluster responds, for everything on the page at once: in an outage nothing is live, writes are blocked
 * and clocks stop. A sign of trouble (a failed or slow call, a lost live connection) is not an outage yet: it starts a
 * probe, and only a probe that fails or takes too long means an outage. Probes then continue until one succeeds.
 */
export interface Outage {
  /** When its first sign was seen. */
  since: Date
  /** One sentence for users. */
  reason: string
}

/** A call that takes longer is a sign of trouble. */
export const slowMs = 5_000
const probeEveryMs = 3_000

interface ProbeLimits {
  /** A probe without a response for this long means an outage, though the probe itself continues. */
  decideMs: number
  timeoutMs: number
}
const defaultLimits: ProbeLimits = { decideMs: 2_000, timeoutMs: 10_000 }

/** Codes with which a client's own time limit or a proxy says that it got no response; any other is a response. */
const unreachableCodes = [0, 408, 502, 503, 504]
const isUnreachable = (error: unknown): boolean => !(error instanceof ApiError) || unreachableCodes.includes(error.code)
/** Whether the status of a response says that a proxy got no response. */
export const isFromUnreachable = (status: number): boolean => unreachableCodes.includes(status)

const outage = createStore<Outage | undefined>(undefined)
let suspectedAt: Date | undefined
let check: (() => void) | undefined
const recovery = createEmitter()

/** The current outage; `undefined` while the cluster responds. */
export const currentOutage = outage.get
export const onOutage = outage.subscribe
export const useOutage = (): Outage | undefined => useStore(outage)

/** Calls back whenever an outage has ended. Returns an unsubscribe function. */
export const onRecovery = recovery.subscribe

function set(next: Outage | undefined): void {
  const before = outage.get()
  if (before?.reason === next?.reason) return
  outage.set(next)
  if (before && !next) recovery.emit()
}

/** Reports a sign of trouble: starts probing, unless probes are already running. */
export function suspectOutage(): void {
  if (suspectedAt || !check) return
  suspectedAt = new Date(serverNow())
  check()
}

/**
 * Starts watching for outages. Returns a function that stops it.
 * @param probe a cheap call to the cluster; rejects with `ApiError`
 */
export function startOutageWatch(
  probe: (signal: AbortSignal) => Promise<unknown>,
  clock: Clock = systemClock,
  { decideMs, timeoutMs }: ProbeLimits = defaultLimits,
): () => void {
  let stopTimer = () => {}
  let isStopped = false

  const failed = (reason: string) => {
    if (suspectedAt) set({ since: suspectedAt, reason })
  }
  async function run(): Promise<void> {
    const timeout = new AbortController()
    const stopDeciding = clock.after(decideMs, () => failed('The server is not responding.'))
    const stopTimeout = clock.after(timeoutMs, () => timeout.abort())
    try {
      await probe(timeout.signal).catch((error: unknown) => {
        if (isUnreachable(error)) throw error
      })
      if (isStopped) return
      suspectedAt = undefined
      set(undefined)
    } catch (error) {
      if (isStopped) return
      failed(timeout.signal.aborted ? 'The server is not responding.' : failureText(error))
      stopTimer = clock.after(probeEveryMs, next)
    } finally {
      stopDeciding()
      stopTimeout()
    }
  }
  // In an idle tab, no user would see the result.
  const next = () => {
    if (isIdle()) stopTimer = clock.after(probeEveryMs, next)
    else void run()
  }

  check = next
  const stopLiveState = onLiveState((_, state) => {
    if (state?.connection === 'error' || state?.connection === 'closed') suspectOutage()
  })
  return () => {
    isStopped = true
    stopTimer()
    stopLiveState()
    check = undefined
    suspectedAt = undefined
    set(undefined)
  }
}
