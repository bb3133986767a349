import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import type { AccessLog, SocketLog } from '../operations/access-log'
import { responseFilter, type ResponseFilter } from '../field-mask/filter'
import { localTarget, type PublicOrigins } from '../origins'
import { parseGatewayRequest, type GatewayRequest, type Route } from '../gateway-request'
import type { ApiTarget } from '../target'
import { toHttpResponse, writeHttpResponse, type HttpResponse } from '../http-response'
import { badRequest, checkVersion, notFound, toHttpError } from '../http-error'
import { ignoreUpgrade } from '../ignored-upgrade'
import type { PendingResponses } from '../pending-responses'
import type { Guard } from '../session/guard'
import type { Session } from '../session/sessions'
import { createSemaphore, minCompressedBytes, socketCompression, type Semaphore } from './compression'
import { checkHeaders, headersForBrowser } from './headers'
import { parseHeartbeat } from './heartbeat'
import { checkKubernetesPath } from '../kubernetes-path'
import { isNamespaceList, rejectWatch } from './namespaces'
import { pluginFor } from './plugins'
import { joinSockets, type JoinedSockets } from './socket-pair'
import { streamPermissions } from './stream-permissions'
import type { StreamReviews } from './stream-reviews'
import { callEndError, type SessionCalls } from '../session/session-calls'
import { passedOnBySocket, type Sender } from '../upstreams/outgoing'
import type { Plugin } from '../upstreams/plugin'
import type { Upstream } from '../upstreams/upstream'

interface SocketParts {
  guard: Guard
  kubernetes: Upstream
  plugins: readonly Plugin[]
  sessionCalls: SessionCalls
  origins: PublicOrigins
  clock: Clock
  accessLog: AccessLog
  pending: PendingResponses
  reviews: StreamReviews
  limits: { firstByteMs: number; pingMs: number; heartbeatMs: number; compressedSockets: number }
}

/** Shared by the websockets of one server. */
interface Shared extends SocketParts {
  acceptor: WebSocketServer
  compressors: Semaphore
}

/** The only subprotocol, of the cluster; others could carry a bearer token and thus another identity. */
const subprotocol = 'base64.binary.k8s.io'
const maxClientFrameBytes = 1024 * 1024
const maxUpstreamFrameBytes = 16 * 1024 * 1024
const maxRejectionBytes = 64 * 1024

/** `/wss/k8s/*`: websockets to the cluster and to plugins, as the signed-in user. Rejects those of other paths, and other upgrades there. */
export function proxySockets(server: Server, parts: SocketParts): void {
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxClientFrameBytes,
    perMessageDeflate: socketCompression,
    // The upstream has accepted it by then.
    handleProtocols: () => subprotocol,
  })
  const shared = { ...parts, acceptor, compressors: createSemaphore(parts.limits.compressedSockets) }
  server.on('upgrade', (request, socket, head) => {
    const parsed = parseGatewayRequest(request.method ?? '', localTarget(request.url ?? '', parts.origins.path))
    if (!parsed.route?.isSocket && !isWebsocket(request)) {
      return ignoreUpgrade(server, request, socket, head, parts.pending)
    }
    const requestId = randomUUID()
    const accessLog = parts.accessLog.startSocket(request, parsed.call, socket, requestId)
    // Without a listener a reset connection would end the process.
    socket.on('error', () => socket.destroy())
    connect(request, parsed, socket, head, requestId, accessLog, shared).catch((error: unknown) => {
      const response = error instanceof HandshakeRejected ? error.response : toHttpResponse(toHttpError(error))
      writeHttpResponse(socket, { ...response, headers: { ...response.headers, 'x-request-id': requestId } })
      accessLog.rejected(response.statusCode, error)
    })
  })
}

const isWebsocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** The upstream's response instead of switching protocols; passed on unchanged. */
class HandshakeRejected extends Error {
  readonly response: HttpResponse
  constructor(response: HttpResponse) {
    super(`the upstream responded with ${response.statusCode}`)
    this.response = response
  }
}

/** Resolves once both ends are joined. */
async function connect(
  request: IncomingMessage,
  parsed: GatewayRequest,
  socket: Duplex,
  head: Buffer,
  requestId: string,
  accessLog: SocketLog,
  parts: Shared,
): Promise<void> {
  const { acceptor, compressors, guard, sessionCalls, reviews, clock, limits } = parts
  const route = checkHandshake(request, parsed, parts.origins)
  // A plugin sends its own, which say that the plugin itself is alive.
  const { target, isRequested: hasHeartbeat } =
    route.upstream === 'kubernetes' ? parseHeartbeat(route.target) : { target: route.target, isRequested: false }
  const session = await guard.readSession(request)
  // Browsers always send the origin of a websocket; a program with a bearer token has none.
  if (request.headers.origin === undefined && session.via !== 'bearer') throw foreignSocket()
  checkProtocols(request, route)
  const filter = watchFilter(target)
  const upstream = route.upstream === 'kubernetes' ? parts.kubernetes : await pluginFor('GET', route, parts.plugins)

  // The ends are joined later; until then, openEnd watches for the end of the session or the client.
  const sender = { caller: session, requestId, trace: accessLog.trace }
  const end = await openEnd(request, socket, upstream, filter?.target ?? target, sender, parts)
  let joined: JoinedSockets | undefined
  acceptor.handleUpgrade(request, socket, head, (client) => {
    joined = joinSockets(client, end, {
      clock,
      pingMs: limits.pingMs,
      heartbeatMs: hasHeartbeat ? limits.heartbeatMs : Infinity,
      compressors,
      compressionThresholdBytes: minCompressedBytes,
      isWatch: target.request.verb === 'watch',
      projectors: filter?.createProjectors(true) ?? [],
    })
    const release = sessionCalls.open(session, (reason) => joined?.end(reason))
    const stopReviews = reviews.add(session, streamPermissions(route), () => joined?.end('forbidden'))
    accessLog.opened(session.identity.user)
    client.once('close', (code) => {
      release()
      stopReviews()
      accessLog.closed(code)
    })
  })
  if (joined) return
  // The handshake itself was malformed, and the acceptor has responded.
  end.terminate()
  accessLog.rejected(400, undefined)
}

