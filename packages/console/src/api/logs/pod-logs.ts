import type { Clock } from '@slipway/kube/clock'
import { podType, type Pod } from '@slipway/kube/core-types'
import type { LogCursor } from '@slipway/kube/log-cursor'
import { queryString, resourcePath } from '@slipway/kube/path'
import { ApiError, isNotFound, retryAfterMs } from '@slipway/kube/status'
import { isMissingLogNotice } from '@slipway/model/logs/missing-log'
import { containerPhaseOf, type ContainerPhase } from '@slipway/model/runs/pod-containers'
import { client } from '../client'
import { idleTurnMs, isIdle } from '../live/idle'
import { isTransient } from '../query-client'

export interface ContainerRef {
  namespace: string
  pod: string
  container: string
}

/** Receives what a container writes. */
export interface LogSink {
  /** Complete lines; each starts with its timestamp. */
  lines(lines: readonly string[]): void
  /** The beginning of the next line; empty to withdraw it. */
  open(text: string): void
}

/** The state of reading a log. */
export type LogConnection =
  | { phase: 'waiting' | 'loading' | 'live' }
  /** Read again every few seconds, since something on the way holds back a log that is followed. */
  | { phase: 'polling' }
  /** `sinceMs`: the clock's time since which nothing has arrived. */
  | { phase: 'reconnecting'; sinceMs: number; error: unknown }

const backOff = { firstMs: 1_000, factor: 1.5, capMs: 30_000 } as const
/** How often to check a container that has not started: its image is being pulled, or its pod is not scheduled. */
const waitingMs = 2_000
/**
 * A log that is followed and stays silent for this long from its start may be held back on the way. Its step may also
 * have written nothing yet, so that the delay between checks grows.
 */
const silence = { firstMs: 5_000, factor: 2, capMs: 30_000 } as const
/** How often to read a log that cannot be followed. */
const pollMs = 5_000
/** After working for this long, reading pauses, so that the page can do other things. */
const sliceMs = 10
/** A longer line is shown only when it is complete. */
const longestOpenLine = 100_000

export const logPath = (
  { namespace, pod, container }: ContainerRef,
  query: Record<string, string | true | undefined>,
) => `${resourcePath(podType, { namespace, name: pod, subresource: 'log' })}${queryString({ container, ...query })}`

export const readPod = ({ namespace, pod }: Omit<ContainerRef, 'container'>, signal: AbortSignal): Promise<Pod> =>
  client.get(podType, pod, { namespace, signal })

interface Reading {
  cursor: LogCursor
  sink: LogSink
  onConnection(connection: LogConnection): void
  /** Whether a waiting container may still start. */
  mayStart(): boolean
  /** Whether no container of its pod has started, so that nothing can be missing. */
  isPending(): boolean
  clock: Clock
  /** Between 0 and 1, so that not all pages reconnect at once. */
  random(): number
  signal: AbortSignal
}

/**
 * Reads the log of a container until the container has ended, over as many connections as it takes. A lost connection
 * is reopened after a growing delay, and so is one that ended although the container is still running. Where a proxy on
 * the way holds back what is followed, it is read every few seconds instead.
 * @param now the current phase of the container
 * @throws ApiError for lasting errors, such as a deleted log (404) or missing permission
 */
export async function readContainerLog(ref: ContainerRef, now: ContainerPhase, reading: Reading): Promise<void> {
  const { onConnection, clock, random, signal } = reading
  let phase: ContainerPhase | undefined = now
  let delayMs: number = backOff.firstMs
  let sinceMs: number | undefined
  let isHeldBack = false
  const later = async (askedForMs = 0) => {
    await pause(clock, Math.max(askedForMs, delayMs * (0.75 + random() / 2)), signal)
    delayMs = Math.min(delayMs * backOff.factor, backOff.capMs)
  }
  for (;;) {
    try {
      phase ??= await phaseNow(ref, reading)
      if (phase === 'waiting' && !reading.mayStart()) {
        // It would wait forever, unless it has started and ended since its pod was read: while the step before was read.
        phase = await phaseNow(ref, reading)
        if (phase === 'waiting') return
      }
      if (phase === 'waiting') {
        sinceMs = undefined
        onConnection({ phase: 'waiting' })
        await pause(clock, waitingMs, signal)
        phase = undefined
        continue
      }
      const isRunning: boolean = phase === 'running'
      const onOpen = () => {
        sinceMs = undefined
        delayMs = backOff.firstMs
        onConnection({ phase: !isRunning ? 'loading' : isHeldBack ? 'polling' : 'live' })
      }
      if (isRunning && isHeldBack) {
        await readOnce(ref, false, reading, onOpen)
        await pause(clock, isIdle() ? idleTurnMs : pollMs, signal)
        // The phase comes first: whatever is written before the container ends is then read with the next log.
        phase = undefined
        continue
      }
      const rest = isRunning ? await follow(ref, reading, onOpen) : await readOnce(ref, false, reading, onOpen)
      if (rest === undefined) {
        isHeldBack = true
        continue
      }
      phase = isRunning ? await phaseNow(ref, reading) : 'over'
      if (phase === 'over') return finish(rest, reading)
      // A proxy on the way has ended the connection.
      reading.sink.open('')
      await later()
    } catch (error) {
      signal.throwIfAborted()
      reading.sink.open('')
      if (!isTransientOrSignedOut(error)) throw error
      sinceMs ??= clock.now()
      onConnection({ phase: 'reconnecting', sinceMs, error })
      await later(retryAfterMs(error))
      // A container that has ended stays so; one that was running may have ended.
      if (phase !== 'over') phase = undefined
    }
  }
}

