import { afterEach, expect, it } from 'vitest'
import { client, configureApi, gateway, onRefusal, openWatchSocket, type Refusal } from './client'

const calls: { url: string; headers: Headers; credentials: unknown }[] = []
const sockets: string[] = []
const responses: Response[] = []

function configure(baseUrl: string) {
  configureApi({
    baseUrl,
    async fetch(input, init) {
      calls.push({ url: String(input), headers: new Headers(init?.headers), credentials: init?.credentials })
      return responses.shift() ?? Response.json({})
    },
    openSocket(url, protocol) {
      sockets.push(`${url} ${protocol}`)
      return { onopen: null, onmessage: null, onerror: null, onclose: null, send() {}, close: () => {} }
    },
  })
}

afterEach(() => {
  for (const list of [calls, sockets, responses]) list.length = 0
})

it('CALL-02 sends cluster calls to /api/k8s, with the header that the gateway requires', async () => {
  configure('')
  await client.request('/version')
  await gateway.request('/oauth2/userinfo')
  expect(calls.map(({ url }) => url)).toEqual(['/api/k8s/version', '/oauth2/userinfo'])
  expect(calls[0]?.headers.get('x-requested-with')).toBe('slipway')
  expect(calls[0]?.credentials).toBe('same-origin')
})

it('LIVE-01, LIVE-04 opens watches at /wss/k8s on the same origin', () => {
  configure('')
  openWatchSocket('/api/v1/namespaces?watch=true')
  configure('https://console.test')
  openWatchSocket('/api/v1/namespaces?watch=true')
  const protocol = 'base64.binary.k8s.io'
  expect(sockets).toEqual([
    `ws://${location.host}/wss/k8s/api/v1/namespaces?watch=true ${protocol}`,
    `wss://console.test/wss/k8s/api/v1/namespaces?watch=true ${protocol}`,
  ])
})

it('reports the end of a session and 403 responses, and nothing else', async () => {
  configure('')
  const refusals: Refusal[] = []
  const stop = onRefusal((refusal) => refusals.push(refusal))
  responses.push(
    Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } }),
    Response.json({}, { status: 401 }),
    Response.json({}, { status: 403 }),
    Response.json({}, { status: 500 }),
  )
  for (const path of ['/a', '/b', '/c', '/d']) await client.request(path).catch(() => undefined)
  stop()
  responses.push(Response.json({}, { status: 403 }))
  await client.request('/e').catch(() => undefined)
  expect(refusals).toEqual([{ kind: 'session-end' }, { kind: 'forbidden', path: '/api/k8s/c' }])
})
