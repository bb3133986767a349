import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { isReserved } from './static'
import type { PublicOrigins } from './origins'

/**
 * The headers on every response, including errors. Styles that React sets on elements need no exception: they go through
 * the object model, which the policy does not restrict.
 */
export async function addSecurityHeaders(app: FastifyInstance, origins: PublicOrigins, isStrictlyHttps: boolean) {
  const options: FastifyHelmetOptions = {
    // Helmet would rebuild a policy that contains the port for each response (25 µs); it is built once below.
    contentSecurityPolicy: false,
    // Not `no-referrer`: a form would then send `Origin: null`.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: isStrictlyHttps ? { maxAge: 31_536_000 } : false,
  }
  await app.register(helmet, options)
  let written: { sockets: readonly string[]; policy: string } | undefined
  app.addHook('onRequest', async (request, reply) => {
    // A shared machine must not store what one user may see, nor that there was nothing to see.
    if (isReserved(request.url)) reply.header('cache-control', 'no-store')
    const sockets = origins.sockets()
    if (written?.sockets !== sockets) written = { sockets, policy: contentSecurityPolicy(sockets) }
    reply.header('content-security-policy', written.policy)
  })
}

const contentSecurityPolicy = (sockets: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Used by the log search.
    "worker-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // PatternFly's style sheets use data: images for some icons.
    "img-src 'self' data:",
    `connect-src 'self' ${sockets.join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // These two places in the console are the only ones where text becomes HTML or a script URL.
    "require-trusted-types-for 'script'",
    'trusted-types dompurify slipway-worker',
  ].join(';')
