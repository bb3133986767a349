import { once } from 'node:events'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen, type Listener } from '../src/node'
import { memoryStorage } from '../src/storage/memory'
import { apiOf } from './api-client'

const certificate = selfSignedCertificate(['127.0.0.1', 'localhost'], new Date())
let server: ApiServer
let listener: Listener
beforeEach(async () => {
  server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (token) => (token === 't' ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  listener = await listen(server, { host: '127.0.0.1', port: 0, certificate })
})
afterEach(async () => {
  await listener.close()
  await server.close()
})

it('speaks HTTP and TLS on one port, with a certificate that clients accept', async () => {
  expect((await fetch(`${listener.url}/version`)).status).toBe(200)
  for (const host of ['127.0.0.1', 'localhost']) {
    const outgoing = secureRequest({
      host: '127.0.0.1',
      port: listener.port,
      path: '/version',
      ca: certificate.cert,
      servername: host === 'localhost' ? host : '',
    })
    outgoing.end()
    // What `once` resolves to is what the event carries.
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(200)
  }
})

it('tells how long the answer about an object is, in bytes', async () => {
  const path = `${listener.url}/api/v1/namespaces/default/configmaps`
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }
  const body = JSON.stringify({ metadata: { name: 'names' }, data: { name: 'Zoë 🚢' } })
  for (const response of [
    await fetch(path, { method: 'POST', headers, body }),
    await fetch(`${path}/names`, { headers }),
    await fetch(`${path}/missing`, { headers }),
  ]) {
    const length = (await response.arrayBuffer()).byteLength
    expect(response.headers.get('content-length')).toBe(String(length))
  }
})

it('answers the next request of a connection whose last body was not read', async () => {
  const { call } = apiOf({ url: listener.url, token: 'wrong' })
  const big = { body: 'x'.repeat(2_000_000) }
  expect((await call('POST', '/api/v1/namespaces', big)).code).toBe(401)
  expect((await call('GET', '/version')).code).toBe(401)
})

it('ends watches, websockets and silent connections when it is closed', async () => {
  const api = apiOf({ url: listener.url, token: 't' })
  const events = await api.watch('/api/v1/pods?watch=true')
  const socket = await api.socket('/api/v1/pods?watch=true')
  const silent = connect(listener.port, '127.0.0.1')
  await once(silent, 'connect')
  const startedMs = performance.now()
  const ended = [events.next().catch(() => undefined), socket.next(), once(silent, 'close')]
  await listener.close()
  await Promise.all(ended)
  // Sooner than by the limits on silent connections, and late enough for a busy machine.
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})
