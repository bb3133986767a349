import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { createAccessLog, loggedError } from './access-log'
import { every, steady, systemClock, type Clock } from '@slipway/kube/clock'
import { settingsOf, type GatewayConfig, type Settings } from './config'
import { healthRoutes } from './health'
import { createDrain, type DrainOptions } from './operations/drain'
import { createMetrics } from './operations/metrics'
import { listenForMetrics, type MetricsListener } from './operations/metrics-listener'
import { followCertificates, secureContextOf } from './operations/tls'
import { createLimiter } from './operations/limits'
import { publicOrigins } from './origins'
import { apiRoutes } from './proxy/api'
import { checkHeaders } from './proxy/headers'
import { ownNamespaces, reviewedNamespaces } from './proxy/namespace-reviews'
import { servedNamespaces } from './proxy/namespace-service'
import type { NamespaceLister } from './proxy/namespaces'
import { proxySockets } from './proxy/sockets'
import { createStreams } from './proxy/streams'
import { responsesFirst } from './responses-first'
import { toHttpResponse, writeHttpResponse } from './http-response'
import { badRequest, checkVersion, HttpError, toHttpError } from './http-error'
import { addSecurityHeaders } from './security-headers'
import { createSignIn } from './session/sign-in'
import { serveSite } from './static'
import { parseTarget } from './target'
import { serviceAccountFolder } from './upstreams/connection'
import { createUpstreams, type Upstreams } from './upstreams/upstreams'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Ends every open websocket (1001), watch and followed log at once. Clients may open them again: closing the
     * gateway does this first, and it proves that a client survives it.
     */
    closeStreams(): void
    /** Leaves without a failed request, as in a rolling restart, and then closes. */
    drain(options?: DrainOptions): Promise<void>
    /** The port of `/metrics` once the gateway is ready; absent without one. */
    metricsPort(): number | undefined
  }
}

export interface GatewayDeps {
  clock?: Clock
  /** Of the process, for credential plugins and for what a pod is told. */
  env?: NodeJS.ProcessEnv
  serviceAccountFolder?: string
}

/** How long requests under way may take once the gateway is told to close. */
const closingMs = 1_000
const maxHeaderBytes = 16 * 1024
/** Longer than balancers keep theirs, so that none sends a call on a connection that is being closed. */
const keepAliveMs = 75_000

/**
 * The gateway, ready to `listen(config)` or to be tested with `inject()`.
 * @throws Error with one sentence that says what to change in the configuration
 */
