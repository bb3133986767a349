import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import { every, steady, systemClock, type Clock } from '@slipway/kube/clock'
import { createAccessLog, loggedError } from './operations/access-log'
import { resolveSettings, type GatewayConfig, type Settings } from './config'
import { healthRoutes } from './health'
import { createDrain, type DrainOptions } from './operations/drain'
import { createMetrics } from './operations/metrics'
import { listenForMetrics, type MetricsListener } from './operations/metrics-listener'
import { reloadCertificates, loadSecureContext } from './operations/tls'
import { createLimiter, type Limiter } from './operations/limits'
import { localTarget, publicOrigins } from './origins'
import { apiRoutes } from './proxy/api'
import { checkHeaders } from './proxy/headers'
import { createGatewayLister, createAccessReviewLister } from './proxy/namespace-reviews'
import { createServiceLister } from './proxy/namespace-service'
import type { NamespaceLister } from './proxy/namespaces'
import { proxySockets } from './proxy/sockets'
import { createStreamReviews } from './proxy/stream-reviews'
import { createPendingResponses, type PendingResponses } from './pending-responses'
import { createPageRenderer } from './rendered-pages'
import { parseGatewayRequest } from './gateway-request'
import { toHttpResponse, writeHttpResponse } from './http-response'
import { badRequest, checkVersion, toHttpError } from './http-error'
import { addSecurityHeaders } from './security-headers'
import { createSessionCalls } from './session/session-calls'
import { createSignIn } from './session/sign-in'
import { serveSite } from './static'
import { createUpstreams, type Upstreams } from './upstreams/upstreams'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Ends all open websockets (with 1001), watches and followed logs at once. Clients may reopen them. Closing the
     * gateway starts with this; tests use it to prove that a client survives it.
     */
    closeStreams(): void
    /** Shuts down without failing a request, as in a rolling restart, and then closes the gateway. */
    drain(options?: DrainOptions): Promise<void>
    /** The port of `/metrics` once the gateway is ready; `undefined` if metrics are off. */
    metricsPort(): number | undefined
    /** Resolves once the gateway knows which plugins exist. Until then, calls to them wait. */
    pluginsProbed(): Promise<void>
  }
}

export interface GatewayDeps {
  clock?: Clock
  /** Process environment: passed to credential plugins, and read for the in-cluster API server address. */
  env?: NodeJS.ProcessEnv
}

/** How long pending requests may take once the gateway is closing. */
const closingMs = 1_000
const maxHeaderBytes = 16 * 1024
/** Longer than load balancers keep idle connections, so that none sends a request on one that is being closed. */
const keepAliveMs = 75_000

/**
 * Creates the gateway, ready to `listen(config)` or to be tested with `inject()`.
 * @throws ConfigError that says what to change in the configuration
 */
export async function createGateway(config: GatewayConfig, deps: GatewayDeps = {}): Promise<FastifyInstance> {
  const settings = resolveSettings(config)
  const { limits } = settings
  const clock = deps.clock ?? systemClock
  const tls = settings.tls && (await loadSecureContext(settings.tls))
  const pending = createPendingResponses()
  const app = createServer(config.log, settings, tls, pending)
  const log = app.log
  // The first hook, so that no response is missed.
  app.addHook('onRequest', async ({ raw }, reply) => pending.track(raw, reply.raw))
  if (settings.isPlainToNetwork) {
    log.warn(
      { host: settings.host },
      'serving plain HTTP to the network: session cookies and tokens can be read there unless something in front encrypts the connections',
    )
  }

  const origins = publicOrigins(listOrigins(app, settings), settings.publicPath)
  const sessionCalls = createSessionCalls()
  const upstreams = await createUpstreams({
    settings: settings.upstreams,
    firstByteMs: limits.firstByteMs,
    env: deps.env ?? process.env,
    clock,
    log,
  })
  const { kubernetes, plugins } = upstreams
  const signIn = createSignIn({
    settings,
    sessionCalls,
    origins,
    cluster: kubernetes,
    version: config.version,
    clock,
    log,
  })
  const steadyClock = steady(clock)
  const usage = createLimiter(limits, steadyClock)
  const guard = usage.limitGuard(signIn.guard)
  const metrics = createMetrics(() => usage.open, { withProcess: settings.metrics !== undefined })
  const drain = createDrain(app, { pending, sessionCalls, countCalls: () => usage.open.calls, clock })
  const reviews = createStreamReviews({ upstream: kubernetes, reviewMs: limits.reviewMs, clock: steadyClock })
  const namespaces = namespaceLister(upstreams, settings, usage.charge, steadyClock)

  await addSecurityHeaders(app, origins, settings.isStrictlyHttps)
  app.decorateRequest('session', undefined)
  const accessLog = createAccessLog(app, log, steadyClock, metrics)
  app.addHook('onRequest', async (request) => {
    checkVersion(request.raw)
    if (request.parsed.error) throw request.parsed.error
    checkHeaders(request.raw.rawHeaders)
    // Probes use the IP address and reveal nothing. On any other request a foreign host name means another site's page.
    const isProbe = request.url === '/health' || request.url === '/ready'
    if (!isProbe && !origins.isOurHost(request.headers.host))
      throw badRequest('The Host header does not name this gateway.')
  })
  app.setErrorHandler((error, request, reply) => {
    const httpError = toHttpError(error)
    if (!(error instanceof HttpError) && httpError.code >= 500) request.log.error({ err: error }, 'request failed')
    return reply
      .code(httpError.code)
      .headers({ 'cache-control': 'no-store', ...httpError.headers })
      .send(httpError.status)
  })

  await app.register(
    healthRoutes(
      [
        { name: kubernetes.name, check: kubernetes.checkReady },
        ...signIn.readyChecks,
        ...plugins.map(({ name, checkReady }) => ({ name, check: checkReady })),
      ],
      () => drain.isDraining,
      steadyClock,
    ),
  )
  await app.register(signIn.routes)
  await app.register(
    apiRoutes({
      guard,
      charge: usage.charge,
      kubernetes,
      plugins,
      sessionCalls,
      reviews,
      namespaces,
      origins,
      clock: steadyClock,
      limits,
    }),
  )
  const renderPage = createPageRenderer(app, {
    folder: settings.assets,
    renderMs: settings.renderMs,
    clock: steadyClock,
  })
  await serveSite(app, settings.assets, settings.publicPath, renderPage)
  proxySockets(app.server, {
    guard,
    kubernetes,
    plugins,
    sessionCalls,
    reviews,
    origins,
    clock,
    accessLog,
    pending,
    limits,
  })

  app.decorate('closeStreams', () => sessionCalls.endAll())
  app.decorate('drain', (options?: DrainOptions) => drain.drain(options))
  let metricsListener: MetricsListener | undefined
  app.decorate('metricsPort', () => metricsListener?.port)
  app.decorate('pluginsProbed', async () => {
    await Promise.all(plugins.map(({ probed }) => probed))
  })
  const stopTimers = [
    every(clock, limits.sweepMs, () => sessionCalls.endExpired(clock.now(), signIn.isSignedOut)),
    every(clock, limits.sweepMs, () => reviews.sweep()),
  ]
  if (settings.tls && tls && app.server instanceof HttpsServer) {
    stopTimers.push(reloadCertificates(app.server, settings.tls, tls, { clock, log }))
  }
  // Listens before the gateway does, so that a metrics port already in use fails the start.
  app.addHook('onReady', async () => {
    if (settings.metrics) metricsListener ??= await listenForMetrics(metrics, settings.metrics)
  })
  app.addHook('preClose', async () => {
    sessionCalls.endAll()
    // Browsers open connections before they need them, and those would keep the server open for a minute.
    stopTimers.push(clock.after(closingMs, () => app.server.closeAllConnections()))
  })
  app.addHook('onClose', async () => {
    for (const stop of stopTimers) stop()
    reviews.close()
    await metricsListener?.close()
    await signIn.close()
    await upstreams.close()
  })
  return app
}

