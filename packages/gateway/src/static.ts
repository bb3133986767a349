import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './http-error'
import { allowInline, readPreparedPages } from './prepared-pages'

/** Whether the path never belongs to the site: if nothing is there, it is an error and not a page of the console. */
export const isReserved = (path: string): boolean => /^\/(api|wss|oauth2)([/?]|$)/.test(path)

/**
 * Serves the built console. Files below `assets/` have a content hash in their name and never change; everything else is
 * revalidated each time. Any other path is a page of the console if a browser navigates to it: the document that is
 * prepared for it, or else the one that all pages have in common.
 * @param folder with the built console, including `*.br` and `*.gz` next to the files; without it nothing is served
 * @param path below which browsers see the site; empty at the root
 */
export async function serveSite(app: FastifyInstance, folder: string | undefined, path: string): Promise<void> {
  const isBelowPath = folder !== undefined && path !== ''
  const findPrepared = folder === undefined ? undefined : await readPreparedPages(folder)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const prepared = await findPrepared?.(request.url.replace(/\?.*/s, ''))
    if (prepared) {
      const policy = String(reply.getHeader('content-security-policy'))
      reply.header('content-security-policy', allowInline(policy, prepared.hashes))
    }
    if (!isBelowPath) return reply.sendFile(prepared?.file ?? 'index.html')
    const html = prepared?.html ?? (await readFile(join(folder, 'index.html'), 'utf8'))
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(pageBelow(path, html))
  }
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
  // The wildcard of the files would send the page as it was built.
  if (folder !== undefined) app.get('/', sendPage)
  if (isBelowPath) app.get('/index.html', sendPage)
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    if (folder !== undefined && isNavigation(request)) return sendPage(request, reply.code(200))
    throw notFound()
  })
}

/** The console's page with its URLs below a path, which it says so that the console can find everything else. */
const pageBelow = (path: string, html: string): string =>
  html.replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${path}/`).replace('<html', `<html data-path="${path}"`)

function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  const isPage = !isReserved(url) && !url.startsWith('/assets/')
  return isPage && (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html')
}
