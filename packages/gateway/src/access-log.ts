import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import { apiCallOf, type ApiCall } from './operations/api-call'
import type { Metrics } from './operations/metrics'
import { HttpError } from './http-error'

/** One line for each request: who did what, and what came of it. Never a body, a cookie, a token or a query. */
export interface AccessLog {
  /** For connections that leave HTTP. */
  begin(request: IncomingMessage, socket: Duplex, requestId: string): SocketLog
}

export interface SocketLog {
  /** The handshake was answered with 101. */
  opened(user: string): void
  /** It ended with this close code; 1006 when it broke off. */
  closed(code: number): void
  /** The handshake failed. */
  refused(status: number, error: unknown): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Read once, before anything else is known of it. */
    apiCall: ApiCall
    /** What its connection had sent before this request. */
    bytesBefore: number
    /** Time until the head of its answer left. */
    firstByteMs: number | undefined
  }
}

export function createAccessLog(
  app: FastifyInstance,
  log: FastifyBaseLogger,
  clock: Clock,
  metrics: Metrics,
): AccessLog {
  app.decorateRequest('apiCall')
  app.decorateRequest('bytesBefore', 0)
  app.decorateRequest('firstByteMs', undefined)
  app.addHook('onRequest', async (request, reply) => {
    request.apiCall = apiCallOf(request.method, request.originalUrl)
    request.bytesBefore = bytesWritten(request.raw.socket)
    reply.header('x-request-id', request.id)
    const { raw } = reply
    const writeHead = raw.writeHead.bind(raw)
    // Every answer comes through here, also those that pass by Fastify. The two ways to call it are passed on as they are.
    raw.writeHead = ((...head: Parameters<typeof writeHead>) => {
      request.firstByteMs ??= Math.round(reply.elapsedTime)
      return writeHead(...head)
    }) as typeof writeHead
  })
  app.addHook('onError', async (request, _reply, error) => {
    if (error instanceof HttpError) metrics.refused(request.apiCall, error)
  })
  app.addHook('onResponse', async (request, reply) => {
    const call = request.apiCall
    const ms = Math.round(reply.elapsedTime)
    const { firstByteMs = ms } = request
    metrics.answered(call, reply.statusCode, { firstByteMs, ms })
    if (pathOf(request.originalUrl) === '/oauth2/callback') metrics.signedIn(reply.statusCode === 303)
    const isProbe = call.upstream === undefined && /^\/(?:health|ready)$/.test(request.originalUrl)
    // Probes come every few seconds, and say something only when they fail.
    log[isProbe && reply.statusCode < 400 ? 'debug' : 'info'](
      {
        who: request.session?.identity.user ?? null,
        ...described(call, request.originalUrl),
        status: reply.statusCode,
        bytes: bytesWritten(request.raw.socket) - request.bytesBefore,
        ms,
        firstByteMs,
        requestId: request.id,
        ...(!reply.raw.writableFinished && { isCut: true }),
      },
      'request',
    )
  })
  return {
    begin(request, socket, requestId) {
      const startedAt = clock.now()
      const call = { ...apiCallOf(request.method ?? '', request.url ?? ''), isStream: true }
      const write = (who: string | null, status: number, firstByteMs: number, rest: object) =>
        log.info(
          {
            who,
            ...described(call, request.url ?? ''),
            status,
            bytes: bytesWritten(socket),
            ms: clock.now() - startedAt,
            firstByteMs,
            requestId,
            ...rest,
          },
          'websocket',
        )
      let opened = { user: '', firstByteMs: 0 }
      return {
        opened(user) {
          opened = { user, firstByteMs: clock.now() - startedAt }
          metrics.answered(call, 101, { ...opened, ms: opened.firstByteMs })
        },
        closed: (closeCode) => write(opened.user, 101, opened.firstByteMs, { closeCode }),
        refused(status, error) {
          const ms = clock.now() - startedAt
          metrics.answered(call, status, { firstByteMs: ms, ms })
          if (error instanceof HttpError) metrics.refused(call, error)
          write(null, status, ms, {})
        },
      }
    },
  }
}

/** For a request about no object the path says what it is; for others it is left out, since it is all in the fields. */
const described = ({ upstream, verb, resource, namespace, name }: ApiCall, target: string) => ({
  verb,
  ...(resource === undefined ? { path: pathOf(target).slice(0, maxPathLength) } : { resource, namespace, name }),
  ...(upstream && upstream !== 'kubernetes' && { plugin: upstream }),
})

const maxPathLength = 512

/** Without the query, whose names could be secrets as much as its values. */
const pathOf = (target: string): string => target.split(/[?#]/, 1)[0] ?? ''

/** On the wire, headers included. A connection that was never real, as in a test, has sent nothing. */
const bytesWritten = (socket: Duplex): number => (socket instanceof Socket ? socket.bytesWritten : 0)

/**
 * What a log tells of an error. Libraries put all they know on theirs, such as the claims of a token: only these
 * fields are let through.
 */
export function loggedError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  return { type: name, message, stack, ...(typeof code === 'string' && { code }) }
}
