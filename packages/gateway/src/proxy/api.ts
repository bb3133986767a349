import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import { responseFilter } from '../field-mask/filter'
import type { Limiter } from '../operations/limits'
import { isSameOrigin, type PublicOrigins } from '../origins'
import type { Route } from '../gateway-request'
import { badRequest, notFound, tooLarge } from '../http-error'
import { dataHeaders } from '../http-response'
import { whenEnded } from '../when-ended'
import type { Guard } from '../session/guard'
import type { Session } from '../session/sessions'
import { runReviews, isAccessReviewBatch, maxReviewBytes, parseReviews } from './access-reviews'
import { forwardResponse, type UpstreamResponse } from './response'
import { uncompressedRequestHeaders } from './compression'
import { checkKubernetesPath } from '../kubernetes-path'
import { isNamespaceList, rejectWatch, type NamespaceLister } from './namespaces'
import { streamPermissions } from './stream-permissions'
import type { StreamReviews } from './stream-reviews'
import { callEndError, type CallEnd, type SessionCalls } from '../session/session-calls'
import { endableWatch } from './watch-end'
import { passedOnByCall, type Sender } from '../upstreams/outgoing'
import type { Plugin } from '../upstreams/plugin'
import type { Upstream } from '../upstreams/upstream'
import { namesOf, pluginFor, pluginsHeader } from './plugins'

