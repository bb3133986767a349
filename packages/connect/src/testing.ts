import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { WebSocketServer, type WebSocket } from 'ws'

/** A request as the upstream received it on the wire. */
export interface Seen {
  method: string
  target: string
  /** Lower-case name and value, in order. */
  headers: [string, string][]
  body: string
  /** SHA-256 fingerprint of the client's certificate; absent without one. */
  certificate?: string
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A stand-in for a Kubernetes API that records every request and, by default, echoes it as the response. */
export interface EchoUpstream {
  url: string
  seen: Seen[]
  /** Handler for the next requests. */
  respond: RequestHandler
  /** Called with each opened websocket; the default echoes every frame. */
  onSocket: (socket: WebSocket, request: IncomingMessage) => void
  /** If set, websockets are rejected with this response. */
  rejectSockets: { status: number; body: string; headers?: Record<string, string> } | undefined
  close(): Promise<void>
}

interface EchoTls {
  key: string
  cert: string
  requestCert?: boolean
}

/** @param tls its certificate; with `requestCert`, clients may send theirs */
export async function startEchoUpstream(tls?: EchoTls): Promise<EchoUpstream> {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      upstream.seen.push(seenOf(request, body))
      upstream.respond(request, response, body)
    })
  }
  const server = tls ? createTlsServer({ ...tls, rejectUnauthorized: false }, listener) : createServer(listener)
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    upstream.seen.push(seenOf(request, ''))
    const refusal = upstream.rejectSockets
    if (refusal) {
      const headers = Object.entries(refusal.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.end(
        `HTTP/1.1 ${refusal.status} No\r\n${headers.join('')}content-type: application/json\r\n` +
          `content-length: ${refusal.body.length}\r\nconnection: close\r\n\r\n${refusal.body}`,
      )
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => {})
      upstream.onSocket(webSocket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port, so the address is an object.
  const { port } = server.address() as AddressInfo
  const upstream: EchoUpstream = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen: [],
    respond: echo,
    onSocket: (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    rejectSockets: undefined,
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return upstream
}

const echo: RequestHandler = (request, response, body) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(seenOf(request, body)))
}

function seenOf({ method = '', url = '', rawHeaders, socket }: IncomingMessage, body: string): Seen {
  const headers: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? ''])
  }
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.fingerprint256 : undefined
  return { method, target: url, headers, body, ...(certificate && { certificate }) }
}

/** Responds with JSON. */
export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): RequestHandler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(value))
  }
