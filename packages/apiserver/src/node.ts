import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import type { Duplex, Writable } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { ApiServer } from './api-server'
import type { Certificate } from './certificate'
import { LineStream, type Lines } from './http/line-stream'
import { requestInfoOf } from './http/request-info'
import { TextResponse } from './http/text-response'
import {
  defaultLimits,
  guardConnections,
  headersOf,
  errorResponse,
  rejectConnection,
  type ConnectionLimits,
} from './http-connection'

export interface ListenOptions {
  host: string
  /** 0 for any free port. */
  port: number
  /** With a certificate, the port speaks TLS only (unless `plainHttp` is set); without one, plain HTTP. */
  certificate?: Certificate
  /** Also accepts plain HTTP on a TLS port. Bearer tokens are then sent in the clear. */
  plainHttp?: boolean
  limits?: Partial<ConnectionLimits>
}

export interface Listener {
  url: string
  port: number
  /** Closes every connection, but not the API server itself. */
  close(): Promise<void>
}

const keepAliveMs = 30_000
const idleMs = 65_000
/** How long to write to watches before yielding to other work. */
const turnMs = 2
/** Bytes that a websocket may buffer before its watch has to wait. */
const socketBufferBytes = 1024 * 1024
/** Carries a token instead of a header; never selected. Source: k8s.io/apiserver, websocket/protocol.go. */
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/** The first byte of every TLS connection: a handshake record. No HTTP method starts with it. */
const tlsHandshake = 0x16

/** Subprotocols for bytes. Source: k8s.io/apimachinery, util/httpstream/wsstream. */
const streamProtocols = ['binary.k8s.io', 'base64.binary.k8s.io']

/** An API server, or anything else that handles requests. */
type Handler = Pick<ApiServer, 'fetch'>

/** The response of Go's servers. Source: golang/go, net/http/server.go, badRequestError of an HTTPS server. */
const notTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

