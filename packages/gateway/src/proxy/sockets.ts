import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { AccessLog, SocketLog } from '../access-log'
import type { Clock } from '@slipway/kube/clock'
import type { Limits } from '../config'
import { createProjector } from '../field-mask/projector'
import { maskedRequest, type MaskedRequest } from '../field-mask/request'
import type { PublicOrigins } from '../origins'
import { toHttpResponse, writeHttpResponse, type HttpResponse } from '../http-response'
import { badRequest, checkVersion, notFound, HttpError, toHttpError } from '../http-error'
import type { Guard } from '../session/guard'
import type { Session } from '../session/sessions'
import { parseTarget, targetUnder, type Target } from '../target'
import { createSemaphore, isSecret, minCompressedBytes, socketCompression, type Semaphore } from './compression'
import { checkHeaders, headersForBrowser } from './headers'
import { heartbeatOf } from './heartbeat'
import { checkKubernetesPath } from './kubernetes-path'
import { isNamespaceList, refuseWatch } from './namespaces'
import { joinSockets, type JoinedSockets } from './socket-pair'
import { refusalAtEnd, type Streams } from './streams'
import type { UserUpstream } from '../upstreams/upstream'

interface SocketParts {
  guard: Guard
  upstream: UserUpstream
  streams: Streams
  origins: PublicOrigins
  clock: Clock
  accessLog: AccessLog
  limits: Pick<Limits, 'firstByteMs' | 'pingMs' | 'heartbeatMs' | 'compressedSockets'>
}

/** What the websockets of one server share. */
interface Shared extends SocketParts {
  acceptor: WebSocketServer
  compressors: Semaphore
}

/** The only one spoken; others could carry a bearer token, and with it another identity. */
const subprotocol = 'base64.binary.k8s.io'
const maxClientFrameBytes = 1024 * 1024
const maxUpstreamFrameBytes = 16 * 1024 * 1024
const maxRefusalBytes = 64 * 1024

/** `/wss/k8s/*`: websockets to the cluster, as the signed-in user. Every upgrade of this server comes through here. */
export function proxySockets(server: Server, parts: SocketParts): void {
  const acceptor = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxClientFrameBytes,
    perMessageDeflate: socketCompression,
    // The upstream has agreed to it by then.
    handleProtocols: () => subprotocol,
  })
  const shared = { ...parts, acceptor, compressors: createSemaphore(parts.limits.compressedSockets) }
  server.on('upgrade', (request, socket, head) => {
    const requestId = randomUUID()
    const accessLog = parts.accessLog.begin(request, socket, requestId)
    // Without a listener a reset connection would end the process.
    socket.on('error', () => socket.destroy())
    connect(request, socket, head, requestId, accessLog, shared).catch((error: unknown) => {
      const answer = error instanceof UpstreamAnswer ? error.answer : toHttpResponse(toHttpError(error))
      writeHttpResponse(socket, { ...answer, headers: { ...answer.headers, 'x-request-id': requestId } })
      accessLog.refused(answer.statusCode, error)
    })
  })
}

/** What the upstream said instead of switching protocols; passed on as it is. */
class UpstreamAnswer extends Error {
  readonly answer: HttpResponse
  constructor(answer: HttpResponse) {
    super(`the upstream answered ${answer.statusCode}`)
    this.answer = answer
  }
}

/** Resolves once both ends are joined. */
async function connect(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  requestId: string,
  accessLog: SocketLog,
  parts: Shared,
): Promise<void> {
  const { acceptor, compressors, guard, streams, clock, limits } = parts
  const { target, isWanted: wantsBeats } = heartbeatOf(checkedTarget(request, parts.origins))
  const session = await guard.sessionOf(request)
  // Browsers always tell the origin of a websocket; a program that shows a token has none.
  if (request.headers.origin === undefined && session.via !== 'bearer') throw foreignSocket()
  checkOffer(request)
  const masked = maskedWatch(target)

  // Joined later; until then the end of the session or of the client is noticed by these.
  const upstream = await openUpstream(request, socket, masked?.target ?? target, session, requestId, parts)
  let joined: JoinedSockets | undefined
  acceptor.handleUpgrade(request, socket, head, (client) => {
    joined = joinSockets(client, upstream, {
      clock,
      pingMs: limits.pingMs,
      heartbeatMs: wantsBeats ? limits.heartbeatMs : Infinity,
      compressors,
      compressedFromBytes: isSecret(target) ? Infinity : minCompressedBytes,
      projector: masked && createProjector(masked.mask, 'event'),
    })
    const release = streams.open(session, (why) => joined?.end(why))
    accessLog.opened(session.identity.user)
    client.once('close', (code) => {
      release()
      accessLog.closed(code)
    })
  })
  if (joined) return
  // The handshake itself was wrong; the acceptor has answered.
  upstream.terminate()
  accessLog.refused(400, undefined)
}

