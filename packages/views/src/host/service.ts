import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Log } from '@slipway/connect/log'
import { AccessError, createAccess, type AccessProblem } from '@slipway/kube/access'
import type { KubeClient } from '@slipway/kube/client'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { parseJson } from '@slipway/kube/parse'
import { ApiError } from '@slipway/kube/status'
import type { UserInfo } from '@slipway/kube/user'
import { parseMessage } from '../frame'
import { createShelves } from '../shelves'
import type { ViewKind } from '../view-kind'
import { formatMetrics } from './metrics'
import { readWindow } from './read-window'
import { createReader } from './reader'
import { createServedTypes } from './served-types'
import { serveSession } from './socket-session'
import { createUserRights } from './user-rights'

interface ViewsServiceOptions {
  /** With the account that `viewsRules` describes. */
  client: KubeClient
  kinds: readonly ViewKind[]
  log: Log
  clock?: Clock
  /** Memory for rows; the least recently used lists are dropped beyond it. */
  maxBytes?: number
}

interface ViewsService {
  /** Ends every websocket with 1001 and everything that is read. The caller closes the server. */
  close(): void
}

/** The only path of websockets, and that of one window of a query. The gateway's plugin knows both (plugins/views.ts). */
const socketPath = '/v1/socket'
const windowPath = '/v1/window'
const accessCacheMs = 5_000
const keepMs = 300_000
const defaultMaxBytes = 300 * 1024 * 1024
const maxMessageBytes = 64 * 1024
const goingAway = 1001
/** How long the other end may take to confirm a close. */
const closingMs = 500

/**
 * Serves list views on an HTTP server: a websocket for each tab. Callers are authenticated and may impersonate users as
 * with the archive's APIs; what users see, the API server decides. While no websocket is open, nothing is read.
 */
export function serveViews(server: Server, options: ViewsServiceOptions): ViewsService {
  const { client, kinds, log, clock = systemClock, maxBytes = defaultMaxBytes } = options
  const warn = (message: string) => log.warn({}, message)
  const kindsById = new Map(kinds.map((kind) => [kind.id, kind]))
  const access = createAccess({ client, clock, cacheMs: accessCacheMs })
  const servedTypes = createServedTypes(client, clock)
  const rights = createUserRights({ client, servedTypes, clock, warn })
  const read = createReader({ client, servedTypes, clock, warn })
  const shelves = createShelves({ kinds, read, clock, maxBytes, keepMs })
  const acceptor = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes })

  server.on('request', respond)
  server.on('upgrade', (request, socket, head) => {
    // Without a listener a reset connection would end the process.
    socket.on('error', () => socket.destroy())
    accept(request, socket, head).catch((error: unknown) => reject(socket, toFailure(error)))
  })

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', method } = request
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && url === '/livez') return sendJson(response, 200, { code: 200, message: 'healthy' })
    if (isRead && url === '/metrics') {
      const { bytes, count } = shelves
      const text = formatMetrics({ bytes, shelves: count, sessions: acceptor.clients.size, reviews: rights.counts })
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
      return
    }
    if (isRead && url.startsWith(`${windowPath}?`)) {
      respondWithWindow(request, response).catch((error: unknown) => {
        const { code, message } = toFailure(error)
        sendJson(response, code, statusOf(code, message))
      })
      return
    }
    sendJson(response, 404, statusOf(404, 'There is nothing at this path.'))
  }

  /** `?query=`: a `ViewQuery` as JSON. */
  async function respondWithWindow(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const user = await access.callerOf(headersOf(request))
    const query = parseJson(new URLSearchParams(request.url?.slice(windowPath.length)).get('query') ?? '')
    const open = parseMessage({ type: 'open', id: '', query }, kindsById)
    if (open.type !== 'open') throw new Failure(400, open.type === 'invalid' ? open.why : 'It is not a query.')
    recordView(user, request, open.query.kind, open.query.namespaces)
    const stop = new AbortController()
    response.once('close', () => stop.abort())
    sendJson(
      response,
      200,
      await readWindow(open, { kinds, shelves, rights: rights.open(user), clock, stop: stop.signal }),
    )
  }

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const [path, query] = (request.url ?? '').split('?', 2)
    if (path !== socketPath) throw new Failure(404, 'There is nothing at this path.')
    const caller = await access.callerOf(headersOf(request))
    acceptor.handleUpgrade(request, socket, head, (webSocket) =>
      join(webSocket, caller, request, new URLSearchParams(query).get('heartbeat') === 'true'),
    )
  }

  function join(socket: WebSocket, user: UserInfo, request: IncomingMessage, hasHeartbeat: boolean): void {
    serveSession(socket, {
      kinds,
      shelves,
      rights: rights.open(user),
      clock,
      hasHeartbeat,
      onView: (view, namespaces) => recordView(user, request, view, namespaces),
    })
  }

  /** The API server sees only the service: this is the record of who read what. */
  function recordView({ name }: UserInfo, request: IncomingMessage, view: string, namespaces: readonly string[]): void {
    log.info({ who: name, view, namespaces, requestId: request.headers['audit-id'] }, 'view opened')
  }

  return {
    close() {
      for (const socket of acceptor.clients) {
        socket.close(goingAway, 'The service is shutting down.')
        // A gateway that hangs never confirms it.
        const stopTimer = clock.after(closingMs, () => socket.terminate())
        socket.once('close', stopTimer)
      }
      shelves.close()
      rights.close()
      acceptor.close()
    },
  }
}

/** Why a handshake is rejected. */
class Failure extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const accessFailures: Record<AccessProblem, [code: number, message: string]> = {
  'no token': [401, 'A bearer token is required.'],
  'malformed header': [401, 'The Authorization header must be a bearer token.'],
  'bad token': [401, 'The API server does not accept the token.'],
  'no user': [400, 'The headers for impersonation do not say which user.'],
  'may not impersonate': [403, 'The owner of the token may not impersonate this user.'],
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof AccessError) return new Failure(...accessFailures[error.problem])
  if (error instanceof ApiError) return new Failure(503, 'The API server could not review the caller.')
  return new Failure(500, 'The websocket could not be opened.')
}

const reasons: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  503: 'ServiceUnavailable',
}

const statusOf = (code: number, message: string): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason: reasons[code] ?? 'InternalError',
  message,
})

function sendJson(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function reject(socket: Duplex, { code, message }: Failure): void {
  const body = JSON.stringify(statusOf(code, message))
  socket.end(
    `HTTP/1.1 ${code} ${reasons[code] ?? 'Error'}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** With every repetition of a header, as the impersonation of several groups needs. */
function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return headers
}
