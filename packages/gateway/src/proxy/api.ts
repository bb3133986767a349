import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Limits } from '../config'
import { maskedRequest } from '../field-mask/request'
import type { Limiter } from '../operations/limits'
import { isSameOrigin, type PublicOrigins } from '../origins'
import { badRequest, notFound, HttpError, tooLarge } from '../http-error'
import type { Guard } from '../session/guard'
import type { Session } from '../session/sessions'
import { parseTarget, targetUnder, type Target } from '../target'
import { answerReviews, isAccessReviewBatch, maxReviewBytes, reviewsIn } from './access-reviews'
import { forwardResponse, type UpstreamResponse } from './response'
import { unencoded } from './compression'
import { headersForUpstream } from './headers'
import { checkKubernetesPath } from './kubernetes-path'
import { isNamespaceList, refuseWatch, type NamespaceLister } from './namespaces'
import { refusalAtEnd, type Streams } from './streams'
import type { UserUpstream } from '../upstreams/upstream'
import { isPluginTarget, pluginFor, type Plugins } from './plugins'

interface ApiParts {
  guard: Guard
  charge: Limiter['charge']
  kubernetes: UserUpstream
  plugins: Plugins
  streams: Streams
  namespaces: NamespaceLister
  origins: PublicOrigins
  limits: Pick<Limits, 'bodyBytes'>
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
type Method = typeof methods extends Set<infer M> ? M : never
const isMethod = (method: string): method is Method => (methods as ReadonlySet<string>).has(method)

/** JSON, YAML and protobuf in all the spellings of Kubernetes: no type that a form of another site could send. */
const bodyTypes = /^application\/(?:(?:[\w.-]+\+)?(?:json|yaml)|vnd\.kubernetes\.protobuf)\s*(?:;|$)/i

/** A cluster's answers are data: a browser that opens one must run and frame nothing of it, and keep no copy. */
const answerHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

/** `/api/k8s/*`: the cluster's API, as the signed-in user. */
export const apiRoutes = (parts: ApiParts): FastifyPluginAsync => {
  const { guard, kubernetes, plugins, namespaces, origins, limits } = parts
  return async (app) => {
    // Bodies pass through unread.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.addHook('onRequest', async (_request, reply) => void reply.headers(answerHeaders))

    app.all('/api/k8s/*', {
      onRequest: async (request, reply) => {
        await guard.admit(request, reply)
        checkCall(request, origins, limits.bodyBytes)
      },
      handler: async (request, reply) => {
        const target = targetUnder('/api/k8s', parseTarget(request.originalUrl))
        // The guard has let it pass, so there is a session.
        const session = request.session
        if (!target || !session) throw notFound()
        if (isPluginTarget(target)) {
          const { plugin, target: inner } = await pluginFor(request.method, target, plugins)
          return forward(request, reply, session, inner, plugin, parts)
        }
        if (isAccessReviewBatch(request.method, target)) return answerReviewBatch(request, reply, session, parts)
        checkKubernetesPath(target.segments)
        if (request.method === 'GET' && isNamespaceList(target)) {
          refuseWatch(target.query)
          const masked = maskedRequest('GET', target, request.headers.accept)
          const list = await namespaces.list(session, target.query, request.id)
          return forwardResponse(request, reply, jsonAnswer(list), { name: kubernetes.name, target, masked })
        }
        return forward(request, reply, session, target, kubernetes, parts)
      },
    })
  }
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * The rules for a call before its path is looked at. A write must come from a page of ours and carry a header and a
 * content type that a form of another site cannot send.
 */
function checkCall(request: FastifyRequest, origins: PublicOrigins, limitBytes: number): void {
  const { method, headers } = request
  if (!isMethod(method)) throw new HttpError(405, `The method ${method} is not allowed here.`)
  if (method === 'GET') {
    if (hasBody(request)) throw badRequest('A GET request has no body.')
    return
  }
  // A token is shown on purpose; a cookie, or what a front proxy makes of one, comes along by itself.
  if (request.session?.via !== 'bearer') checkOwnPage(headers, origins)
  if (!hasBody(request)) return
  if (!bodyTypes.test(headers['content-type'] ?? '')) {
    throw new HttpError(415, 'The content type of a write must be JSON, YAML or Kubernetes protobuf.')
  }
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

function checkOwnPage(headers: FastifyRequest['headers'], origins: PublicOrigins): void {
  if (!isSameOrigin(headers, origins)) throw new HttpError(403, 'This write does not come from a page of this gateway.')
  if (headers['x-requested-with'] !== 'slipway') {
    throw new HttpError(403, 'A write needs the header X-Requested-With: slipway.')
  }
}

async function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  target: Target,
  upstream: UserUpstream,
  { streams, limits }: ApiParts,
): Promise<FastifyReply> {
  const masked = maskedRequest(request.method, target, request.headers.accept)
  const asked = masked?.target ?? target
  const stop = new AbortController()
  const release = streams.open(session, (why) => stop.abort(refusalAtEnd(why)), request.apiCall.isStream)
  // Whichever way the answer ends, the browser's going away included, so does the call. One that was sent whole has
  // ended already, and an error that nobody sees costs 30 µs.
  reply.raw.once('close', () => {
    release()
    if (!reply.raw.writableFinished) stop.abort(badRequest('The client went away.'))
  })
  const answer = await upstream.send({
    // checkCall let it pass.
    method: request.method as Method,
    path: `${asked.path}${asked.query}`,
    headers: {
      ...headersForUpstream(request.headers),
      ...unencoded(request.headers),
      ...(masked && { accept: 'application/json' }),
      ...(await upstream.headersAs(session, request.id)),
    },
    // The content type parser above hands over the stream itself.
    body: hasBody(request) ? limitedTo(limits.bodyBytes, request.body as Readable) : undefined,
    stop,
  })
  return forwardResponse(request, reply, answer, { name: upstream.name, target: asked, masked })
}

/** As many calls as it has reviews, for the limits too; its answer is a list in their order. */
async function answerReviewBatch(
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  { kubernetes, charge }: ApiParts,
): Promise<FastifyReply> {
  if (!hasBody(request)) throw badRequest('A bundle of reviews has a body.')
  // The content type parser hands over the stream itself.
  const reviews = await reviewsIn(limitedTo(maxReviewBytes, request.body as Readable))
  if (reviews.length > 1) charge(session, reviews.length - 1)
  const stop = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) stop.abort(badRequest('The client went away.'))
  })
  const headers = await kubernetes.headersAs(session, request.id)
  return reply.send(await answerReviews(reviews, kubernetes, headers, stop))
}

function jsonAnswer(value: object): UpstreamResponse {
  const body = Buffer.from(JSON.stringify(value))
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  return { statusCode: 200, headers, body: Readable.from([body]) }
}

const limitedTo = (limitBytes: number, body: Readable): Readable =>
  Readable.from(chunksWithin(limitBytes, body), { objectMode: false })

async function* chunksWithin(limitBytes: number, body: Readable): AsyncIterable<Uint8Array> {
  let bytes = 0
  // The stream must outlive a refusal, or the connection would die before the answer is out.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > limitBytes) throw tooLarge(limitBytes)
    yield chunk
  }
}
