import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isSameOrigin, type PublicOrigins } from '../origins'
import type { Streams } from '../proxy/streams'
import { Refusal } from '../refusal'
import type { Guard } from './guard'
import type { Sessions } from './sessions'

interface SessionParts {
  sessions: Sessions
  guard: Guard
  streams: Streams
  origins: PublicOrigins
}

/** `/oauth2/*`: signing in and out, and who is signed in. The paths are those of oauth2-proxy. */
export const sessionRoutes = ({ sessions, guard, streams, origins }: SessionParts): FastifyPluginAsync => {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

    app.get('/oauth2/userinfo', async (request, reply) => (await guard.admit(request, reply)).identity)
    app.get('/oauth2/auth', async (request, reply) => {
      await guard.admit(request, reply)
      return reply.code(202).send()
    })
    app.get('/oauth2/sign_out', signOut)
    app.post('/oauth2/sign_out', signOut)

    async function signOut(request: FastifyRequest, reply: FastifyReply) {
      // Otherwise an image on any site could sign the user out.
      if (!isSameOrigin(request.headers, origins)) throw new Refusal(403, 'This sign-out comes from another site.')
      const sealed = await sessions.read(request.headers.cookie)
      if (sealed) {
        streams.endSession(sealed.session.id)
        await sessions.end(sealed)
      }
      reply.header('set-cookie', sessions.remove(request.headers.cookie))
      // A script goes on by itself; a person who opened the address wants to see something.
      const isNavigation = request.headers['sec-fetch-mode'] === 'navigate'
      return isNavigation ? reply.redirect('/oauth2/sign_in', 303) : reply.code(204).send()
    }
  }
}