/** Includes the end of the session: nothing is sent until the user has signed in again. */
export const isTransientOrSignedOut = (error: unknown): boolean =>
  isTransient(error) || (error instanceof ApiError && error.isSessionEnd)

/** A deleted pod writes nothing more, but a pending task may get another of the same name. */
const phaseNow = (ref: ContainerRef, { isPending, signal }: Reading): Promise<ContainerPhase> =>
  readPod(ref, signal).then(
    (pod) => containerPhaseOf(pod, ref.container),
    (error: unknown) => {
      if (isNotFound(error)) return isPending() ? 'waiting' : 'over'
      throw error
    },
  )

/** The last line need not end with a newline. */
function finish(rest: string, { cursor, sink }: Reading): void {
  sink.open('')
  if (rest !== '') sink.lines(cursor.accept([rest]))
}

/** Follows a log over one connection. @returns the beginning of an unfinished line; `undefined` if it is held back */
async function follow(ref: ContainerRef, reading: Reading, onOpen: () => void): Promise<string | undefined> {
  const own = new AbortController()
  const signal = AbortSignal.any([reading.signal, own.signal])
  let hasBegun = false
  const begin = () => {
    hasBegun = true
  }
  const followed = readOnce(ref, true, { ...reading, signal }, onOpen, begin)
  try {
    return await Promise.race([followed, heldBack(ref, { ...reading, signal }, () => hasBegun)])
  } finally {
    own.abort()
    followed.catch(() => undefined)
  }
}

/**
 * Resolves once there is something to read of a log that is followed in vain; never if it is not in vain. A failure says
 * nothing, and the reader meets it too.
 */
async function heldBack(ref: ContainerRef, { cursor, clock, signal }: Reading, hasBegun: () => boolean) {
  for (let delayMs: number = silence.firstMs; ; delayMs = Math.min(delayMs * silence.factor, silence.capMs)) {
    const isOver = await pause(clock, isIdle() ? idleTurnMs : delayMs, signal).then(hasBegun, () => true)
    if (isOver || hasBegun()) return new Promise<undefined>(() => undefined)
    const isWritten = await hasLines(ref, cursor.sinceTime, signal).catch(() => false)
    if (isWritten && !hasBegun()) return undefined
  }
}

async function hasLines(ref: ContainerRef, sinceTime: string | undefined, signal: AbortSignal): Promise<boolean> {
  const body = await client.stream(logPath(ref, { tailLines: '1', sinceTime }), { signal })
  for await (const text of textsOf(body, signal)) if (text !== '') return true
  return false
}

/**
 * Reads one connection to its end.
 * @param onText called with each text
 * @returns the beginning of an unfinished line
 */
async function readOnce(
  ref: ContainerRef,
  isFollowed: boolean,
  reading: Reading,
  onOpen: () => void,
  onText?: () => void,
): Promise<string> {
  const { cursor, sink, clock, signal } = reading
  const path = logPath(ref, { follow: isFollowed || undefined, timestamps: true, sinceTime: cursor.sinceTime })
  const body = await client.stream(path, { signal })
  onOpen()
  cursor.start()
  let rest = ''
  let workedSinceMs = clock.now()
  for await (const text of loggedTexts(path, body, signal)) {
    onText?.()
    rest += text
    if (text.includes('\n')) {
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      const newLines = cursor.accept(lines)
      if (newLines.length > 0) sink.lines(newLines)
    }
    if (rest.length < longestOpenLine && !cursor.isRepeating) sink.open(rest)
    if (clock.now() - workedSinceMs > sliceMs) {
      await pause(clock, 0, signal)
      workedSinceMs = clock.now()
    }
  }
  return rest
}

/**
 * Yields the texts of a log from its beginning, unless it consists of the sentence that the node no longer has it.
 * @throws ApiError with code 404 for that sentence
 */
export async function* loggedTexts(
  path: string,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let beginning: string | undefined = ''
  for await (const text of textsOf(body, signal)) {
    if (beginning === undefined) {
      yield text
      continue
    }
    beginning += text
    // More may follow, which would make it the output of a program.
    if (isMissingLogNotice(beginning)) continue
    yield beginning
    beginning = undefined
  }
  if (!beginning) return
  throw new ApiError({ code: 404, reason: 'NotFound', url: path, message: beginning.trim() })
}

/** @throws ApiError with code 0 when the connection breaks */
async function* textsOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  // A stream created within the process may not listen to the signal of its request.
  const stop = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        signal.throwIfAborted()
        throw new ApiError({ code: 0, reason: 'NetworkFailure', url: '', cause, message: 'The connection was lost.' })
      })
      signal.throwIfAborted()
      const text = decoder.decode(value, { stream: !done })
      if (text !== '') yield text
      if (done) return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** @throws the reason of the signal as soon as it is aborted */
export const pause = (clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      cancel()
      // An AbortError, unless the caller gave another reason.
      reject(signal.reason as Error)
    }
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
