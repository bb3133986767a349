import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './http-error'
import { allowInline, readPreparedPages } from './prepared-pages'
import type { RenderPage } from './rendered-pages'

/** Whether the path never belongs to the site: if nothing is there, it is an error and not a page of the console. */
export const isReserved = (path: string): boolean => /^\/(api|wss|oauth2)([/?]|$)/.test(path)

/**
 * Serves the built console. Files below `assets/` have a content hash in their name and never change; everything else is
 * revalidated each time. Any other path is a page of the console if a browser navigates to it: the document that is
 * prepared for it, or else the one that all pages have in common. A prepared one is followed by what its user sees, if
 * that is known in time.
 * @param folder with the built console, including `*.br` and `*.gz` next to the files; without it nothing is served
 * @param path below which browsers see the site; empty at the root
 */
export async function serveSite(
  app: FastifyInstance,
  folder: string | undefined,
  path: string,
  renderPage: RenderPage,
): Promise<void> {
  const isBelowPath = folder !== undefined && path !== ''
  const findPrepared = folder === undefined ? undefined : await readPreparedPages(folder)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // Each handler that a page passes on its way here awaits its end, with two listeners: more than ten in all, no leak.
    reply.raw.setMaxListeners(mostListeners)
    const prepared = await findPrepared?.(request.url.replace(/\?.*/s, ''))
    if (prepared) {
      const rendered = prepared.parts && (await renderPage(request, reply))
      const policy = String(reply.getHeader('content-security-policy'))
      reply.header('content-security-policy', allowInline(policy, prepared.hashes, rendered?.nonce))
      if (prepared.parts && rendered) {
        const [before, after] = prepared.parts
        // They are what one user may see: nothing keeps them. The browser paints each while the next one is awaited.
        void reply.headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
        const pieces = [before, rendered.html, after].map(async (html) => pageBelow(path, await html))
        return sendCompressed(request, reply, pieces)
      }
    }
    if (!isBelowPath) return reply.sendFile(prepared?.file ?? 'index.html')
    const html = pageBelow(path, prepared?.html ?? (await readFile(join(folder, 'index.html'), 'utf8')))
    const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 24)}"`
    void reply.headers({ 'cache-control': 'no-cache', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return sendCompressed(request, reply, [html])
  }
  if (folder !== undefined) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      // The script that renders pages is for the gateway.
      allowedPath: (path) => !isReserved(path) && !path.startsWith('/server/'),
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

/** Sends the pieces of a page as they become known, in an encoding that the browser accepts. */
function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: readonly (string | Promise<string>)[],
): FastifyReply {
  void reply.header('vary', 'accept-encoding').type('text/html; charset=utf-8')
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = ['br', 'gzip'].find((each) => new RegExp(`\\b${each}\\b`).test(accepted))
  const write = async function* () {
    for (const piece of pieces) yield await piece
  }
  if (!encoding) return reply.send(Readable.from(write(), { objectMode: false }))
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : createGzip()
  void (async () => {
    for await (const html of write()) {
      compressor.write(html)
      compressor.flush()
    }
    compressor.end()
  })()
  return reply.header('content-encoding', encoding).send(compressor)
}

const mostListeners = 20

/** As small as gzip makes it, in less time. */
const brotliQuality = 4

/** The console's page with its URLs below a path, which it says so that the console can find everything else. */
const pageBelow = (path: string, html: string): string =>
  path === ''
    ? html
    : html.replaceAll(/ (href|src)="\/(?!\/)/g, ` $1="${path}/`).replace('<html', `<html data-path="${path}"`)

function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  const isPage = !isReserved(url) && !url.startsWith('/assets/')
  return isPage && (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html')
}
