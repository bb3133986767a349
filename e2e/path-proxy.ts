import { once } from 'node:events'
import { createServer, request as sendRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site with the console below one of its paths, and a page of its own everywhere else. */
export interface PathProxy {
  /** Without a slash at its end. */
  url: string
  /** Paths that were requested outside the console, which its pages never should. */
  strays: string[]
  close(): Promise<void>
}

interface PathProxyOptions {
  path: string
  /** Whether the gateway gets requests without the path, as from many ingresses. */
  isStripped: boolean
  /** Port of the gateway; called for each request, since it may not be known earlier. */
  port: () => number
}

export async function startPathProxy({ path, isStripped, port }: PathProxyOptions): Promise<PathProxy> {
  const strays: string[] = []
  const forwarded = ({ url = '', method, headers }: IncomingMessage) => {
    if (url !== path && !url.startsWith(`${path}/`)) return undefined
    const target = isStripped ? url.slice(path.length) || '/' : url
    return sendRequest({ host: '127.0.0.1', port: port(), path: target, method, headers })
  }
  const server = createServer((request, response) => {
    const outer = forwarded(request)
    if (!outer) {
      strays.push(request.url ?? '')
      response.writeHead(404).end('another site')
      return
    }
    outer.on('response', (inner) => inner.pipe(response.writeHead(inner.statusCode ?? 502, inner.rawHeaders)))
    outer.on('error', () => response.destroy())
    response.on('close', () => outer.destroy())
    request.pipe(outer)
  })
  server.on('upgrade', (request, socket, head) => {
    const outer = forwarded(request)
    if (!outer) return void socket.destroy()
    outer.on('error', () => socket.destroy())
    outer.on('response', () => socket.destroy())
    outer.on('upgrade', (response, inner, first) => {
      const { rawHeaders } = response
      const lines = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []))
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'))
      socket.write(first)
      inner.write(head)
      socket.pipe(inner).pipe(socket)
      for (const [one, other] of [
        [socket, inner],
        [inner, socket],
      ] as const) {
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
    })
    outer.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // Listening on a port, so the address is an object.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    strays,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
