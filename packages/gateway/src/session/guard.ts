import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Streams } from '../proxy/streams'
import { notSignedIn } from '../refusal'
import type { Session, Sessions } from './sessions'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the guard has let the request pass. */
    session: Session | undefined
  }
}

/** Finds out who makes a request. */
export interface Guard {
  /** Reads the session and nothing else: for a websocket's handshake. */
  sessionOf(request: IncomingMessage): Promise<Session | undefined>
  /**
   * The session of a request that counts as activity: it is renewed, and so are its streams.
   * @throws Refusal 401, with the mark that means "sign in again"
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Session>
}

export function createGuard(sessions: Sessions, streams: Streams): Guard {
  return {
    sessionOf: async (request) => (await sessions.read(request.headers.cookie))?.session,
    async admit(request, reply) {
      const sealed = await sessions.read(request.headers.cookie)
      if (!sealed) throw notSignedIn()
      const renewal = sessions.isDueForRenewal(sealed.session) ? await sessions.renew(sealed) : undefined
      if (renewal) reply.header('set-cookie', renewal.cookies)
      request.session = renewal?.session ?? sealed.session
      streams.extend(request.session)
      return request.session
    },
  }
}
