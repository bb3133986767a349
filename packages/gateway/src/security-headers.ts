import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { isReserved } from './static'
import type { PublicOrigins } from './origins'

/**
 * The headers on every answer, errors included. Styles that React sets on elements need no exception: they go through
 * the object model, which the policy does not restrict.
 */
export async function addSecurityHeaders(app: FastifyInstance, origins: PublicOrigins, isStrictlyHttps: boolean) {
  const options: FastifyHelmetOptions = {
    // Helmet puts a policy that knows the port together again for each answer (25 µs): below it is done once.
    contentSecurityPolicy: false,
    // Not `no-referrer`: a form would then send `Origin: null`.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: isStrictlyHttps ? { maxAge: 31_536_000 } : false,
  }
  await app.register(helmet, options)
  let written: { sockets: readonly string[]; policy: string } | undefined
  app.addHook('onRequest', async (request, reply) => {
    // A shared machine must not retain what one user may see, or that there was nothing to see.
    if (isReserved(request.originalUrl)) reply.header('cache-control', 'no-store')
    const sockets = origins.sockets()
    if (written?.sockets !== sockets) written = { sockets, policy: contentSecurityPolicy(sockets) }
    reply.header('content-security-policy', written.policy)
  })
}

const contentSecurityPolicy = (sockets: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The search in logs.
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // PatternFly's style sheets draw some marks with data: images.
    "img-src 'self' data:",
    `connect-src 'self' ${sockets.join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // A text becomes HTML or the address of a script in these two places of the console only.
    "require-trusted-types-for 'script'",
    'trusted-types dompurify slipway-worker',
  ].join(';')
