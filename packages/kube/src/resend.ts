import type { Clock } from './clock'

export interface ResendOptions {
  /** Sends the smallest request there is to the same server; any response, whatever its status, settles it. */
  probe(signal: AbortSignal): Promise<unknown>
  clock: Clock
  /** When false, reads wait for their time-out as writes do, without further requests. */
  mayProbe?(): boolean
}

/** @param heard to be called for everything that arrives of the response */
type Attempt<A> = (signal: AbortSignal, heard: () => void) => Promise<A>

export interface ResendingReads {
  /** Runs a read, which must be safe to send twice. Settles as the first attempt that the server has responded to. */
  run<A>(attempt: Attempt<A>, signal: AbortSignal): Promise<A>
  /** Sends every silent read again now, such as when a user asks for it. */
  sendAgain(): void
}

/** A connection may swallow a request without a word: a read that hears nothing for so long is doubted. */
const silenceMs = 3_000
const probeTimeoutMs = 4_000
const probePauseMs = 1_000
/** Of one read, so that impatience does not pile up requests. */
const mostCopies = 3

interface PendingRead {
  sentAtMs: number
  heardAtMs: number
  /** It was silent while the server did not respond to a probe either: its request is lost. */
  isLost: boolean
  wasDoubted: boolean
  /** How many copies wait for a response. */
  copies(): number
  send(): void
  abort(): void
}

/**
 * Sends silent reads again as soon as the server can be reached, so that they do not hang until their time-out after a
 * network fault. Whether a read is slow or lost is decided by a probe: while probes are answered, the first request is
 * left alone (after one further copy, since it may have been lost before the first probe); when a probe is not answered,
 * every silent read is aborted, which frees its connection, and sent again once a probe is.
 */
export function createResendingReads({ probe, clock, mayProbe = () => true }: ResendOptions): ResendingReads {
  const pending = new Set<PendingRead>()
  let stopTimer: (() => void) | undefined
  let isProbing = false

  const isSilent = ({ heardAtMs }: PendingRead) => clock.now() - heardAtMs >= silenceMs

  function look(afterMs: number) {
    if (stopTimer || isProbing || pending.size === 0) return
    stopTimer = clock.after(afterMs, () => {
      stopTimer = undefined
      if (mayProbe() && [...pending].some((read) => read.isLost || isSilent(read))) void ask()
      else look(probePauseMs)
    })
  }

  async function ask() {
    isProbing = true
    const sentAtMs = clock.now()
    const isReachable = await answered()
    isProbing = false
    for (const read of pending) {
      if (!isReachable) {
        if (isSilent(read)) {
          read.isLost = true
          read.abort()
        }
      } else if (read.isLost || (read.sentAtMs < sentAtMs && isSilent(read) && !read.wasDoubted)) {
        read.wasDoubted = true
        read.isLost = false
        read.send()
      }
    }
    look(probePauseMs)
  }

  const answered = (): Promise<boolean> =>
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
        wasDoubted: false,
        copies: () => controllers.length,
        send() {
          const controller = new AbortController()
          controllers.push(controller)
          read.sentAtMs = read.heardAtMs = clock.now()
          attempt(controller.signal, () => (read.heardAtMs = clock.now())).then(
            (answer) => {
              if (!controllers.includes(controller)) return
              controllers = controllers.filter((each) => each !== controller)
              end()
              resolve(answer)
            },
            (cause: unknown) => {
              if (!controllers.includes(controller)) return
              controllers = controllers.filter((each) => each !== controller)
              error = cause
              if (controllers.length > 0) return
              end()
              reject(error as Error) // What the attempt was rejected with.
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
        reject(signal.reason as Error) // As `abort` was given it.
      }
      signal.addEventListener('abort', aborted)
      pending.add(read)
      if (signal.aborted) return aborted()
      read.send()
      look(silenceMs)
    })
  return {
    run,
    sendAgain() {
      for (const read of pending) if (isSilent(read) && read.copies() < mostCopies) read.send()
    },
  }
}
