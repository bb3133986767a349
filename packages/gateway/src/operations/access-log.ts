import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import type { HeaderSet } from '@slipway/connect/service'
import type { Clock } from '@slipway/kube/clock'
import { parseGatewayRequest, type ApiCall, type GatewayRequest } from '../gateway-request'
import type { Metrics } from './metrics'
import { startTrace, type RequestTrace } from './tracing'

/** One line per request: the user, the call and its outcome. Never a body, a cookie, a token or a query. */
export interface AccessLog {
  /** For connections that are upgraded from HTTP. */
  startSocket(request: IncomingMessage, call: ApiCall, socket: Duplex, requestId: string): SocketLog
}

export interface SocketLog {
  /** Headers that name the trace of the request. */
  trace: HeaderSet

  /** The handshake succeeded (101). */
  opened(user: string): void
  /** The websocket closed with this code; 1006 if the connection was lost. */
  closed(code: number): void
  /** The handshake failed. */
  rejected(status: number, error: unknown): void
}

declare module 'fastify' {
  interface FastifyRequest {
    parsed: GatewayRequest
    /** Bytes that the connection had sent before this request. */
    bytesBefore: number
    /** Of a call to an upstream. */
    trace: RequestTrace | undefined
    /** Time until the response head was sent. */
    firstByteMs: number | undefined
  }
}

export function createAccessLog(
  app: FastifyInstance,
  log: FastifyBaseLogger,
  clock: Clock,
  metrics: Metrics,
): AccessLog {
  app.decorateRequest('parsed')
  app.decorateRequest('bytesBefore', 0)
  app.decorateRequest('firstByteMs', undefined)
  app.decorateRequest('trace', undefined)
  app.addHook('onRequest', async (request, reply) => {
    request.parsed = request.raw.parsed ?? parseGatewayRequest(request.method, request.url)
    request.bytesBefore = bytesWritten(request.raw.socket)
    const { call } = request.parsed
    if (call.upstream) request.trace = startTrace(request.method, call, request.headers)
    reply.header('x-request-id', request.id)
    const { raw } = reply
    const writeHead = raw.writeHead.bind(raw)
    // Every response goes through here, including those that bypass Fastify. Both call signatures are passed on unchanged.
    raw.writeHead = ((...head: Parameters<typeof writeHead>) => {
      request.firstByteMs ??= Math.round(reply.elapsedTime)
      return writeHead(...head)
    }) as typeof writeHead
  })
  app.addHook('onError', async (request, _reply, error) => {
    if (error instanceof HttpError) metrics.recordRejection(request.parsed.call, error)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { call } = request.parsed
    const ms = Math.round(reply.elapsedTime)
    const { firstByteMs = ms } = request
    metrics.recordResponse(call, reply.statusCode, { firstByteMs, ms })
    request.trace?.end(reply.statusCode)
    if (pathOf(request.url) === '/oauth2/callback') metrics.recordSignIn(reply.statusCode === 303)
    const isProbe = call.upstream === undefined && /^\/(?:health|ready)$/.test(request.url)
    // Probes come every few seconds and are only interesting when they fail.
    log[isProbe && reply.statusCode < 400 ? 'debug' : 'info'](
      {
        who: request.session?.identity.user ?? null,
        ...describeCall(call, request.originalUrl),
        status: reply.statusCode,
        bytes: bytesWritten(request.raw.socket) - request.bytesBefore,
        ms,
        firstByteMs,
        requestId: request.id,
        ...(request.trace?.id && { traceId: request.trace.id }),
        ...(!reply.raw.writableFinished && { isCut: true }),
      },
      'request',
    )
  })
  return {
    startSocket(request, apiCall, socket, requestId) {
      const startedAt = clock.now()
      const call = { ...apiCall, isStream: true }
      const trace = startTrace('GET', call, request.headers)
      const write = (who: string | null, status: number, firstByteMs: number, rest: object) =>
        log.info(
          {
            who,
            ...describeCall(call, request.url ?? ''),
            status,
            bytes: bytesWritten(socket),
            ms: clock.now() - startedAt,
            firstByteMs,
            requestId,
            ...(trace.id && { traceId: trace.id }),
            ...rest,
          },
          'websocket',
        )
      let opened = { user: '', firstByteMs: 0 }
      return {
        trace: trace.headers,
        opened(user) {
          opened = { user, firstByteMs: clock.now() - startedAt }
          metrics.recordResponse(call, 101, { ...opened, ms: opened.firstByteMs })
          trace.end(101)
        },
        closed: (closeCode) => write(opened.user, 101, opened.firstByteMs, { closeCode }),
        rejected(status, error) {
          const ms = clock.now() - startedAt
          metrics.recordResponse(call, status, { firstByteMs: ms, ms })
          trace.end(status)
          if (error instanceof HttpError) metrics.recordRejection(call, error)
          write(null, status, ms, {})
        },
      }
    },
  }
}

/** Requests that name no resource are described by their path; for the others the fields say it all. */
const describeCall = ({ upstream, verb, resource, namespace, name }: ApiCall, target: string) => ({
  verb,
  ...(resource === undefined ? { path: pathOf(target).slice(0, maxPathLength) } : { resource, namespace, name }),
  ...(upstream && upstream !== 'kubernetes' && { plugin: upstream }),
})

const maxPathLength = 512

/** The path without the query: parameter names can be secrets just like their values. */
const pathOf = (target: string): string => target.split(/[?#]/, 1)[0] ?? ''

/** Bytes on the wire, including headers. A simulated connection, as in a test, has sent nothing. */
const bytesWritten = (socket: Duplex): number => (socket instanceof Socket ? socket.bytesWritten : 0)

/**
 * The loggable part of an error. Libraries attach everything they know to theirs, such as the claims of a token, so only
 * these fields are logged.
 */
export function loggedError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  return { type: name, message, stack, ...(typeof code === 'string' && { code }) }
}
