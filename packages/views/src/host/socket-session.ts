import type { RawData } from 'ws'
import { WebSocket } from 'ws'
import { every, type Clock } from '@slipway/kube/clock'
import { parseJson } from '@slipway/kube/parse'
import { createBuckets } from '@slipway/kube/token-buckets'
import { parseMessage } from '../frame'
import { openSession } from '../session'
import type { Shelves } from '../shelves'
import type { ViewKind } from '../view-kind'
import type { OpenRights } from './user-rights'

interface Options {
  kinds: readonly ViewKind[]
  shelves: Shelves
  /** Closed with the socket. */
  rights: OpenRights
  clock: Clock
  /** Whether the client wants an empty frame every five seconds in which it gets nothing else (ADR 16). */
  hasHeartbeat: boolean
  /** Called when the client opens a view, and when a view shows another kind or other namespaces. */
  onView(kind: string, namespaces: readonly string[]): void
}

/** A client with more than this unread is sent no window until it has read it. */
const highWaterBytes = 256 * 1024
const heartbeatMs = 5_000
const pingMs = 30_000
/** Each message may sort a long list. Who types in a filter sends several a second. */
const messageRate = { burst: 100, perSecond: 20 }

/** Serves one session of the engine on an open websocket, until that closes. */
export function serveSession(socket: WebSocket, options: Options): void {
  const { rights, clock, onView } = options
  const kindsById = new Map(options.kinds.map((kind) => [kind.id, kind]))
  const buckets = createBuckets(messageRate, clock)
  const shown = new Map<string, string>()
  let sentAtMs = clock.now()
  /** Whether a window was held back. */
  let isHeldBack = false
  function isDrained(): boolean {
    const isFree = socket.bufferedAmount <= highWaterBytes
    isHeldBack ||= !isFree
    return isFree
  }

  const session = openSession({
    ...options,
    isDrained,
    send(frame) {
      if (socket.readyState !== WebSocket.OPEN) return
      sentAtMs = clock.now()
      socket.send(JSON.stringify(frame), () => {
        if (!isHeldBack || !isDrained()) return
        isHeldBack = false
        session.drained()
      })
    },
  })

  /** Messages that have to wait: as many as arrive in one piece, since the socket is paused then. */
  const waiting: RawData[] = []
  let isLimited = false

  function receiveWaiting(): void {
    while (waiting.length > 0 && !isLimited) {
      const waitS = buckets.take('')
      if (waitS > 0) return limit(waitS)
      const message: unknown = parseJson(String(waiting.shift()))
      record(message)
      session.receive(message)
    }
    if (!isLimited) socket.resume()
  }

  function limit(seconds: number): void {
    isLimited = true
    socket.pause()
    clock.after(seconds * 1_000, () => {
      isLimited = false
      receiveWaiting()
    })
  }

  /** A view is recorded again only when it shows something else: a filter that is being typed is not. */
  function record(received: unknown): void {
    const message = parseMessage(received, kindsById)
    if (message.type === 'close') shown.delete(message.id)
    if (!('query' in message) || !message.query) return
    const { kind, namespaces } = message.query
    const what = JSON.stringify([kind, namespaces])
    if (message.type === 'change' && shown.get(message.id) === what) return
    shown.set(message.id, what)
    onView(kind, namespaces)
  }

  let isAlive = true
  const stops = [
    every(clock, pingMs, () => {
      if (!isAlive) return socket.terminate()
      isAlive = false
      socket.ping()
    }),
  ]
  if (options.hasHeartbeat) {
    socket.send('')
    stops.push(
      every(clock, heartbeatMs, () => {
        const isSilent = clock.now() - sentAtMs >= heartbeatMs
        if (isSilent && socket.readyState === WebSocket.OPEN && socket.bufferedAmount === 0) socket.send('')
      }),
    )
  }
  socket.on('pong', () => (isAlive = true))
  socket.on('message', (data: RawData) => {
    waiting.push(data)
    receiveWaiting()
  })
  // Protocol errors are followed by `close`.
  socket.on('error', () => {})
  socket.once('close', () => {
    for (const stop of stops) stop()
    waiting.length = 0
    session.close()
    rights.close()
  })
}
