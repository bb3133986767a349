import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import type { Streams } from '../proxy/streams'
import { notSignedIn, HttpError } from '../http-error'
import { bearerSession } from './bearer'
import { frontProxySession } from './front-proxy'
import { admission } from './identity'
import type { Provider } from './provider'
import type { SessionRefresher } from './session-refresher'
import type { Session, Sessions } from './sessions'
import type { FrontProxySettings } from './settings'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the guard has let the request pass. */
    session: Session | undefined
  }
}

/** Finds out who makes a request. */
export interface Guard {
  /**
   * Reads the session and nothing else: for a websocket's handshake, which can neither count as activity nor carry a
   * cookie back.
   * @throws Refusal 401, with the mark that means "sign in again" when nobody is signed in; 503 when nobody can say
   */
  sessionOf(request: IncomingMessage): Promise<Session>
  /**
   * The session of a request that counts as activity: it is renewed, and so are its streams.
   * @throws Refusal as above
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Session>
}

interface GuardParts {
  sessions: Sessions
  refresher: SessionRefresher
  streams: Streams
  /** Of OpenID Connect; absent behind a front proxy. */
  provider: Provider | undefined
  frontProxy: FrontProxySettings | undefined
  recheckMs: number
  allowedSystemNames: ReadonlySet<string>
  clock: Clock
}

export function createGuard(parts: GuardParts): Guard {
  const { sessions, refresher, streams, provider, frontProxy, recheckMs, allowedSystemNames, clock } = parts

  /** The session of a request that shows no cookie; nothing when it is for the cookie to say. */
  async function sessionWithoutCookie(request: IncomingMessage): Promise<Session | undefined> {
    if (frontProxy) return frontProxySession(request, frontProxy, recheckMs, clock) ?? nobody()
    const { authorization } = request.headers
    // Whoever shows a token means to be judged by it.
    return authorization !== undefined && provider ? bearerSession(authorization, provider, clock) : undefined
  }

  /** The rules for names hold for every session, also for one that began before they were changed. */
  function admitted(session: Session): Session {
    const found = admission(session.identity, allowedSystemNames)
    return 'problem' in found ? nobody() : { ...session, identity: found.identity }
  }

  return {
    async sessionOf(request) {
      const other = await sessionWithoutCookie(request)
      if (other) return admitted(other)
      const { session } = (await sessions.read(request.headers.cookie)) ?? nobody()
      // Its stream would end at once: the client makes a call first, which confirms the session.
      if (clock.now() >= session.streamsUntil)
        throw new HttpError(401, 'The session must be confirmed by a call first.')
      return admitted(session)
    },

    async admit(request, reply) {
      const other = await sessionWithoutCookie(request.raw)
      if (other) return (request.session = admitted(other))
      const encrypted = (await sessions.read(request.headers.cookie)) ?? nobody()
      const { session, cookies, refusal } = await refresher.advance(encrypted).catch((error: unknown) => {
        if (error instanceof HttpError && error.code === 401) {
          reply.header('set-cookie', sessions.remove(request.headers.cookie))
        }
        throw error
      })
      if (cookies) reply.header('set-cookie', cookies)
      if (refusal) throw refusal
      request.session = admitted(session)
      streams.extend(session)
      return request.session
    },
  }
}

function nobody(): never {
  throw notSignedIn()
}
