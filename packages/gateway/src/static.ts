import { sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './http-error'

/** Is a path never the site's? What is missing there is an error, not a page of the console. */
export const isReserved = (path: string): boolean => /^\/(api|wss|oauth2)([/?]|$)/.test(path)

/**
 * The built console. Files below `assets/` carry a hash of their content in their name and never change; everything
 * else is asked for again each time. A path that is no file is a page of the console, if a browser navigates to it.
 * @param folder of the built console, with `*.br` and `*.gz` beside the files; without it nothing is served
 */
export async function serveSite(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder !== undefined) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      allowedPath: (path) => !isReserved(path),
      setHeaders(reply, path) {
        const isHashed = path.includes(`${sep}assets${sep}`) && path.startsWith(folder)
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (folder !== undefined && isNavigation(request)) return reply.code(200).sendFile('index.html')
    throw notFound()
  })
}

function isNavigation({ method, originalUrl, headers }: FastifyRequest): boolean {
  const isPage = !isReserved(originalUrl) && !originalUrl.startsWith('/assets/')
  return isPage && (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html')
}
