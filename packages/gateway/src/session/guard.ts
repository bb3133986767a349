import { fastifyCookie } from '@fastify/cookie'
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
  /** Reads the session and nothing else: for a websocket's handshake, and for who may be signed out. */
  sessionOf(cookieHeader: string | undefined): Promise<Session | undefined>
  /**
   * The session of a request that counts as activity: it is renewed, and so are its streams.
   * @throws Refusal 401, with the mark that means "sign in again"
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Session>
}

export function createGuard(sessions: Sessions, streams: Streams, cookieName: string): Guard {
  const sessionOf = async (header: string | undefined) =>
    sessions.read(header && fastifyCookie.parse(header)[cookieName])
  return {
    sessionOf,
    async admit(request, reply) {
      const session = await sessionOf(request.headers.cookie)
      if (!session) throw notSignedIn()
      const renewal = await sessions.renew(session)
      if (renewal) reply.header('set-cookie', renewal.cookie)
      request.session = renewal?.session ?? session
      streams.extend(request.session)
      return request.session
    },
  }
}
