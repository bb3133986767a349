import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { failureStatus } from '@slipway/kube/status'

/** How long a client may keep a connection busy without doing its part. */
export interface ConnectionLimits {
  /** A TLS handshake and the head of a request must each be complete within this time. */
  headersMs: number
  /** In every such period of an upload, at least `bodyBytes` must arrive. */
  bodyMs: number
  bodyBytes: number
  /** A response is cut off if the client reads nothing for this long. */
  unreadMs: number
}

/** 512 bytes per second is the slowest upload that Apache's mod_reqtimeout accepts by default. */
export const defaultLimits: ConnectionLimits = {
  headersMs: 30_000,
  bodyMs: 30_000,
  bodyBytes: 15_360,
  unreadMs: 120_000,
}

export const errorResponse = (code: number, reason: string, message: string): Response =>
  Response.json(failureStatus(code, reason, message), { status: code })

/** Writes a response to a connection without a `ServerResponse`, and closes the connection. */
export async function rejectConnection(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const headers = { ...headersOf(response), 'content-length': String(body.length), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`, ...lines, '', ''].join('\r\n')
  if (!socket.writable) return void socket.destroy()
  // A client that keeps sending must not keep the connection open.
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy())
}

export function headersOf(response: Response): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  response.headers.forEach((value, name) => {
    headers[name] = name === 'warning' ? value.split(/, (?=299 - )/) : value
  })
  return headers
}

/**
 * Guards an HTTP server that receives its connections from another server and so never listens itself. Slow headers and
 * invalid HTTP are rejected, after any responses that are still pending on the connection.
 */
export function guardConnections(http: Server, limits: ConnectionLimits): void {
  http.headersTimeout = limits.headersMs
  // Node would limit an upload as a whole, however steadily it arrives.
  http.requestTimeout = 0
  // Node checks the age of connections from this event on. Source: nodejs/node, lib/_http_server.js, setupConnectionsTracking.
  http.emit('listening')

  const responsesOn = new WeakMap<Duplex, ServerResponse[]>()
  const rejected = new WeakSet<Duplex>()
  const pendingOn = (socket: Duplex) =>
    (responsesOn.get(socket) ?? []).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed)

  /** Rejects the latest data, after the responses to the complete requests before it. */
  function rejectNext(socket: Duplex, response: Response) {
    if (rejected.has(socket)) return
    rejected.add(socket)
    const responses = pendingOn(socket)
    const end = () => {
      // If a response has already started, a second one would become part of it.
      if (responses.some(({ req, headersSent }) => !req.complete && headersSent)) socket.destroy()
      else void rejectConnection(socket, response)
    }
    const last = responses.filter(({ req }) => req.complete).at(-1)
    if (last) last.once('close', end)
    else end()
  }

  http.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    responsesOn.set(socket, [...pendingOn(socket), outgoing])
    if (hasBody(incoming)) limitUpload(incoming, limits, () => rejectNext(socket, tooSlow()))
  })
  http.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = responseToError(error.code ?? '')
    if (response) rejectNext(socket, response)
    else socket.destroy()
  })
}

const tooSlow = () => errorResponse(408, 'Timeout', 'the request did not arrive in time')

/** @returns `undefined` for an error of the connection itself, on which no response can be sent */
function responseToError(code: string): Response | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  if (code === 'HPE_HEADER_OVERFLOW') return errorResponse(431, 'BadRequest', 'the request header is too large')
  return code.startsWith('HPE_') ? errorResponse(400, 'BadRequest', 'the request is not valid HTTP') : undefined
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function limitUpload(incoming: IncomingMessage, { bodyMs, bodyBytes }: ConnectionLimits, giveUp: () => void): void {
  const { socket } = incoming
  let seen = socket.bytesRead
  let timer = setTimeout(scheduleCheck, bodyMs)
  incoming.once('close', () => clearTimeout(timer))

  /** Lets data that arrived during a pause of the process be read before the check. */
  function scheduleCheck() {
    setImmediate(check)
  }
  function check() {
    if (incoming.complete || incoming.destroyed) return
    const isLate = socket.bytesRead - seen < bodyBytes
    // The client is not late if the server itself has paused reading.
    if (isLate && !incoming.isPaused()) return giveUp()
    seen = socket.bytesRead
    timer = setTimeout(scheduleCheck, bodyMs)
  }
}
