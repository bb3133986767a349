import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { assets } from '../fixtures'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * The console as static hosting and a proxy for the API serve it: one document for all pages, no batches of reviews and
 * no service for views. Behind it is our gateway, for the session.
 */
export async function startPlainSite(gatewayUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const gateway = new URL(gatewayUrl)
  const forward = ({ url, method, headers }: IncomingMessage) =>
    sendRequest({
      host: gateway.hostname,
      port: gateway.port,
      path: url,
      method,
      headers: { ...headers, host: gateway.host, ...(headers.origin && { origin: gateway.origin }) },
    })
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/s, '')
    if (isMissing(path)) return void response.writeHead(404).end()
    if (!/^\/(?:api|oauth2)\//.test(path)) return void sendFile(path)
    const outer = forward(request)
    outer.on('response', (inner) => inner.pipe(response.writeHead(inner.statusCode ?? 502, inner.rawHeaders)))
    outer.on('error', () => response.destroy())
    response.on('close', () => outer.destroy())
    request.pipe(outer)

    async function sendFile(wanted: string) {
      const file = extname(wanted) === '' ? '/index.html' : normalize(wanted)
      const isFixed = file.startsWith('/assets/')
      const compressed = await readFile(join(assets, `${file}.br`)).catch(() => undefined)
      const content = compressed ?? (await readFile(join(assets, file)).catch(() => undefined))
      if (!content) return response.writeHead(404).end()
      response.writeHead(200, {
        'cache-control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        ...(compressed && { 'content-encoding': 'br' }),
      })
      return response.end(content)
    }
  })
  server.on('upgrade', (request, socket, head) => {
    if (isMissing((request.url ?? '').replace('/wss/', '/api/'))) return void socket.destroy()
    const outer = forward(request)
    outer.on('error', () => socket.destroy())
    outer.on('response', () => socket.destroy())
    outer.on('upgrade', ({ rawHeaders }, inner, first) => {
      const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
      socket.write(first)
      inner.write(head)
      socket.pipe(inner).pipe(socket)
      socket.on('error', () => inner.destroy()).on('close', () => inner.destroy())
      inner.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    })
    outer.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // Cookies do not depend on the port, so a session of the gateway is one of this site. It listens on a port.
    url: `http://${gateway.hostname}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** What only our gateway and its cluster have. */
const isMissing = (path: string): boolean => /^\/api\/k8s\/(?:access-reviews$|plugins\/views\/)/.test(path)
