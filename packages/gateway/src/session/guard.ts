import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import type { SessionCalls } from './session-calls'
import { notSignedIn } from '../http-error'
import { bearerSession, invalidToken } from './bearer'
import { frontProxySession } from './front-proxy'
import { checkAdmission } from './identity'
import type { Provider } from './provider'
import type { SessionRefresher } from './session-refresher'
import type { Session, Sessions } from './sessions'
import type { FrontProxySettings } from './settings'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the guard has admitted the request. */
    session: Session | undefined
  }
}

/** Authenticates requests. */
export interface Guard {
  /**
   * Only reads the session: for a websocket handshake, which neither counts as activity nor can set a cookie.
   * @throws HttpError 401, with the header that means "sign in again" if no user is signed in; 503 if that is unknown
   */
  readSession(request: IncomingMessage): Promise<Session>
  /**
   * The session of a request that counts as activity: the session and its streams are renewed.
   * @throws HttpError as above
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<Session>
}

interface GuardParts {
  sessions: Sessions
  refresher: SessionRefresher
  sessionCalls: SessionCalls
  /** The OpenID Connect provider; absent behind a front proxy. */
  provider: Provider | undefined
  frontProxy: FrontProxySettings | undefined
  recheckMs: number
  allowedSystemNames: ReadonlySet<string>
  clock: Clock
}

export function createGuard(parts: GuardParts): Guard {
  const { sessions, refresher, sessionCalls, provider, frontProxy, recheckMs, allowedSystemNames, clock } = parts

  /** The session of a request that authenticates without a cookie; `undefined` if the cookie decides. */
  async function sessionWithoutCookie(request: IncomingMessage): Promise<Session | undefined> {
    if (frontProxy) return frontProxySession(request, frontProxy, recheckMs, clock) ?? rejectAsSignedOut()
    const { authorization } = request.headers
    // A bearer token takes precedence over a cookie.
    if (authorization === undefined || !provider) return undefined
    const session = await bearerSession(authorization, provider, clock)
    if (sessions.hasEnded(session)) throw invalidToken()
    return session
  }

  /** The rules for names apply to every session, including one that started before they changed. */
  function withAdmittedIdentity(session: Session): Session {
    const found = checkAdmission(session.identity, allowedSystemNames)
    return 'error' in found ? rejectAsSignedOut() : { ...session, identity: found.identity }
  }

  return {
    async readSession(request) {
      const withoutCookie = await sessionWithoutCookie(request)
      if (withoutCookie) return withAdmittedIdentity(withoutCookie)
      const { session } = (await sessions.read(request.headers.cookie)) ?? rejectAsSignedOut()
      // Its stream would end at once: the client must make a call first, which confirms the session.
      if (clock.now() >= session.streamsUntil)
        throw new HttpError(401, 'The session must be confirmed by an HTTP call first.')
      return withAdmittedIdentity(session)
    },

    async admit(request, reply) {
      const withoutCookie = await sessionWithoutCookie(request.raw)
      if (withoutCookie) return (request.session = withAdmittedIdentity(withoutCookie))
      const encrypted = (await sessions.read(request.headers.cookie)) ?? rejectAsSignedOut()
      const { session, cookies, error } = await refresher.refresh(encrypted).catch((cause: unknown) => {
        if (cause instanceof HttpError && cause.code === 401) {
          reply.header('set-cookie', sessions.remove(request.headers.cookie))
        }
        throw cause
      })
      if (cookies) reply.header('set-cookie', cookies)
      if (error) throw error
      request.session = withAdmittedIdentity(session)
      sessionCalls.extend(session)
      return request.session
    },
  }
}

function rejectAsSignedOut(): never {
  throw notSignedIn()
}