function checkedTarget(request: IncomingMessage, origins: PublicOrigins): Target {
  checkVersion(request)
  checkHeaders(request.rawHeaders)
  const target = targetUnder('/wss/k8s', parseTarget(request.url ?? ''))
  if (!target) throw notFound()
  if (request.method !== 'GET' || request.headers.upgrade?.toLowerCase() !== 'websocket') {
    throw badRequest('Only websockets are upgraded to.')
  }
  if (!origins.isOurHost(request.headers.host)) throw badRequest('The host is not one of this gateway.')
  // Cookies travel with handshakes from any site, and the same-origin policy does not cover websockets.
  const { origin } = request.headers
  if (origin !== undefined && !origins.isOurs(origin)) throw foreignSocket()
  checkKubernetesPath(target.segments)
  if (isNamespaceList(target)) refuseWatch(target.query)
  return target
}

/** @throws Refusal 400 for a mask on what sends no events */
function maskedWatch(target: Target): MaskedRequest | undefined {
  const masked = maskedRequest('GET', target, undefined)
  if (masked && masked.layout !== 'watch') throw badRequest('fieldMask goes with websockets that watch.')
  return masked
}

const foreignSocket = () => new HttpError(403, 'This websocket does not come from a page of this gateway.')

const offeredBy = (request: IncomingMessage): string[] =>
  (request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

function checkOffer(request: IncomingMessage) {
  const offered = offeredBy(request)
  if (offered.length > 0 && !offered.includes(subprotocol)) {
    throw badRequest(`The websocket subprotocol must be ${subprotocol}.`)
  }
}

/** The upstream's end, open and paused. @throws Refusal, or the UpstreamResponse that refused */
async function openUpstream(
  request: IncomingMessage,
  socket: Duplex,
  target: Target,
  session: Session,
  requestId: string,
  { upstream, streams, clock, limits }: SocketParts,
): Promise<WebSocket> {
  const userAgent = request.headers['user-agent']
  const protocols = offeredBy(request).length > 0 ? [subprotocol] : []
  const [identity, { url, origin, tls }] = await Promise.all([
    upstream.headersAs(session, requestId),
    upstream.socket(`${target.path}${target.query}`),
  ])
  if (socket.destroyed) throw badRequest('The client went away.')
  const end = new WebSocket(url, protocols, {
    headers: { ...identity, ...(userAgent && { 'user-agent': userAgent }) },
    origin,
    perMessageDeflate: false,
    maxPayload: maxUpstreamFrameBytes,
    ...tls,
  })
  return new Promise<WebSocket>((resolve, reject) => {
    const settle = (act: () => void) => {
      stopTimer()
      release()
      socket.off('close', onClientGone)
      act()
    }
    const fail = (error: unknown) => {
      settle(() => reject(error))
      // Its last error event says only that it was ended.
      end.on('error', () => {}).terminate()
    }
    const onClientGone = () => fail(badRequest('The client went away.'))
    const stopTimer = clock.after(limits.firstByteMs, () => fail(upstream.timedOut()))
    const release = streams.open(session, (why) => fail(refusalAtEnd(why)))
    socket.once('close', onClientGone)
    end.once('open', () => {
      // Its first frames may come with the handshake, before anybody listens.
      end.pause()
      settle(() => resolve(end))
    })
    end.once('error', (error) => fail(upstream.unreachable(error)))
    end.once('unexpected-response', (_request, response: IncomingMessage) => {
      const refusal = upstream.refusalFor(response.statusCode ?? 502)
      if (refusal) fail(refusal)
      else readAnswer(response).then(fail, (error: unknown) => fail(upstream.unreachable(error)))
    })
  })
}

async function readAnswer(response: IncomingMessage): Promise<UpstreamAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxRefusalBytes) throw new Error('the refusal is too long')
    chunks.push(chunk)
  }
  return new UpstreamAnswer({
    statusCode: response.statusCode ?? 502,
    headers: headersForBrowser(response.headers),
    body: Buffer.concat(chunks),
  })
}
