import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a client may keep a connection busy without doing its part. */
export interface ConnectionLimits {
  /** A TLS handshake and the head of a request must each be complete within this time. */
  headersMs: number
  /** In every such period of an upload, at least `bodyBytes` must arrive. */
  bodyMs: number
  bodyBytes: number
  /** A response of which the client takes no byte for so long is cut off. */
  unreadMs: number
}

/** A client at 512 bytes per second is slow and honest: the slowest that Apache's mod_reqtimeout accepts by default. */
export const defaultLimits: ConnectionLimits = {
  headersMs: 30_000,
  bodyMs: 30_000,
  bodyBytes: 15_360,
  unreadMs: 120_000,
}

export const refusal = (code: number, reason: string, message: string): Response =>
  Response.json(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
    { status: code },
  )

/** Writes a response to a connection that no `ServerResponse` holds, and closes the connection. */
export async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const headers = { ...headersOf(response), 'content-length': String(body.length), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  const head = [`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}`, ...lines, '', ''].join('\r\n')
  if (!socket.writable) return void socket.destroy()
  // A client that goes on sending must not keep the connection.
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
 * Guards an HTTP server that is handed its connections by another one, and so never listens: slow heads and bytes that
 * are not HTTP are refused, after the responses that the connection still waits for.
 */
export function guardConnections(http: Server, limits: ConnectionLimits): void {
  http.headersTimeout = limits.headersMs
  // Node would limit an upload as a whole, however steadily it arrives.
  http.requestTimeout = 0
  // Node checks the age of connections from this event on. Source: nodejs/node, lib/_http_server.js, setupConnectionsTracking.
  http.emit('listening')

  const begun = new WeakMap<Duplex, ServerResponse[]>()
  const refused = new WeakSet<Duplex>()
  const openOn = (socket: Duplex) =>
    (begun.get(socket) ?? []).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed)

  /** Refuses what has arrived last, after the responses to the complete requests before it. */
  function refuseNext(socket: Duplex, response: Response) {
    if (refused.has(socket)) return
    refused.add(socket)
    const responses = openOn(socket)
    const end = () => {
      // Where the response has begun already, another one would become part of it.
      if (responses.some(({ req, headersSent }) => !req.complete && headersSent)) socket.destroy()
      else void refuse(socket, response)
    }
    const last = responses.filter(({ req }) => req.complete).at(-1)
    if (last) last.once('close', end)
    else end()
  }

  http.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    begun.set(socket, [...openOn(socket), outgoing])
    if (hasBody(incoming)) limitUpload(incoming, limits, () => refuseNext(socket, tooSlow()))
  })
  http.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answerTo(error.code ?? '')
    if (answer) refuseNext(socket, answer)
    else socket.destroy()
  })
}

const tooSlow = () => refusal(408, 'Timeout', 'the request did not arrive in time')

/** @returns `undefined` for an error of the connection itself, which no answer would survive */
function answerTo(code: string): Response | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  if (code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'BadRequest', 'the request header is too large')
  return code.startsWith('HPE_') ? refusal(400, 'BadRequest', 'the request is not valid HTTP') : undefined
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function limitUpload(incoming: IncomingMessage, { bodyMs, bodyBytes }: ConnectionLimits, giveUp: () => void): void {
  const { socket } = incoming
  let seen = socket.bytesRead
  let timer = setTimeout(soon, bodyMs)
  incoming.once('close', () => clearTimeout(timer))

  /** After a pause of the process, what has arrived meanwhile is read before it is judged. */
  function soon() {
    setImmediate(check)
  }
  function check() {
    if (incoming.complete || incoming.destroyed) return
    const isLate = socket.bytesRead - seen < bodyBytes
    // A body that the server itself does not read is not late.
    if (isLate && !incoming.isPaused()) return giveUp()
    seen = socket.bytesRead
    timer = setTimeout(soon, bodyMs)
  }
}
