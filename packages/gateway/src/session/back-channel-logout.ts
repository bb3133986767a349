import type { FastifyBaseLogger, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import type { Clock } from '@slipway/kube/clock'
import { notFound } from '../http-error'
import type { Provider } from './provider'
import { causeChain } from './provider-failure'
import type { Sessions } from './sessions'

interface BackChannelLogoutParts {
  sessions: Pick<Sessions, 'endAtProvider'>
  provider: Pick<Provider, 'hasBackChannelLogout' | 'verifyLogoutToken'>
  /** Ends the streams of sessions that have ended. */
  endStreams(): void
  clock: Clock
  log: FastifyBaseLogger
}

/** How much the clock of the provider may be behind. */
const toleranceMs = 30_000
const maxBodyBytes = 16 * 1024

/**
 * `POST /oauth2/backchannel_logout`: the provider says that it has ended a session, or all sessions of a user. There is no
 * cookie: the signature of the logout token is the only proof. OpenID Connect Back-Channel Logout 1.0.
 */
export const backChannelLogoutRoutes = (parts: BackChannelLogoutParts): FastifyPluginAsync => {
  const { sessions, provider, endStreams, clock, log } = parts
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBodyBytes },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    app.post('/oauth2/backchannel_logout', logOut)
  }

  async function logOut({ body }: FastifyRequest, reply: FastifyReply) {
    const [token, ...others] = body instanceof URLSearchParams ? body.getAll('logout_token') : []
    try {
      if (!(await provider.hasBackChannelLogout())) throw notFound()
      if (token === undefined || others.length > 0) throw new Error('there must be exactly one logout_token')
      const { sub: subject, sid, iat } = await provider.verifyLogoutToken(token)
      // A token that is sent again later must not end what the user has started since.
      const startedBy = Math.min(clock.now(), iat * 1000 + toleranceMs)
      await sessions.endAtProvider({ subject, sid, startedBy })
      endStreams()
      log.info({ subject, isWholeUser: sid === undefined }, 'the provider ended sessions')
    } catch (error) {
      if (error instanceof HttpError) throw error
      log.warn({ cause: causeChain(error) }, 'could not log out by the back channel')
      // Section 2.8: 400 whatever the reason, and no response may be cached.
      throw new HttpError(400, 'The logout token was not accepted.')
    }
    return reply.header('cache-control', 'no-store').send()
  }
}
