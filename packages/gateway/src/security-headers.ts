import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { PublicOrigins } from './origins'

/**
 * The headers on every answer, errors included. Styles that React sets on elements need no exception: they go through
 * the object model, which the policy does not restrict.
 */
export async function addSecurityHeaders(app: FastifyInstance, origins: PublicOrigins, isStrictlyHttps: boolean) {
  const options: FastifyHelmetOptions = {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // PatternFly's style sheets draw some marks with data: images.
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", () => origins.sockets().join(' ')],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    // Not `no-referrer`: a form would then send `Origin: null`.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: isStrictlyHttps ? { maxAge: 31_536_000 } : false,
  }
  await app.register(helmet, options)
}
