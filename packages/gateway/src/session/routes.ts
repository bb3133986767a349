import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '@slipway/connect/http-error'
import { isSameOrigin, type PublicOrigins } from '../origins'
import type { SessionCalls } from './session-calls'
import { notFound } from '../http-error'
import type { SignInAttempts } from './sign-in-attempts'
import { documentStyles } from './document'
import type { Guard } from './guard'
import type { Identity } from './identity'
import { sendPage, styleSheet } from './page'
import type { Provider } from './provider'
import { causeChain, ProviderFailure } from './provider-failure'
import { returnPath } from './return-path'
import type { SessionRefresher } from './session-refresher'
import type { Sessions } from './sessions'
import { busyPage, expiredPage, failurePage, startPath } from './sign-in-failure'
import type { SignInLimits } from './sign-in-limits'

/** `/oauth2/userinfo` and `/oauth2/auth`: the signed-in user, for every way of signing in. */
export const identityRoutes = (guard: Guard, version: string | undefined): FastifyPluginAsync => {
  return async (app) => {
    app.get('/oauth2/userinfo', async (request, reply) => {
      const { identity } = await guard.admit(request, reply)
      if (version) reply.header('slipway-version', version)
      return { ...identity, email: identity.email || identity.user }
    })
    app.get('/oauth2/auth', async (request, reply) => {
      const { identity } = await guard.admit(request, reply)
      return reply.code(202).headers(authHeaders(identity)).send()
    })
  }
}

/** The headers that oauth2-proxy returns to a proxy that checks each request with it. */
const authHeaders = ({ user, email, preferredUsername, groups }: Identity): Record<string, string> => ({
  'x-auth-request-user': wire(user),
  'x-auth-request-email': wire(email),
  'x-auth-request-preferred-username': wire(preferredUsername),
  'x-auth-request-groups': wire(groups.join(',')),
})

/** Readers of these headers expect UTF-8; Node writes each character as one byte. */
const wire = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

interface SignInParts {
  sessions: Sessions
  starts: SignInLimits
  attempts: SignInAttempts
  provider: Provider
  refresher: Pick<SessionRefresher, 'revoke'>
  sessionCalls: SessionCalls
  origins: PublicOrigins
}

type Query = { Querystring: { rd?: string | string[]; state?: string | string[] } }

/** `/oauth2/*`: signing in and out with OpenID Connect. The paths are those of oauth2-proxy. */
export const signInRoutes = (parts: SignInParts): FastifyPluginAsync => {
  const { sessions, starts, attempts, provider, refresher, sessionCalls, origins } = parts
  const { path } = origins
  const readReturnPath = ({ query }: FastifyRequest<Query>) => returnPath([query.rd].flat()[0], path)
  return async (app) => {
    // None of our forms has a body; other bodies are not parsed.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16 * 1024 }, (_request, _body, done) => done(null))
    app.get(styleSheet, async (_request, reply) => {
      return reply.type('text/css; charset=utf-8').send(documentStyles)
    })
    app.get<Query>('/oauth2/sign_in', async (request, reply) =>
      reply.redirect(`${path}${startPath(readReturnPath(request))}`, 303),
    )
    app.get<Query>('/oauth2/start', async (request, reply) => {
      const returnTo = readReturnPath(request)
      const waitS = starts.start(request.raw)
      if (waitS > 0) {
        reply.header('retry-after', String(waitS)).header('refresh', `${waitS}; url=${path}${startPath(returnTo)}`)
        return sendPage(reply, busyPage(waitS, returnTo), path)
      }
      const { attempt, cookies } = await attempts.start(returnTo, request.headers.cookie)
      try {
        const url = await provider.authorizationUrl(attempt, `${publicUrlOf(request)}/oauth2/callback`)
        return reply.header('set-cookie', cookies).redirect(url.href, 303)
      } catch (error) {
        return sendFailure(request, reply, error, returnTo, path)
      }
    })
    app.get<Query>('/oauth2/callback', callback)
    app.get<Query>('/oauth2/sign_out', signOut)
    app.post<Query>('/oauth2/sign_out', signOut)

    async function callback(request: FastifyRequest<Query>, reply: FastifyReply) {
      const header = request.headers.cookie
      const { attempt, cookies } = await attempts.consume([request.query.state].flat()[0] ?? '', header)
      reply.header('set-cookie', cookies)
      if (!attempt) return sendPage(reply, expiredPage(), path)
      try {
        const { identity, tokens } = await provider.finishSignIn(
          new URL(`${publicUrlOf(request)}${request.url}`),
          attempt,
        )
        // Always a new id, so that only the user who just signed in knows it.
        const session = await sessions.start(identity, tokens, header)
        await endSession(header)
        return reply.header('set-cookie', session).redirect(returnPath(attempt.returnTo, path), 303)
      } catch (error) {
        return sendFailure(request, reply, error, attempt.returnTo, path)
      }
    }

    async function signOut(request: FastifyRequest<Query>, reply: FastifyReply) {
      // Without this check an image on any site could sign the user out.
      if (!isSameOrigin(request.headers, origins))
        throw new HttpError(403, 'Signing out from another site is not allowed.')
      const { cookie } = request.headers
      const idToken = await endSession(cookie)
      reply.header('set-cookie', sessions.remove(cookie))
      if (request.query.rd !== undefined) return reply.redirect(readReturnPath(request), 303)
      // A script handles the rest itself; a user who opened the URL is also signed out at the provider.
      if (request.headers['sec-fetch-mode'] !== 'navigate') return reply.code(204).send()
      const signIn = '/oauth2/sign_in'
      const endSessionUrl = await provider
        .endSessionUrl(idToken, `${publicUrlOf(request)}${signIn}`)
        .catch(() => undefined)
      return reply.redirect(endSessionUrl?.href ?? `${path}${signIn}`, 303)
    }

    /**
     * Ends the session of this cookie: for every copy of the cookie and every open stream, and revokes its refresh token at
     * the provider.
     * @returns the session's ID token
     */
    async function endSession(header: string | undefined): Promise<string | undefined> {
      const encrypted = await sessions.read(header)
      if (!encrypted) return undefined
      sessionCalls.endSession(encrypted.session.id)
      await sessions.end(encrypted)
      await refresher.revoke(encrypted)
      return encrypted.idToken
    }

    /** The URL below which this browser reaches the gateway, without a slash at its end. */
    function publicUrlOf(request: FastifyRequest): string {
      const origin = origins.originOf(request.headers.host)
      if (origin === undefined) throw notFound()
      return `${origin}${path}`
    }
  }
}

function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  returnTo: string,
  path: string,
): FastifyReply {
  const { kind } = error instanceof ProviderFailure ? error : { kind: undefined }
  if (kind === undefined && !(error instanceof HttpError)) request.log.error({ err: error }, 'sign-in failed')
  else request.log.warn({ kind, cause: causeChain(error) }, 'sign-in failed')
  return sendPage(reply, failurePage(error, returnTo), path)
}
