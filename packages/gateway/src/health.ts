import type { FastifyPluginAsync } from 'fastify'
import type { Upstream } from './proxy/upstream'

/** `/health`: this process answers. `/ready`: the cluster behind it does too. Both tell nothing else. */
export const healthRoutes = (upstream: Upstream): FastifyPluginAsync => {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    app.get('/health', async () => ({ status: 'ok' }))
    app.get('/ready', async () => {
      await upstream.asGateway('GET', '/version')
      return { status: 'ok' }
    })
  }
}
