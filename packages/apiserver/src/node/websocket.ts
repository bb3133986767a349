import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket, WebSocketServer } from 'ws'
import { requestInfoOf } from '../http/request-info'
import { errorResponse, rejectConnection, type ConnectionLimits } from './http-connection'
import { requestOf, urlOf } from './request'
import type { Handler } from './response'

/** Bytes that a websocket may buffer before its watch has to wait. */
const socketBufferBytes = 1024 * 1024
/** Carries a token instead of a header; never selected. Source: k8s.io/apiserver, websocket/protocol.go. */
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/** Subprotocols for bytes. Source: k8s.io/apimachinery, util/httpstream/wsstream. */
const streamProtocols = ['binary.k8s.io', 'base64.binary.k8s.io']

/** Serves a watch or a log over a websocket: the same request and response, in frames. */
export async function upgrade(
  server: Handler,
  sockets: WebSocketServer,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { unreadMs }: ConnectionLimits,
): Promise<void> {
  const aborted = new AbortController()
  const abort = () => aborted.abort()
  socket.on('error', abort)
  socket.on('close', abort)
  try {
    const kind = streamKindOf(incoming)
    const response = await streamResponse(server, incoming, kind, aborted.signal)
    if (aborted.signal.aborted) return
    if (!response.ok || !response.body) return await rejectConnection(socket, response)
    const { body } = response
    sockets.handleUpgrade(incoming, socket, head, (client) => {
      socket.off('error', abort)
      if (kind === 'log') void sendBytes(client, body, unreadMs)
      else void sendLineFrames(client, body, unreadMs)
    })
  } catch {
    socket.destroy()
  }
}

async function streamResponse(
  server: Handler,
  incoming: IncomingMessage,
  kind: 'watch' | 'log' | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const { origin } = incoming.headers
  // Not a protection against forgery (any origin passes); the real server requires it, too, and for watches only.
  if (kind === 'watch' && (!origin || !URL.canParse(origin))) {
    return errorResponse(403, 'Forbidden', 'a websocket needs an Origin')
  }
  const offered = protocolsOf(incoming)
  const tokenCarriers = offered.filter((protocol) => protocol.startsWith(tokenProtocol))
  let protocols = offered.filter((protocol) => !protocol.startsWith(tokenProtocol))
  if (kind === 'log') {
    const known = protocols.filter((protocol) => streamProtocols.includes(protocol))
    if (protocols.length > 0 && known.length === 0) {
      return errorResponse(403, 'Forbidden', `a log is sent as one of ${streamProtocols.join(', ')}`)
    }
    protocols = known.slice(0, 1)
  } else if (kind === 'watch' && protocols.length > 1) {
    return errorResponse(400, 'BadRequest', 'a watch takes only one subprotocol')
  }
  const request = requestOf(incoming, signal, ['connection', 'upgrade'])
  if (!(request instanceof Request)) return request
  if (tokenCarriers.length > 0 && !request.headers.has('authorization')) {
    const token = tokenIn(tokenCarriers)
    // Without another protocol, there is none to select in the response.
    if (!token || protocols.length === 0) return errorResponse(401, 'Unauthorized', 'Unauthorized')
    request.headers.set('authorization', `Bearer ${token}`)
  }
  incoming.headers['sec-websocket-protocol'] = protocols[0]
  if (kind !== undefined) return server.fetch(request)
  // Returns the error that a stream to a pod would get, such as a denial; other websocket requests are not supported.
  const probe = new Request(request.url, { headers: request.headers, signal })
  const response = await server.fetch(probe)
  if (!response.ok) return response
  await response.body?.cancel()
  return errorResponse(400, 'BadRequest', 'only watches and logs are available over a websocket')
}

/** The token in the protocol list; `undefined` if there are several or it is not valid in a header. */
function tokenIn([carrier = '', ...others]: string[]): string | undefined {
  const token = Buffer.from(carrier.slice(tokenProtocol.length), 'base64url').toString()
  return others.length === 0 && /^[\x21-\x7e]+$/.test(token) ? token : undefined
}

function streamKindOf(incoming: IncomingMessage): 'watch' | 'log' | undefined {
  const url = urlOf(incoming)
  try {
    const requestInfo = url && requestInfoOf('GET', url)
    if (requestInfo?.kind !== 'resource') return undefined
    if (requestInfo.plural === 'pods' && requestInfo.subresource === 'log') return 'log'
    return requestInfo.verb === 'watch' ? 'watch' : undefined
  } catch {
    return undefined // A badly encoded path, which the server rejects.
  }
}

const protocolsOf = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')

const newline = 10

async function sendLineFrames(client: WebSocket, body: ReadableStream<Uint8Array>, unreadMs: number): Promise<void> {
  const reader = body.getReader()
  client.on('close', () => void reader.cancel().catch(() => undefined))
  client.on('error', () => client.terminate())
  let rest: Uint8Array = new Uint8Array()
  while (client.readyState === client.OPEN) {
    const { done, value } = await reader.read()
    if (done) break
    const bytes = rest.length > 0 ? Buffer.concat([rest, value]) : value
    let start = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      // A view, as other watches send the same bytes.
      await sendFrame(client, bytes.subarray(start, end), unreadMs, { binary: false })
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
  client.close(1000)
}

/** Sends binary frames, or text frames in base64 if that protocol was selected. */
async function sendBytes(client: WebSocket, body: ReadableStream<Uint8Array>, unreadMs: number): Promise<void> {
  const reader = body.getReader()
  client.on('close', () => void reader.cancel().catch(() => undefined))
  client.on('error', () => client.terminate())
  while (client.readyState === client.OPEN) {
    const { done, value } = await reader.read()
    if (done) break
    const frame = client.protocol === 'base64.binary.k8s.io' ? Buffer.from(value).toString('base64') : value
    await sendFrame(client, frame, unreadMs)
  }
  client.close(1000)
}

/**
 * Returns at once while little is buffered; otherwise resolves when the frame has been sent. A client that stops reading
 * is cut off, as it ties up memory.
 */
function sendFrame(
  client: WebSocket,
  frame: string | Uint8Array,
  unreadMs: number,
  options: { binary?: boolean } = {},
): Promise<void> | undefined {
  if (client.bufferedAmount < socketBufferBytes) {
    client.send(frame, options)
    return undefined
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => client.terminate(), unreadMs)
    client.send(frame, options, () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