export async function createGateway(config: GatewayConfig, deps: GatewayDeps = {}): Promise<FastifyInstance> {
  const settings = settingsOf(config)
  const { limits } = settings
  const clock = deps.clock ?? systemClock
  const tls = settings.tls && (await secureContextOf(settings.tls))
  const app = createServer(config.log, settings, tls)
  const log = app.log

  const origins = publicOrigins(originsOf(app, settings))
  const streams = createStreams()
  const upstreams = await createUpstreams({
    settings: settings.upstreams,
    firstByteMs: limits.firstByteMs,
    env: deps.env ?? process.env,
    serviceAccountFolder: deps.serviceAccountFolder ?? serviceAccountFolder,
    clock,
    log,
  })
  const { kubernetes } = upstreams
  const signIn = createSignIn({ settings, streams, origins, cluster: kubernetes, clock, log })
  const steadyClock = steady(clock)
  const usage = createLimiter(limits, steadyClock)
  const guard = usage.limited(signIn.guard)
  const metrics = createMetrics(() => usage.open, { withProcess: settings.metrics !== undefined })
  const drain = createDrain(app, streams, () => usage.open.calls, clock)
  const namespaces = namespaceLister(upstreams, settings, steadyClock)

  await addSecurityHeaders(app, origins, settings.isStrictlyHttps)
  app.decorateRequest('session', undefined)
  const accessLog = createAccessLog(app, log, steadyClock, metrics)
  app.addHook('onRequest', async (request) => {
    checkVersion(request.raw)
    parseTarget(request.originalUrl)
    checkHeaders(request.raw.rawHeaders)
    // Probes come by address, and learn nothing. For the rest a foreign name means a page of another site.
    const isProbe = request.originalUrl === '/health' || request.originalUrl === '/ready'
    if (!isProbe && !origins.isOurHost(request.headers.host)) throw badRequest('The host is not one of this gateway.')
  })
  app.setErrorHandler((error, request, reply) => {
    const refusal = toHttpError(error)
    if (!(error instanceof HttpError) && refusal.code >= 500) request.log.error({ err: error }, 'request failed')
    return reply
      .code(refusal.code)
      .headers({ 'cache-control': 'no-store', ...refusal.headers })
      .send(refusal.status)
  })

  await app.register(
    healthRoutes(
      [{ name: kubernetes.name, check: kubernetes.checkReady }, ...signIn.readyChecks],
      () => drain.isDraining,
      steadyClock,
    ),
  )
  await app.register(signIn.routes)
  await app.register(
    apiRoutes({ guard, charge: usage.charge, kubernetes, plugins: upstreams, streams, namespaces, origins, limits }),
  )
  await serveSite(app, settings.assets)
  proxySockets(app.server, { guard, upstream: kubernetes, streams, origins, clock, accessLog, limits })

  app.decorate('closeStreams', () => streams.endAll())
  app.decorate('drain', (options?: DrainOptions) => drain.drain(options))
  let metricsListener: MetricsListener | undefined
  app.decorate('metricsPort', () => metricsListener?.port)
  const stopTimers = [every(clock, limits.sweepMs, () => streams.endOver(clock.now(), signIn.isSignedOut))]
  if (settings.tls && tls && app.server instanceof HttpsServer) {
    stopTimers.push(followCertificates(app.server, settings.tls, tls, { clock, log }))
  }
  // Before the gateway listens itself, so that a port that is taken fails the start.
  app.addHook('onReady', async () => {
    if (settings.metrics) metricsListener ??= await listenForMetrics(metrics, settings.metrics)
  })
  app.addHook('preClose', async () => {
    streams.endAll()
    // Browsers open connections ahead of need, and those would keep the server for a minute.
    stopTimers.push(clock.after(closingMs, () => app.server.closeAllConnections()))
  })
  app.addHook('onClose', async () => {
    for (const stop of stopTimers) stop()
    await metricsListener?.close()
    await signIn.close()
    await upstreams.close()
  })
  return app
}

function namespaceLister(
  upstreams: Upstreams,
  { upstreams: settings, limits }: Settings,
  clock: Clock,
): NamespaceLister {
  const { kubernetes, namespaceLister: lister } = upstreams
  const selector = settings.kubernetes.namespaceSelector
  if (lister) return servedNamespaces(lister, selector)
  if (kubernetes.as === 'own') return ownNamespaces({ kubernetes, selector })
  return reviewedNamespaces({ kubernetes, selector, keepMs: limits.namespacesMs, clock })
}

function createServer(
  log: FastifyBaseLogger | undefined,
  { limits }: Settings,
  tls: SecureContextOptions | undefined,
): FastifyInstance {
  const options = {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headersMs / 2),
    keepAliveTimeout: keepAliveMs,
    // The first hook refuses a request without one, as a failure that can be read.
    requireHostHeader: false,
  }
  const answers = responsesFirst()
  return fastify({
    ...(log ? { loggerInstance: log.child({}, { serializers: { err: loggedError } }) } : { logger: false }),
    serverFactory: (handler) => {
      // Who shows no certificate is told so by the guard, as a failure that can be read.
      const server = tls
        ? createHttpsServer({ ...options, ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: false })
        : createHttpServer(options)
      return server.on('request', answers.follow).on('request', handler)
    },
    // One line per request is written by the audit, without the values of the query.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    clientErrorHandler(error, socket) {
      // Nobody is left to read an answer.
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      answers.after(socket, () => writeHttpResponse(socket, toHttpResponse(refusalOfParser(error.code))))
    },
    // What no reader agrees on must not reach the router: the first hook refuses it, by the target as it came.
    rewriteUrl(request) {
      const target = request.url ?? ''
      try {
        parseTarget(target)
        return target
      } catch {
        return '/'
      }
    },
  })
}

/** For what Node's parser gave up on before there was a request. */
function refusalOfParser(code: string): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpError(431, 'The request header is too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'The request did not come in time.')
  return badRequest('The request is no valid HTTP.')
}

/** Those that were configured, or else those of loopback: with the port of the server, as soon as it listens. */
function originsOf(app: FastifyInstance, { publicOrigins, host, port, isHttps }: Settings): () => readonly string[] {
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