/** Serves an API server on a port: HTTP, and websockets for watches and logs. */
export async function listen(server: Handler, options: ListenOptions): Promise<Listener> {
  const { host, port, certificate, plainHttp = certificate === undefined } = options
  const limits = { ...defaultLimits, ...options.limits }
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: 64 * 1024 })
  const schedule = createScheduler()
  const checks = { connectionsCheckingInterval: Math.min(5_000, limits.headersMs / 2) }
  const plain = createServer(checks)
  const secure = certificate && createTlsServer({ ...certificate, ...checks, handshakeTimeout: limits.headersMs })
  const servers = secure ? [plain, secure] : [plain]
  for (const http of servers) {
    http.keepAliveTimeout = idleMs
    guardConnections(http, limits)
    http.on('request', (incoming, outgoing) => void serve(server, incoming, outgoing, limits, schedule))
    http.on('upgrade', (incoming, socket, head) => void upgrade(server, sockets, incoming, socket, head))
    http.on('connect', (_incoming, socket) => void rejectConnection(socket, notAllowed()))
  }
  const connections = new Set<Socket>()
  const net = createNetServer((connection) => {
    connections.add(connection)
    connection.setKeepAlive(true, keepAliveMs).setNoDelay(true)
    // Clients may disconnect at any time.
    connection.on('error', () => undefined)
    connection.on('close', () => connections.delete(connection))
    if (!secure) return void plain.emit('connection', connection)
    const abort = () => connection.destroy()
    connection.setTimeout(limits.headersMs, abort)
    connection.once('readable', () => {
      const first = connection.read(1) as Buffer | null
      if (!first) return void connection.destroy()
      const isTls = first[0] === tlsHandshake
      if (!isTls && !plainHttp) return void connection.resume().end(notTls, () => connection.destroy())
      connection.off('timeout', abort).setTimeout(0)
      connection.unshift(first)
      const http = isTls ? secure : plain
      http.emit('connection', connection)
    })
  })
  await new Promise<void>((resolve, reject) => {
    net.once('error', reject)
    net.listen(port, host, () => {
      net.off('error', reject)
      resolve()
    })
  })
  const address = net.address() as AddressInfo // A TCP server has an AddressInfo, unlike one on a pipe.
  const authority = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    port: address.port,
    url: `${secure ? 'https' : 'http'}://${authority}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        // Ends their connection checks; they do not listen.
        for (const http of servers) http.close()
        net.close(() => resolve())
        for (const connection of connections) connection.destroy()
      }),
  }
}

async function serve(
  server: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { unreadMs }: ConnectionLimits,
  schedule: Schedule,
): Promise<void> {
  const aborted = new AbortController()
  outgoing.on('close', () => aborted.abort())
  try {
    const request = requestOf(incoming, aborted.signal)
    const response = request instanceof Request ? await server.fetch(request) : request
    const content = response instanceof TextResponse ? Buffer.from(response.take()) : undefined
    const headers = headersOf(response)
    outgoing.writeHead(response.status, content ? { ...headers, 'content-length': content.length } : headers)
    if (!incoming.complete) discardBody(incoming)
    if (content) {
      outgoing.end(content)
      return
    }
    if (!response.body) {
      outgoing.end()
      return
    }
    outgoing.flushHeaders()
    if (response.body instanceof LineStream) {
      await sendLines(response.body.lines, outgoing, unreadMs, aborted.signal, schedule)
    } else {
      await pump(response.body, outgoing, unreadMs, aborted.signal)
    }
    outgoing.end()
  } catch (error) {
    // After an abort there is no client left. The server has already reported its own errors.
    if (!aborted.signal.aborted) outgoing.destroy(error instanceof Error ? error : undefined)
  }
}

/** Copies a body to the response, no faster than the client reads. */
async function pump(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  unreadMs: number,
  signal: AbortSignal,
): Promise<void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel)
  for (;;) {
    const { done, value } = await reader.read()
    if (done || signal.aborted) return
    if (!outgoing.write(value)) await waitForDrain(outgoing, outgoing, unreadMs, signal)
  }
}

/** Schedules work to run in small batches. */
type Schedule = (work: () => void) => void

/** Alternates scheduled work with everything else that the process does. */
function createScheduler(): Schedule {
  const waiting = new Set<() => void>()
  let isDue = false
  function run() {
    const endMs = performance.now() + turnMs
    for (const work of waiting) {
      waiting.delete(work)
      work()
      if (performance.now() > endMs) break
    }
    isDue = waiting.size > 0
    if (isDue) setImmediate(run)
  }
  return (work) => {
    waiting.add(work)
    if (isDue) return
    isDue = true
    setImmediate(run)
  }
}

/**
 * Writes lines when scheduled, no faster than the client reads; resolves at the end. All lines queued by then are
 * written together: the busier the process, the fewer writes there are.
 */
const sendLines = (
  lines: Lines,
  outgoing: ServerResponse,
  unreadMs: number,
  signal: AbortSignal,
  schedule: Schedule,
): Promise<void> =>
  new Promise((resolve) => {
    let isBlocked = false
    const send = () => {
      while (!isBlocked && !signal.aborted) {
        const bytes = lines.take()
        if (!bytes) {
          if (lines.isEnded()) resolve()
          return
        }
        // Bypass the response, which would frame a shared line again for every watch.
        const socket = outgoing.chunkedEncoding && outgoing.socket?.writable ? outgoing.socket : undefined
        const to: Writable = socket ?? outgoing
        if (to.write(socket ? chunkOf(bytes) : bytes)) continue
        isBlocked = true
        void waitForDrain(to, outgoing, unreadMs, signal).then(() => {
          isBlocked = false
          send()
        })
      }
    }
    lines.follow(() => schedule(send))
    signal.addEventListener('abort', () => resolve())
    schedule(send)
  })

const chunks = new WeakMap<Uint8Array, Buffer>()

/** An HTTP/1.1 chunk, framed once for all the watches that receive it. */
function chunkOf(bytes: Uint8Array): Buffer {
  let chunk = chunks.get(bytes)
  if (!chunk) {
    chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    chunks.set(bytes, chunk)
  }
  return chunk
}

/** Resolves once the client has read the data. A client that stops reading is cut off, as it ties up memory. */
const waitForDrain = (to: Writable, outgoing: ServerResponse, unreadMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), unreadMs)
    const done = () => {
      clearTimeout(timer)
      to.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    to.on('drain', done)
    signal.addEventListener('abort', done)
  })

/** Converts a request for the core, or returns the error response for one that cannot be converted. */
function requestOf(
  incoming: IncomingMessage,
  signal: AbortSignal,
  without: readonly string[] = [],
): Request | Response {
  const headers = new Headers()
  const { rawHeaders, httpVersion, method = 'GET' } = incoming
  // Node's parser lets other versions through.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return errorResponse(505, 'BadRequest', `HTTP/${httpVersion} is not supported`)
  }
  if (method === 'TRACE') return notAllowed()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at]?.toLowerCase(), rawHeaders[at + 1]]
    // Repeated headers are joined with a comma and a space, so a value containing them would become two groups.
    if (name.startsWith('impersonate-') && value.includes(', ')) {
      return errorResponse(400, 'BadRequest', `the value of ${name} must not contain a comma and a space`)
    }
    if (!without.includes(name)) headers.append(name, value)
  }
  const url = urlOf(incoming)
  if (!url) return errorResponse(400, 'BadRequest', 'the request has no valid path')
  const body = method !== 'GET' && method !== 'HEAD' ? bodyOf(incoming) : undefined
  // Node needs `duplex` for a streamed body; the DOM types lack it.
  return new Request(url, { method, headers, body, signal, duplex: 'half' } as RequestInit)
}

/** Streams the body no faster than it is read. An unread body is discarded, so that the connection stays usable. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.on('data', (chunk: Buffer) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
      })
      incoming.on('end', () => controller.close())
      incoming.on('error', (error) => controller.error(error))
    },
    pull: () => void incoming.resume(),
    cancel: () => discardBody(incoming),
  })
}

function discardBody(incoming: IncomingMessage) {
  incoming.removeAllListeners('data').removeAllListeners('end').resume()
}

function urlOf({ url = '', headers }: IncomingMessage): URL | undefined {
  if (!url.startsWith('/')) return undefined
  try {
    return new URL(`http://${headers.host || 'localhost'}${url}`)
  } catch {
    return undefined
  }
}

const notAllowed = () =>
  errorResponse(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')

/** Serves a watch or a log over a websocket: the same request and response, in frames. */
async function upgrade(
  server: Handler,
  sockets: WebSocketServer,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
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
      if (kind === 'log') void sendBytes(client, body)
      else void sendLineFrames(client, body)
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

async function sendLineFrames(client: WebSocket, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  client.on('close', () => void reader.cancel().catch(() => undefined))
  client.on('error', () => client.terminate())
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) await sendFrame(client, line)
  }
  client.close(1000)
}

/** Sends binary frames, or text frames in base64 if that protocol was selected. */
async function sendBytes(client: WebSocket, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  client.on('close', () => void reader.cancel().catch(() => undefined))
  client.on('error', () => client.terminate())
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    await sendFrame(client, client.protocol === 'base64.binary.k8s.io' ? Buffer.from(value).toString('base64') : value)
  }
  client.close(1000)
}

/** Returns at once while little is buffered; otherwise resolves when the frame has been sent. */
function sendFrame(client: WebSocket, frame: string | Uint8Array): Promise<void> | undefined {
  if (client.bufferedAmount < socketBufferBytes) {
    client.send(frame)
    return undefined
  }
  return new Promise((resolve) => client.send(frame, () => resolve()))
}
