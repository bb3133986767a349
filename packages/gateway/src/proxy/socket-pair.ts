import type { RawData } from 'ws'
import { WebSocket } from 'ws'
import { every, type Clock } from '@slipway/kube/clock'
import type { Projector } from '../field-mask/projector'
import type { Semaphore } from './compression'
import { callEndError, type CallEnd } from '../session/session-calls'
import { errorEvent } from './watch-end'

export interface JoinedSockets {
  /** Closes both ends, with a code that tells the client the reason. */
  end(reason: CallEnd): void
}

interface Pairing {
  clock: Clock
  pingMs: number
  /** How often the client gets an empty text frame, the first one at once; Infinity for never. */
  heartbeatMs: number
  /** Text frames to the client of at least this size are compressed if a compressor is free; Infinity for never. */
  compressionThresholdBytes: number
  compressors: Semaphore
  /** Whether the frames of the upstream are events of a watch. */
  isWatch: boolean
  /** Filter the events of the upstream, each of them a frame, one after the other. */
  projectors: readonly Projector[]
}

/** Close codes for the client; 4401 says that signing in again would help, and 4403 that it would not. */
const closeCodes: Record<CallEnd, [code: number, reason: string]> = {
  session: [4401, 'The session has ended.'],
  shutdown: [1001, 'The gateway is shutting down.'],
  forbidden: [4403, 'You are no longer allowed to read this.'],
}

/** The writer is paused while more bytes than this wait for the reader. */
const highWaterBytes = 1024 * 1024
/** How long the other end may take to confirm a close. */
const closingMs = 500

/**
 * Forwards every frame between two open websockets until either closes: then both close with the same code.
 * @param upstream open but paused, so that no frame has been lost
 */
export function joinSockets(
  client: WebSocket,
  upstream: WebSocket,
  { clock, pingMs, heartbeatMs, compressionThresholdBytes, compressors, isWatch, projectors }: Pairing,
): JoinedSockets {
  const unchanged = (frame: Buffer) => frame
  const project = (frame: Buffer): Buffer | undefined => {
    try {
      return projectors.reduce((bytes, projector) => {
        const kept = projector.push(bytes)
        projector.end()
        return kept
      }, frame)
    } catch {
      close(client, 1011, 'The cluster sent an event that is not valid JSON.', clock)
      upstream.terminate()
      return undefined
    }
  }
  let releaseCompressor: (() => void) | undefined
  const isCompressed = (frame: Buffer): boolean => {
    if (frame.length < compressionThresholdBytes || client.extensions === '') return false
    // Acquired for the first large frame, since many sockets never send one; later frames try again.
    return (releaseCompressor ??= compressors.acquire()) !== undefined
  }
  forwardFrames(client, upstream, unchanged, () => false)
  forwardFrames(upstream, client, project, isCompressed)
  const stops = [startPings(client, pingMs, clock), startPings(upstream, pingMs, clock)]
  if (heartbeatMs < Infinity) {
    // Also at once, so that the page can interpret silence from the start.
    sendHeartbeat(client)
    stops.push(every(clock, heartbeatMs, () => sendHeartbeat(client)))
  }
  for (const end of [client, upstream]) {
    // Protocol errors are followed by `close`.
    end.on('error', () => {})
    end.once('close', () => stops.forEach((stop) => stop()))
  }
  client.once('close', (code, reason) => {
    releaseCompressor?.()
    close(upstream, code, reason, clock)
  })
  upstream.once('close', (code, reason) => close(client, code, reason, clock))
  upstream.resume()
  return {
    end(cause) {
      const [code, reason] = closeCodes[cause]
      // A client that knows only watches learns the reason from an event.
      if (cause === 'forbidden' && isWatch && client.readyState === WebSocket.OPEN)
        client.send(errorEvent(callEndError(cause).status), { compress: false })
      close(client, code, reason, clock)
      upstream.terminate()
    },
  }
}

function forwardFrames(
  from: WebSocket,
  to: WebSocket,
  project: (frame: Buffer) => Buffer | undefined,
  isCompressed: (frame: Buffer) => boolean,
) {
  from.on('message', (data: RawData, isBinary: boolean) => {
    if (to.readyState !== WebSocket.OPEN) return
    // The default type of ws.
    const frame = project(data as Buffer)
    if (frame === undefined) return
    // Node's streams would merge frames; ws keeps them apart but leaves flow control to us.
    to.send(frame, { binary: isBinary, compress: !isBinary && isCompressed(frame) }, () => {
      if (from.isPaused && to.bufferedAmount <= highWaterBytes) from.resume()
    })
    if (to.bufferedAmount > highWaterBytes) from.pause()
  })
}

function close(end: WebSocket, code: number, reason: string | Buffer, clock: Clock) {
  if (end.readyState === WebSocket.CLOSED) return
  // A lost connection has no code that may be forwarded: terminate the other end too, unless it is already closing.
  if (code === 1006 || code === 1015) return end.readyState === WebSocket.CLOSING ? undefined : end.terminate()
  if (end.readyState === WebSocket.OPEN) end.close(code === 1005 ? undefined : code, reason)
  // A paused reader would never see the confirmation of its close.
  if (end.isPaused) end.resume()
  const stopTimer = clock.after(closingMs, () => end.terminate())
  end.once('close', stopTimer)
}

/** Skipped while data is waiting to be sent, which proves as much. */
function sendHeartbeat(client: WebSocket) {
  if (client.readyState === WebSocket.OPEN && client.bufferedAmount === 0) client.send('', { compress: false })
}

/** Keeps middleboxes from dropping a silent connection, and terminates one whose other end no longer responds. */
function startPings(end: WebSocket, pingMs: number, clock: Clock): () => void {
  let isAlive = true
  end.on('pong', () => (isAlive = true))
  return every(clock, pingMs, () => {
    if (!isAlive) return end.terminate()
    isAlive = false
    end.ping()
  })
}
