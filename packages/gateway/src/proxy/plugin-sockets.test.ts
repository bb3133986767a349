import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { json, startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import { signIn, startListeningGateway, type ListeningGateway, type Overrides } from '../../test/gateway-under-test'

const path = '/wss/k8s/plugins/views/v1/socket'

let gateway: ListeningGateway
let views: EchoUpstream
let cookie: string
beforeEach(async () => {
  views = await startEchoUpstream()
  await start()
})
afterEach(async () => {
  await gateway.close()
  await views.close()
})

async function start(overrides: Overrides = {}): Promise<void> {
  const own = { url: views.url, token: () => 'sentinel-views-token' }
  gateway = await startListeningGateway({ views: own, kubeArchive: own, ...overrides })
  cookie = await signIn(gateway.app)
  await gateway.app.pluginsProbed()
}

async function restart(overrides: Overrides): Promise<void> {
  await gateway.close()
  await start(overrides)
}

interface Opening {
  path?: string
  protocols?: string[]
  headers?: Record<string, string>
}
const open = (opening: Opening = {}): WebSocket =>
  new WebSocket(`ws://${gateway.host}${opening.path ?? path}`, opening.protocols ?? [], {
    headers: { cookie, origin: gateway.origin, ...opening.headers },
    perMessageDeflate: false,
  })

/** Both ends of a new websocket: the tab's and the service's. */
async function joined(opening?: Opening): Promise<{ tab: WebSocket; service: WebSocket }> {
  const end = new Promise<WebSocket>((resolve) => (views.onSocket = resolve))
  const tab = open(opening)
  const [service] = await Promise.all([end, once(tab, 'open')])
  return { tab, service }
}

async function rejected(opening: Opening): Promise<{ status: number | undefined; headers: object; body: unknown }> {
  const socket = open(opening)
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

const closeOf = async (socket: WebSocket): Promise<[code: number, reason: string]> => {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, reason.toString()]
}
/** Upgrades that the service has seen. */
const upgrades = () => views.seen.filter(({ headers }) => headers.some(([name]) => name === 'upgrade'))

it('a page is connected with the service, and frames pass in both directions unchanged', async () => {
  const { tab, service } = await joined({ path: `${path}?a=b` })
  expect(upgrades().map(({ target }) => target)).toEqual(['/v1/socket?a=b'])
  for (const [from, to] of [
    [tab, service],
    [service, tab],
  ] as const) {
    for (const frame of ['{"open":1}', Buffer.from([0, 1, 255])]) {
      from.send(frame)
      const [data, isBinary] = (await once(to, 'message')) as [Buffer, boolean]
      expect([data, isBinary]).toEqual([Buffer.from(frame), typeof frame !== 'string'])
    }
  }
  tab.terminate()
})

describe('rejected handshakes', () => {
  test.each<[string, number, Opening]>([
    ['without a session', 401, { headers: { cookie: '' } }],
    ['from another site', 403, { headers: { origin: 'http://evil.example' } }],
    ['to another path of the service', 404, { path: '/wss/k8s/plugins/views/metrics' }],
    ['to a path below the socket', 404, { path: `${path}/x` }],
    ['to its health check', 404, { path: '/wss/k8s/plugins/views/livez' }],
    ['outside /wss', 404, { path: path.replace('/wss', '/api') }],
    ['to a plugin without websockets', 404, { path: '/wss/k8s/plugins/kubearchive/api/v1/pods?watch=true' }],
    ['to a plugin that is not configured', 404, { path: path.replace('views', 'tekton-results') }],
    ['to an unknown plugin', 404, { path: path.replace('views', 'others') }],
    ['to a deceptive path', 400, { path: '/wss/k8s/plugins/views/v1%2fsocket' }],
    ['with the subprotocol of the cluster', 400, { protocols: ['base64.binary.k8s.io'] }],
    ['with a token as its subprotocol', 400, { protocols: ['base64url.bearer.authorization.k8s.io.bWluZQ'] }],
    ['with a field mask', 400, { path: `${path}?fieldMask=metadata.name` }],
    ['with an underscore in a header name', 400, { headers: { impersonate_user: 'root' } }],
  ])('a handshake %s is rejected with %i', async (_, code, opening) => {
    const { status, headers, body } = await rejected(opening)
    expect(status).toBe(code)
    expect(body).toMatchObject({ kind: 'Status', code })
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect(upgrades()).toEqual([])
    expect(gateway.upstream.seen).toEqual([])
  })

  it('the paths of the socket are no HTTP paths', async () => {
    for (const prefix of ['/api', '/wss']) {
      const url = path.replace('/wss', prefix)
      const { statusCode } = await gateway.app.inject({ url, headers: { host: gateway.host, cookie } })
      expect(statusCode).toBe(404)
    }
    expect(views.seen.map(({ target }) => target)).not.toContain('/v1/socket')
  })

  it('a service that does not exist is a 404, and one that has not answered yet a 503', async () => {
    views.respond = json({}, 404)
    await restart({})
    expect(await rejected({})).toMatchObject({ status: 404 })
    await restart({ views: { url: 'http://127.0.0.1:1', token: () => 'a' } })
    expect(await rejected({})).toMatchObject({ status: 503, body: { message: 'views has not answered yet.' } })
  })

  it("a service's rejection of the user is passed on, and that of the gateway's token is a 502", async () => {
    const body = JSON.stringify({ kind: 'Status', code: 403, message: 'not you' })
    views.rejectSockets = { status: 403, body, headers: { 'set-cookie': 'a=b' } }
    const forbidden = await rejected({})
    expect(forbidden).toMatchObject({ status: 403, body: { message: 'not you' } })
    expect(forbidden.headers).not.toHaveProperty('set-cookie')
    views.rejectSockets = { status: 401, body: '{}', headers: { 'www-authenticate': 'Session' } }
    const unauthorized = await rejected({})
    expect(unauthorized).toMatchObject({
      status: 502,
      body: { message: 'views does not accept the configured credentials.' },
    })
    expect(unauthorized.headers).not.toHaveProperty('www-authenticate')
  })

  it('a service that is gone is a 502', async () => {
    await views.close()
    expect(await rejected({})).toMatchObject({ status: 502, body: { message: 'views cannot be reached.' } })
  })
})

describe('the end of the websocket of a plugin', () => {
  it('both ends close with the code of the end that closed first', async () => {
    const first = await joined()
    first.service.close(4321, 'enough')
    expect(await closeOf(first.tab)).toEqual([4321, 'enough'])
    const second = await joined()
    const closed = closeOf(second.service)
    second.tab.close(4000, 'done')
    expect(await closed).toEqual([4000, 'done'])
  })

  it('it ends with 4401 when its session is signed out, and that of another session does not', async () => {
    const { tab, service } = await joined()
    const other = await joined({ headers: { cookie: await signIn(gateway.app) } })
    const ends = Promise.all([closeOf(tab), once(service, 'close')])
    const headers = { host: gateway.host, cookie, 'sec-fetch-site': 'same-origin' }
    await gateway.app.inject({ url: '/oauth2/sign_out', headers })
    expect((await ends)[0]).toEqual([4401, 'The session has ended.'])
    expect(other.tab.readyState).toBe(WebSocket.OPEN)
    other.tab.terminate()
  })

  it('a shutdown ends it with 1001, one after the other', async () => {
    const { tab, service } = await joined()
    const ends = Promise.all([closeOf(tab), once(service, 'close')])
    const left = gateway.app.drain({ graceMs: 0, spreadMs: 1_000 })
    await gateway.clock.advance(1_100)
    expect((await ends)[0]).toEqual([1001, 'The gateway is shutting down.'])
    await gateway.clock.advance(1_100)
    await left
  })

  it('one whose tab reads nothing ends within a minute, at both ends', async () => {
    const { tab, service } = await joined()
    const ended = once(service, 'close')
    tab.pause()
    await gateway.clock.advance(60_000)
    await ended
    tab.terminate()
  })

  it('a service that no longer responds to pings is cut off within a minute', async () => {
    const { tab, service } = await joined()
    service.pause()
    const closed = closeOf(tab)
    await gateway.clock.advance(60_000)
    expect((await closed)[0]).toBe(1006)
    service.terminate()
  })
})

it('each user may have so many websockets open, at plugins and at the cluster together', async () => {
  await restart({ limits: { streamsPerUser: 2 } })
  const { tab } = await joined()
  const watch = open({ path: '/wss/k8s/api/v1/pods?watch=true' })
  await once(watch, 'open')
  expect(await rejected({})).toMatchObject({ status: 429, headers: { 'retry-after': '5' } })
  const others = { headers: { cookie: await signIn(gateway.app, { user: 'bea@slipway.test' }) } }
  ;(await joined(others)).tab.terminate()
  tab.close()
  await once(tab, 'close')
  await vi.waitFor(async () => (await joined()).tab.terminate())
  watch.terminate()
})

it('heartbeats come from the service: the request for them is passed on, and the gateway adds none', async () => {
  const { tab, service } = await joined({ path: `${path}?heartbeat=true&watch=true` })
  expect(upgrades().at(-1)?.target).toBe('/v1/socket?heartbeat=true&watch=true')
  const frames: string[] = []
  tab.on('message', (data: Buffer) => frames.push(data.toString()))
  await gateway.clock.advance(20_000)
  service.send('')
  service.send('{}')
  await vi.waitFor(() => expect(frames).toEqual(['', '{}']))
  tab.terminate()
})

it.each(['tab', 'service'] as const)('the writer is paused while the %s does not read', async (reader) => {
  const ends = await joined()
  const from = reader === 'tab' ? ends.service : ends.tab
  const to = ends[reader]
  to.pause()
  const frame = Buffer.alloc(256 * 1024)
  const frames = 256
  let accepted = 0
  for (let index = 0; index < frames; index++) from.send(frame, () => accepted++)
  // 64 MiB do not fit into the buffers on the way, so most of it stays with the sender.
  for (let before = -1, still = 0; still < 50;) {
    await new Promise((resolve) => setImmediate(resolve))
    still = accepted === before ? still + 1 : 0
    before = accepted
  }
  expect(accepted).toBeLessThan(frames)
  let received = 0
  const all = new Promise<void>((resolve) => to.on('message', () => ++received === frames && resolve()))
  to.resume()
  await all
  ends.tab.terminate()
})
