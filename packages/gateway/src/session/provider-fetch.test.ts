import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { providerFetch, type ProviderFetch } from './provider-fetch'

let server: Server
let call: ProviderFetch
/** @returns the URL of a provider that responds like this */
async function start(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  call = providerFetch(undefined)
  // Listening on a port, so the address is an object.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
afterEach(async () => {
  await call.close()
  server.close()
  server.closeAllConnections()
})

const mebibyte = 1024 * 1024

describe('the body of a response of the provider', () => {
  it.each([
    ['as it is', false],
    ['compressed to a thousandth', true],
  ])('is read up to 1 MiB: 64 MiB, %s', async (_, isCompressed) => {
    let writtenBytes = 0
    const url = await start((_request, response) => {
      response.writeHead(200, isCompressed ? { 'content-encoding': 'gzip' } : {})
      const gzip = createGzip({ level: 1 })
      if (isCompressed) gzip.pipe(response)
      const body = isCompressed ? gzip : response
      const write = () => {
        while (writtenBytes < 64 * mebibyte && !response.destroyed) {
          writtenBytes += mebibyte
          if (!body.write(Buffer.alloc(mebibyte, ' '))) return void body.once('drain', write)
        }
        body.end()
      }
      write()
    })
    const response = await call(url)
    await expect(response.text()).rejects.toThrow('larger than 1048576 bytes')
  })

  it('keeps its status, headers and bytes below that', async () => {
    const url = await start((request, response) => {
      if (request.url === '/none') response.writeHead(204).end()
      else response.writeHead(302, { location: '/none', 'content-type': 'text/plain' }).end('x'.repeat(mebibyte))
    })
    const moved = await call(url)
    expect([moved.status, moved.headers.get('location'), moved.headers.get('content-type')]).toEqual([
      302,
      '/none',
      'text/plain',
    ])
    expect(await moved.text()).toHaveLength(mebibyte)
    expect((await call(`${url}none`)).status).toBe(204)
  })
})
