import { sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './http-error'

/** Whether the path never belongs to the site: if nothing is there, it is an error and not a page of the console. */
export const isReserved = (path: string): boolean => /^\/(api|wss|oauth2)([/?]|$)/.test(path)

/**
 * Serves the built console. Files below `assets/` have a content hash in their name and never change; everything else is
 * revalidated each time. Any other path is a page of the console if a browser navigates to it.
 * @param folder with the built console, including `*.br` and `*.gz` next to the files; without it nothing is served
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
