import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { configFor, signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'
import { createGateway } from '../app'

let gateway: ListeningGateway
afterEach(() => gateway?.close())

const metricsOf = async ({ app }: ListeningGateway) => {
  const response = await fetch(`http://127.0.0.1:${app.metricsPort()}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  return response.text()
}

it('metrics count requests by kind and contain no user, path or object', async () => {
  gateway = await startListeningGateway({ metrics: { port: 0 } })
  const { app, host, origin } = gateway
  const cookie = await signIn(app)
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { host, cookie, ...headers } })
  await get('/api/k8s/api/v1/namespaces/secret-place/pods/secret-name')
  await get('/api/k8s/api/v1/pods', { cookie: '' })
  await app.inject({ method: 'OPTIONS', url: '/api/k8s/api/v1/pods', headers: { host, cookie } })
  await get('/oauth2/callback?code=x&state=y')
  gateway.upstream.respond = (_request, response) => response.destroy()
  await get('/api/k8s/api/v1/pods')
  const socket = new WebSocket(`ws://${host}/wss/k8s/api/v1/pods?watch=true`, { headers: { cookie, origin } })
  await once(socket, 'open')

  const text = await metricsOf(gateway)
  expect(text).toContain('slipway_gateway_request_seconds_count{verb="get",upstream="kubernetes",status="2xx"} 1')
  expect(text).toContain('slipway_gateway_request_seconds_count{verb="list",upstream="kubernetes",status="4xx"} 1')
  expect(text).toContain('slipway_gateway_request_seconds_count{verb="watch",upstream="kubernetes",status="1xx"} 1')
  expect(text).toContain('slipway_gateway_refused_total{reason="Unauthorized"} 1')
  expect(text).toContain('slipway_gateway_upstream_failures_total{upstream="kubernetes",code="502"} 1')
  expect(text).toContain('slipway_gateway_sign_ins_total{outcome="failure"} 1')
  expect(text).toContain('slipway_gateway_open_sockets 1')
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(text).toMatch(/^process_resident_memory_bytes /m)
  expect(text).not.toMatch(/secret-|slipway\.test|options/i)
  socket.terminate()
  await expect.poll(() => metricsOf(gateway)).toContain('slipway_gateway_open_sockets 0')
})

it('the metrics address serves nothing else, and users cannot read metrics', async () => {
  gateway = await startListeningGateway({ metrics: { port: 0 } })
  expect((await fetch(`http://127.0.0.1:${gateway.app.metricsPort()}/`)).status).toBe(404)
  const headers = { host: gateway.host }
  expect((await gateway.app.inject({ url: '/metrics', headers })).body).not.toContain('slipway_gateway')
})

it('metrics beyond loopback are rejected unless explicitly confirmed', async () => {
  gateway = await startListeningGateway()
  const config = (isOpenToNetwork: boolean) => ({
    ...configFor(gateway.upstream.url),
    metrics: { host: '0.0.0.0', port: 0, isOpenToNetwork },
  })
  await expect(createGateway(config(false))).rejects.toThrow(/metrics\.host 0\.0\.0\.0 is not loopback/)
  await (await createGateway(config(true))).close()
})

it('a client that sends its request too slowly gets 408', async () => {
  gateway = await startListeningGateway({ limits: { headersMs: 100, requestMs: 200 } })
  const slow = connect(gateway.port, '127.0.0.1')
  slow.write('GET / HTTP/1.1\r\nHost: ')
  const slowBody = connect(gateway.port, '127.0.0.1')
  slowBody.write(`POST /oauth2/sign_out HTTP/1.1\r\nHost: ${gateway.host}\r\nContent-Length: 9\r\n\r\n{`)
  const readAll = async (socket: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  expect(await readAll(slow)).toMatch(/^HTTP\/1\.1 408 /)
  expect(await readAll(slowBody)).toMatch(/^HTTP\/1\.1 \d/)
})
