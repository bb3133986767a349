import type { Clock } from './clock'

export interface ResendOptions {
  /** Sends a minimal request to the same server. Any response settles it, whatever its status. */
  probe(signal: AbortSignal): Promise<unknown>
  clock: Clock
  /** While this returns false, reads wait for their time-out as writes do, and no probes are sent. */
  mayProbe?(): boolean
}

/** @param heard to be called for every part of the response that arrives */
type Attempt<A> = (signal: AbortSignal, heard: () => void) => Promise<A>

export interface ResendingReads {
  /** Runs a read, which must be safe to send twice. Settles like the first attempt that gets a response. */
  run<A>(attempt: Attempt<A>, signal: AbortSignal): Promise<A>
  /** Resends every silent read now, for example when the user asks for it. */
  sendAgain(): void
}

/** A connection may swallow a request without an error: a read that receives nothing for this long is suspect. */
const silenceMs = 3_000
const probeTimeoutMs = 4_000
const probePauseMs = 1_000
/** Limit per read, so that impatient users do not pile up requests. */
const maxCopies = 3

interface PendingRead {
  sentAtMs: number
  heardAtMs: number
  /** It was silent while a probe got no response either: its request is lost. */
  isLost: boolean
  wasSuspect: boolean
  /** Number of copies waiting for a response. */
  copies(): number
  send(): void
  abort(): void
}

/**
 * Resends silent reads as soon as the server can be reached, so that they do not hang until their time-out after a
 * network fault. A probe decides whether a read is slow or lost. While probes succeed, the first request continues
 * (plus one copy, since the request may have been lost before the first probe). When a probe fails, every silent read
 * is aborted, which frees its connection, and sent again once a probe succeeds.
 */
export function createResendingReads({ probe, clock, mayProbe = () => true }: ResendOptions): ResendingReads {
  const pending = new Set<PendingRead>()
  let stopTimer: (() => void) | undefined
  let isProbing = false

  const isSilent = ({ heardAtMs }: PendingRead) => clock.now() - heardAtMs >= silenceMs

  function scheduleCheck(afterMs: number) {
    if (stopTimer || isProbing || pending.size === 0) return
    stopTimer = clock.after(afterMs, () => {
      stopTimer = undefined
      if (mayProbe() && [...pending].some((read) => read.isLost || isSilent(read))) void probeAndResend()
      else scheduleCheck(probePauseMs)
    })
  }

  async function probeAndResend() {
    isProbing = true
    const sentAtMs = clock.now()
    const isReachable = await isServerReachable()
    isProbing = false
    for (const read of pending) {
      if (!isReachable) {
        if (isSilent(read)) {
          read.isLost = true
          read.abort()
        }
      } else if (read.isLost || (read.sentAtMs < sentAtMs && isSilent(read) && !read.wasSuspect)) {
        read.wasSuspect = true
        read.isLost = false
        read.send()
      }
    }
    scheduleCheck(probePauseMs)
  }

  const isServerReachable = (): Promise<boolean> =>
    new Promise((resolve) => {
      const stop = new AbortController()
      const settle = (isReachable: boolean) => {
        cancel()
        resolve(isReachable)
        stop.abort()
      }
      const cancel = clock.after(probeTimeoutMs, () => settle(false))
      probe(stop.signal).then(
        () => settle(true),
        () => settle(false),
      )
    })

  const run: ResendingReads['run'] = (attempt, signal) =>
    new Promise((resolve, reject) => {
      let controllers: AbortController[] = []
      let error: unknown
      const read: PendingRead = {
        sentAtMs: 0,
        heardAtMs: 0,
        isLost: false,
        wasSuspect: false,
        copies: () => controllers.length,
        send() {
          const controller = new AbortController()
          controllers.push(controller)
          read.sentAtMs = read.heardAtMs = clock.now()
          attempt(controller.signal, () => (read.heardAtMs = clock.now())).then(
            (result) => {
              if (!controllers.includes(controller)) return
              controllers = controllers.filter((each) => each !== controller)
              end()
              resolve(result)
            },
            (cause: unknown) => {
              if (!controllers.includes(controller)) return
              controllers = controllers.filter((each) => each !== controller)
              error = cause
              if (controllers.length > 0) return
              end()
              reject(error as Error) // The rejection of the attempt.
            },
          )
        },
        abort() {
          const lost = controllers
          controllers = []
          for (const each of lost) each.abort()
        },
      }
      const end = () => {
        pending.delete(read)
        signal.removeEventListener('abort', aborted)
        read.abort()
        if (pending.size > 0) return
        stopTimer?.()
        stopTimer = undefined
      }
      const aborted = () => {
        end()
        reject(signal.reason as Error) // The argument of `abort`.
      }
      signal.addEventListener('abort', aborted)
      pending.add(read)
      if (signal.aborted) return aborted()
      read.send()
      scheduleCheck(silenceMs)
    })
  return {
    run,
    sendAgain() {
      for (const read of pending) if (isSilent(read) && read.copies() < maxCopies) read.send()
    },
  }
}
