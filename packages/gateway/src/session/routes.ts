import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { identityOf, type LocalUser } from '../config'
import { isSameOrigin, type PublicOrigins } from '../origins'
import type { Streams } from '../proxy/streams'
import { badRequest, Refusal } from '../refusal'
import type { Guard } from './guard'
import { returnPath } from './return-path'
import type { Sessions } from './sessions'
import { signInPage, signInStyles } from './sign-in-page'

interface SessionParts {
  sessions: Sessions
  guard: Guard
  streams: Streams
  origins: PublicOrigins
  users: readonly LocalUser[]
}

/** `/oauth2/*`: signing in and out, and who is signed in. The paths are those of oauth2-proxy. */
export const sessionRoutes = ({ sessions, guard, streams, origins, users }: SessionParts): FastifyPluginAsync => {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, text, done) => done(null, new URLSearchParams(String(text))),
    )
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

    app.get('/oauth2/userinfo', async (request, reply) => (await guard.admit(request, reply)).identity)
    app.get('/oauth2/auth', async (request, reply) => {
      await guard.admit(request, reply)
      return reply.code(202).send()
    })

    app.get('/oauth2/sign_in.css', async (_request, reply) => {
      return reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(signInStyles)
    })
    app.get<{ Querystring: { rd?: string | string[] } }>('/oauth2/sign_in', async (request, reply) => {
      const { rd } = request.query
      return reply.type('text/html; charset=utf-8').send(signInPage(users, returnPath([rd].flat()[0])))
    })
    app.post('/oauth2/sign_in', async (request, reply) => {
      // Otherwise another site could sign its visitor in as somebody else.
      if (!isSameOrigin(request.headers, origins)) throw new Refusal(403, 'This sign-in comes from another site.')
      if (!(request.body instanceof URLSearchParams)) throw badRequest('The sign-in form is empty.')
      const form = request.body
      const user = users.find(({ email }) => email === form.get('user'))
      if (!user) throw badRequest('Nobody of that name can sign in here.')
      await endSession(request)
      reply.header('set-cookie', await sessions.start(identityOf(user)))
      return reply.redirect(returnPath(form.get('rd') ?? undefined), 303)
    })

    app.get('/oauth2/sign_out', signOut)
    app.post('/oauth2/sign_out', signOut)

    async function signOut(request: FastifyRequest, reply: FastifyReply) {
      // Otherwise an image on any site could sign the user out.
      if (!isSameOrigin(request.headers, origins)) throw new Refusal(403, 'This sign-out comes from another site.')
      reply.header('set-cookie', await endSession(request))
      // A script goes on by itself; a person who opened the address wants to see something.
      const isNavigation = request.headers['sec-fetch-mode'] === 'navigate'
      return isNavigation ? reply.redirect('/oauth2/sign_in', 303) : reply.code(204).send()
    }

    /** Whoever was signed in with this cookie no longer is, here and in every open stream. */
    async function endSession(request: FastifyRequest): Promise<string> {
      const session = await guard.sessionOf(request.headers.cookie)
      if (session) streams.endSession(session.id)
      return sessions.end(session)
    }
  }
}