interface ApiParts {
  guard: Guard
  charge: Limiter['charge']
  kubernetes: Upstream
  plugins: readonly Plugin[]
  sessionCalls: SessionCalls
  reviews: StreamReviews
  namespaces: NamespaceLister
  origins: PublicOrigins
  clock: Clock
  limits: {
    bodyBytes: number
    /** How long the client of a response may read nothing of what is ready for it. */
    unreadMs: number
  }
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
type Method = typeof methods extends Set<infer M> ? M : never
const isMethod = (method: string): method is Method => (methods as ReadonlySet<string>).has(method)

/** Kubernetes' media types for JSON, YAML and protobuf, which a form on another site cannot send. */
const bodyTypes = /^application\/(?:(?:[\w.-]+\+)?(?:json|yaml)|vnd\.kubernetes\.protobuf)\s*(?:;|$)/i

/** `/api/k8s/*`: the cluster's API, as the signed-in user. */
export const apiRoutes = (parts: ApiParts): FastifyPluginAsync => {
  const { guard, kubernetes, plugins, namespaces, origins, clock, limits } = parts
  const { unreadMs } = limits
  return async (app) => {
    // Bodies are passed through unparsed.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.addHook('onRequest', async (_request, reply) => void reply.headers(dataHeaders))

    app.all('/api/k8s/*', {
      onRequest: async (request, reply) => {
        await guard.admit(request, reply)
        checkCall(request, origins, limits.bodyBytes)
      },
      handler: async (request, reply) => {
        // The guard admitted the request, so there is a session.
        const { session, parsed } = request
        const { route } = parsed
        if (!route || !session) throw notFound()
        const { target } = route
        if (route.upstream !== 'kubernetes') {
          void reply.header(pluginsHeader, namesOf(plugins))
          return forward(request, reply, session, route, await pluginFor(request.method, route, plugins), parts)
        }
        if (isAccessReviewBatch(request.method, target)) return handleReviewBatch(request, reply, session, parts)
        checkKubernetesPath(target)
        if (request.method === 'GET' && isNamespaceList(target)) {
          rejectWatch(target)
          const filter = responseFilter(target, request.headers.accept)
          const list = await namespaces.list(senderOf(request, session), target.query)
          return forwardResponse(request, reply, jsonResponse(list), { name: kubernetes.name, filter, unreadMs, clock })
        }
        return forward(request, reply, session, route, kubernetes, parts)
      },
    })
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Checks a call before its path is parsed. A write must come from one of our pages and carry a header and a content type
 * that a form on another site cannot send.
 */
function checkCall(request: FastifyRequest, origins: PublicOrigins, limitBytes: number): void {
  const { method, headers } = request
  if (!isMethod(method)) throw new HttpError(405, `The method ${method} is not allowed here.`)
  if (method === 'GET') {
    if (hasBody(request)) throw badRequest('A GET request must not have a body.')
    return
  }
  // A token is sent on purpose; a cookie, or the headers that a front proxy derives from one, is sent automatically.
  if (request.session?.via !== 'bearer') checkSameOrigin(headers, origins)
  if (!hasBody(request)) return
  if (!bodyTypes.test(headers['content-type'] ?? '')) {
    throw new HttpError(415, 'The content type of a write must be JSON, YAML or Kubernetes protobuf.')
  }
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

function checkSameOrigin(headers: FastifyRequest['headers'], origins: PublicOrigins): void {
  if (!isSameOrigin(headers, origins)) throw new HttpError(403, 'Writes must come from a page of this gateway.')
  if (headers['x-requested-with'] !== 'slipway') {
    throw new HttpError(403, 'A write needs the header X-Requested-With: slipway.')
  }
}

const senderOf = ({ id, trace }: FastifyRequest, caller: Session): Sender => ({
  caller,
  requestId: id,
  ...(trace && { trace: trace.headers }),
})

async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  route: Route,
  upstream: Upstream,
  { sessionCalls, reviews, clock, limits }: ApiParts,
): Promise<FastifyReply> {
  const { target } = route
  const filter = responseFilter(target, request.headers.accept)
  const upstreamTarget = filter?.target ?? target
  const stop = new AbortController()
  const { isStream } = request.parsed.call
  const watch = target.request.verb === 'watch' ? endableWatch() : undefined
  let hasBegun = false
  const end = (reason: CallEnd) => {
    const error = callEndError(reason)
    // Only a lasting end is worth an event: a client would start the watch again at once.
    if (reason !== 'forbidden' || !watch || !hasBegun) return stop.abort(error)
    whenEnded(reply.raw, () => stop.abort(error))
    watch.end(error.status)
  }
  const release = sessionCalls.open(session, end, isStream)
  const stopReviews = reviews.add(session, streamPermissions(route), () => end('forbidden'))
  // However the response ends, including by a disconnect of the browser, the call ends too. A complete response has ended
  // already, and creating an unused error costs 30 µs.
  whenEnded(reply.raw, () => {
    release()
    stopReviews()
    if (!reply.raw.writableFinished) stop.abort(badRequest('The client disconnected.'))
  })
  const response = await upstream.send({
    // checkCall accepted it.
    method: request.method as Method,
    path: `${upstreamTarget.path}${upstreamTarget.query}`,
    outgoing: await upstream.outgoing(senderOf(request, session), {
      received: request.headers,
      passedOn: passedOnByCall,
      headers: { ...uncompressedRequestHeaders(request.headers), ...(filter && { accept: filter.accept }) },
    }),
    // The content type parser above passes the stream itself.
    body: hasBody(request) ? limitBody(limits.bodyBytes, request.body as Readable) : undefined,
    stop,
  })
  // A stream lasts for as long as its client reads it: its span is the time until it starts.
  if (isStream) request.trace?.end(response.statusCode)
  hasBegun = isEventStream(response)
  return forwardResponse(request, reply, response, {
    name: upstream.name,
    filter,
    watch: hasBegun ? watch : undefined,
    unreadMs: limits.unreadMs,
    clock,
  })
}

/** Whether the body consists of events as lines of JSON: not of an error, and not in another format. */
const isEventStream = ({ statusCode, headers }: UpstreamResponse): boolean =>
  statusCode === 200 &&
  /^application\/json\b/i.test(headers['content-type'] ?? '') &&
  (headers['content-encoding'] ?? 'identity') === 'identity'

/** Makes one call per review, which also count for the limits; the response is a list in the same order. */
async function handleReviewBatch(
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  { kubernetes, charge }: ApiParts,
): Promise<FastifyReply> {
  if (!hasBody(request)) throw badRequest('A batch of reviews must have a body.')
  // The content type parser passes the stream itself.
  const reviews = await parseReviews(limitBody(maxReviewBytes, request.body as Readable))
  if (reviews.length > 1) charge(session, reviews.length - 1)
  const stop = new AbortController()
  whenEnded(reply.raw, () => {
    if (!reply.raw.writableFinished) stop.abort(badRequest('The client disconnected.'))
  })
  return reply.send(await runReviews(reviews, kubernetes, senderOf(request, session), stop))
}

function jsonResponse(value: object): UpstreamResponse {
  const body = Buffer.from(JSON.stringify(value))
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return { statusCode: 200, headers, body: Readable.from(piecesOf(body), { objectMode: false }) }
}

/** A client that reads slowly is seen to read by pieces. */
function* piecesOf(body: Buffer): Iterable<Buffer> {
  for (let start = 0; start < body.length; start += pieceBytes) yield body.subarray(start, start + pieceBytes)
}

const pieceBytes = 64 * 1024

const limitBody = (limitBytes: number, body: Readable): Readable =>
  Readable.from(chunksWithin(limitBytes, body), { objectMode: false })

async function* chunksWithin(limitBytes: number, body: Readable): AsyncIterable<Uint8Array> {
  let bytes = 0
  try {
    // Keeps the stream open on an error, or the connection would be destroyed before the response is sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > limitBytes) throw tooLarge(limitBytes)
      yield chunk
    }
  } finally {
    // An upstream may respond before it has read everything. The next request of the connection is behind the rest.
    body.resume()
  }
}