/** @returns where it leads. @throws HttpError for a handshake that must not get there */
function checkHandshake(request: IncomingMessage, { error, route }: GatewayRequest, origins: PublicOrigins): Route {
  checkVersion(request)
  checkHeaders(request.rawHeaders)
  if (error) throw error
  if (!route?.isSocket) throw notFound()
  const { upstream, target } = route
  if (request.method !== 'GET' || !isWebsocket(request)) {
    throw badRequest('Only upgrades to websocket are supported.')
  }
  if (!origins.isOurHost(request.headers.host)) throw badRequest('The Host header does not name this gateway.')
  // Browsers send cookies with handshakes from any site, and the same-origin policy does not cover websockets.
  const { origin } = request.headers
  if (origin !== undefined && !origins.isOurs(origin)) throw foreignSocket()
  if (upstream === 'kubernetes') {
    checkKubernetesPath(target)
    if (isNamespaceList(target)) rejectWatch(target)
  }
  return route
}

/** @throws HttpError 400 for a mask or for Secrets on a websocket that is not a watch */
function watchFilter(target: ApiTarget): ResponseFilter | undefined {
  const filter = responseFilter(target, undefined)
  if (filter && !filter.isWatch) {
    const what = filter.hidesValues ? 'Secrets are' : 'fieldMask is'
    throw badRequest(`On websockets, ${what} only supported for watches.`)
  }
  return filter
}

const foreignSocket = () => new HttpError(403, 'Websockets must be opened by a page of this gateway.')

const offeredProtocols = (request: IncomingMessage): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

function checkProtocols(request: IncomingMessage, { upstream }: Route) {
  const offered = offeredProtocols(request)
  if (offered.length === 0) return
  if (upstream !== 'kubernetes') throw badRequest('The websocket must not have a subprotocol.')
  if (!offered.includes(subprotocol)) throw badRequest(`The websocket subprotocol must be ${subprotocol}.`)
}

type SocketSender = Sender & { caller: Session }

/** Opens the upstream's end and pauses it. @throws HttpError, or HandshakeRejected with the upstream's response */
async function openEnd(
  request: IncomingMessage,
  socket: Duplex,
  upstream: Upstream,
  target: ApiTarget,
  sender: SocketSender,
  { sessionCalls, clock, limits }: SocketParts,
): Promise<WebSocket> {
  const protocols = offeredProtocols(request).length > 0 ? [subprotocol] : []
  const { headers, tls } = await upstream.outgoing(sender, { received: request.headers, passedOn: passedOnBySocket })
  const { url, origin } = upstream.socket(`${target.path}${target.query}`)
  if (socket.destroyed) throw badRequest('The client disconnected.')
  const end = new WebSocket(url, protocols, {
    headers,
    origin,
    perMessageDeflate: false,
    maxPayload: maxUpstreamFrameBytes,
    ...tls,
  })
  return new Promise<WebSocket>((resolve, reject) => {
    const settle = (act: () => void) => {
      stopTimer()
      release()
      socket.off('close', onClientClose)
      act()
    }
    const fail = (error: unknown) => {
      settle(() => reject(error))
      // The error event caused by terminate() carries no information.
      end.on('error', () => {}).terminate()
    }
    const onClientClose = () => fail(badRequest('The client disconnected.'))
    const stopTimer = clock.after(limits.firstByteMs, () => fail(upstream.timedOut()))
    const release = sessionCalls.open(sender.caller, (reason) => fail(callEndError(reason)))
    socket.once('close', onClientClose)
    end.once('open', () => {
      // The first frames may arrive with the handshake, before there is a listener.
      end.pause()
      settle(() => resolve(end))
    })
    end.once('error', (error) => fail(upstream.unreachable(error)))
    end.once('unexpected-response', (_request, response: IncomingMessage) => {
      const { statusCode = 502 } = response
      const error = upstream.errorForStatus(statusCode)
      if (error) fail(error)
      // An object instead of a websocket, which must not be passed on unfiltered, as errors are.
      else if (statusCode < 300) fail(badRequest(`${upstream.name} does not open a websocket for this path.`))
      else readRejection(response).then(fail, (error: unknown) => fail(upstream.unreachable(error)))
    })
  })
}

async function readRejection(response: IncomingMessage): Promise<HandshakeRejected> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxRejectionBytes) throw new Error('the response is too long')
    chunks.push(chunk)
  }
  return new HandshakeRejected({
    statusCode: response.statusCode ?? 502,
    headers: headersForBrowser(response.headers),
    body: Buffer.concat(chunks),
  })
}
