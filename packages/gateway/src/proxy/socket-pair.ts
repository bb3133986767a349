import type { RawData } from 'ws'
import { WebSocket } from 'ws'
import { every, type Clock } from '@slipway/kube/clock'
import type { Projector } from '../field-mask/projector'
import type { Semaphore } from './compression'
import type { StreamEnd } from './streams'

export interface JoinedSockets {
  /** Closes both ends, with the code that tells the client why. */
  end(why: StreamEnd): void
}

interface Pairing {
  clock: Clock
  pingMs: number
  /** How often the client gets a frame of no text, from the first moment on; Infinity for never. */
  heartbeatMs: number
  /** Frames of text to the client are compressed from so many bytes on, while there is a place; Infinity for none. */
  compressedFromBytes: number
  compressors: Semaphore
  /** Cuts the events of the upstream down, each of them a frame. */
  projector?: Projector | undefined
}

/** What the client is told; 4401 says that signing in again would help. */
const endings: Record<StreamEnd, [code: number, reason: string]> = {
  session: [4401, 'The session has ended.'],
  shutdown: [1001, 'The gateway is shutting down.'],
}

/** A reader that is slower than this many bytes stops its writer. */
const highWaterBytes = 1024 * 1024
/** How long the other end may take to agree to a close. */
const closingMs = 500

/**
 * Passes every frame from one open websocket to the other, in both directions, until either closes: then both do,
 * with the same code.
 * @param upstream open but paused, so that no frame was lost before
 */
export function joinSockets(
  client: WebSocket,
  upstream: WebSocket,
  { clock, pingMs, heartbeatMs, compressedFromBytes, compressors, projector }: Pairing,
): JoinedSockets {
  const unchanged = (frame: Buffer) => frame
  const cut = (frame: Buffer): Buffer | undefined => {
    try {
      const kept = projector?.push(frame) ?? frame
      projector?.end()
      return kept
    } catch {
      close(client, 1011, 'The cluster sent an event that is no JSON.', clock)
      upstream.terminate()
      return undefined
    }
  }
  let leavePlace: (() => void) | undefined
  const isCompressed = (frame: Buffer): boolean => {
    if (frame.length < compressedFromBytes || client.extensions === '') return false
    // Taken by the first large frame, since many sockets never send one. Later ones find a place that was left.
    return (leavePlace ??= compressors.acquire()) !== undefined
  }
  pass(client, upstream, unchanged, () => false)
  pass(upstream, client, cut, isCompressed)
  const stops = [heartbeat(client, pingMs, clock), heartbeat(upstream, pingMs, clock)]
  if (heartbeatMs < Infinity) {
    // At once too, so that the page knows what silence means before there has been any.
    sendHeartbeat(client)
    stops.push(every(clock, heartbeatMs, () => sendHeartbeat(client)))
  }
  for (const end of [client, upstream]) {
    // A protocol error; `close` follows.
    end.on('error', () => {})
    end.once('close', () => stops.forEach((stop) => stop()))
  }
  client.once('close', (code, reason) => {
    leavePlace?.()
    close(upstream, code, reason, clock)
  })
  upstream.once('close', (code, reason) => close(client, code, reason, clock))
  upstream.resume()
  return {
    end(why) {
      const [code, reason] = endings[why]
      close(client, code, reason, clock)
      upstream.terminate()
    },
  }
}

function pass(
  from: WebSocket,
  to: WebSocket,
  cut: (frame: Buffer) => Buffer | undefined,
  isCompressed: (frame: Buffer) => boolean,
) {
  from.on('message', (data: RawData, isBinary: boolean) => {
    if (to.readyState !== WebSocket.OPEN) return
    // Of the kind that ws makes by default.
    const frame = cut(data as Buffer)
    if (frame === undefined) return
    // Node's streams would merge frames; ws keeps them apart, but its pace is ours to keep.
    to.send(frame, { binary: isBinary, compress: !isBinary && isCompressed(frame) }, () => {
      if (from.isPaused && to.bufferedAmount <= highWaterBytes) from.resume()
    })
    if (to.bufferedAmount > highWaterBytes) from.pause()
  })
}

function close(end: WebSocket, code: number, reason: string | Buffer, clock: Clock) {
  if (end.readyState === WebSocket.CLOSED) return
  // A connection that broke off has no code that may be sent on: the other one breaks off too, unless it is told more.
  if (code === 1006 || code === 1015) return end.readyState === WebSocket.CLOSING ? undefined : end.terminate()
  if (end.readyState === WebSocket.OPEN) end.close(code === 1005 ? undefined : code, reason)
  // A paused reader would never see the answer to its close.
  if (end.isPaused) end.resume()
  const stopTimer = clock.after(closingMs, () => end.terminate())
  end.once('close', stopTimer)
}

/** What is on its way already says as much. */
function sendHeartbeat(client: WebSocket) {
  if (client.readyState === WebSocket.OPEN && client.bufferedAmount === 0) client.send('', { compress: false })
}

/** Keeps boxes on the way from cutting a silent connection, and cuts one whose other end no longer answers. */
function heartbeat(end: WebSocket, pingMs: number, clock: Clock): () => void {
  let isAlive = true
  end.on('pong', () => (isAlive = true))
  return every(clock, pingMs, () => {
    if (!isAlive) return end.terminate()
    isAlive = false
    end.ping()
  })
}
