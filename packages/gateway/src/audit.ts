import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from '@slipway/kube/clock'

/** One line for each request: who did what, and what came of it. Never a body, a cookie, a token or a query's value. */
export interface Audit {
  /** For connections that leave HTTP; to be called with the outcome when they end. */
  begin(request: IncomingMessage, socket: Duplex, requestId: string): (outcome: Outcome) => void
}

interface Outcome {
  /** Absent where nobody was admitted. */
  user?: string
  status: number
  error?: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What its connection had sent before this request. */
    bytesBefore: number
  }
}

export function createAudit(app: FastifyInstance, log: FastifyBaseLogger, clock: Clock): Audit {
  app.decorateRequest('bytesBefore', 0)
  app.addHook('onRequest', async (request, reply) => {
    request.bytesBefore = bytesWritten(request.raw.socket)
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        who: request.session?.identity.user ?? null,
        verb: request.method,
        path: withoutValues(request.originalUrl),
        status: reply.statusCode,
        bytes: bytesWritten(request.raw.socket) - request.bytesBefore,
        ms: Math.round(reply.elapsedTime),
        requestId: request.id,
      },
      'request',
    )
  })
  return {
    begin(request, socket, requestId) {
      const startedAt = clock.now()
      return ({ user, status, error }) =>
        log.info(
          {
            who: user ?? null,
            verb: 'CONNECT',
            path: withoutValues(request.url ?? ''),
            status,
            bytes: bytesWritten(socket),
            ms: clock.now() - startedAt,
            requestId,
            ...(error instanceof Error && { cause: error.message }),
          },
          'websocket',
        )
    },
  }
}

/** On the wire, headers included. A connection that was never real, as in a test, has sent nothing. */
const bytesWritten = (socket: Duplex): number => (socket instanceof Socket ? socket.bytesWritten : 0)

/** The path and the names of the query's parameters: their values may be secrets. */
export function withoutValues(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const names = target
    .slice(mark + 1)
    .split('&')
    .map((pair) => pair.split('=', 1)[0])
  return `${target.slice(0, mark)}?${names.join('&')}`
}