function namespaceLister(
  upstreams: Upstreams,
  { upstreams: settings, limits }: Settings,
  charge: Limiter['charge'],
  clock: Clock,
): NamespaceLister {
  const { kubernetes, namespaceLister: lister } = upstreams
  const selector = settings.kubernetes.namespaceSelector
  if (lister) return createServiceLister(lister, selector)
  if (kubernetes.as === 'own') return createGatewayLister({ kubernetes, selector })
  return createAccessReviewLister({
    kubernetes,
    selector,
    cacheMs: limits.namespacesMs,
    // However many namespaces there are, a page can load beside their list.
    charge: (caller, reviews) => charge(caller, Math.min(reviews, Math.floor(limits.callBurst / 2))),
    clock,
  })
}

function createServer(
  log: FastifyBaseLogger | undefined,
  { limits, publicPath }: Settings,
  tls: SecureContextOptions | undefined,
  pending: PendingResponses,
): FastifyInstance {
  const options = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headersMs / 2),
    keepAliveTimeout: keepAliveMs,
    // The first hook rejects a request without a Host header, with a readable error.
    requireHostHeader: false,
  }
  return fastify({
    ...(log ? { loggerInstance: log.child({}, { serializers: { err: loggedError } }) } : { logger: false }),
    serverFactory: (handler) => {
      // The guard rejects clients without a certificate, with a readable error.
      const server = tls
        ? createHttpsServer({ ...options, ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: false })
        : createHttpServer(options)
      return server.on('request', handler)
    },
    // The access log writes one line per request, without the query.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    clientErrorHandler(error, socket) {
      // There is no client left to read a response.
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      pending.after(socket, () => writeHttpResponse(socket, toHttpResponse(parserError(error.code))))
    },
    // An ambiguous target must not reach the router: the first hook rejects it, by the original target.
    rewriteUrl(request) {
      const target = localTarget(request.url ?? '', publicPath)
      request.parsed = parseGatewayRequest(request.method ?? '', target)
      return request.parsed.error ? '/' : target
    },
  })
}

/** The error for a request that Node's parser rejected. */
function parserError(code: string): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, 'The request header is too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'The request was not received in time.')
  return badRequest('The request is not valid HTTP.')
}

/** The configured origins, or else those of loopback, with the server's actual port as soon as it listens. */
function listOrigins(app: FastifyInstance, { publicOrigins, host, port, isHttps }: Settings): () => readonly string[] {
  if (publicOrigins) return () => publicOrigins
  const names = new Set(['127.0.0.1', 'localhost', host.includes(':') ? `[${host}]` : host])
  const withPort = (actual: number) =>
    [...names].map((name) => new URL(`${isHttps ? 'https' : 'http'}://${name}:${actual}`).origin)
  const configured = withPort(port)
  let listening: string[] | undefined
  return () => {
    const address = listening ? undefined : app.server.address()
    if (address && typeof address === 'object') listening = withPort(address.port)
    return listening ?? configured
  }
}
