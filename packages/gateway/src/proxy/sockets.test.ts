import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ada, gatewayToken, signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'
import { sendRaw } from '../../test/raw-request'

const watch = '/wss/k8s/api/v1/namespaces/a/pods?watch=true&resourceVersion=7'
const subprotocol = 'base64.binary.k8s.io'

let gateway: ListeningGateway
let cookie: string
beforeEach(async () => {
  gateway = await startListeningGateway()
  cookie = await signIn(gateway.app)
})
afterEach(() => gateway.close())

interface Opening {
  path?: string
  protocols?: string[]
  headers?: Record<string, string>
}
/** Opens a websocket like a browser from one of our pages, by default. */
function open({ path = watch, protocols = [subprotocol], headers = {} }: Opening = {}): WebSocket {
  const all = { cookie, origin: gateway.origin, 'user-agent': 'test', ...headers }
  return new WebSocket(`ws://${gateway.host}${path}`, protocols, { headers: all, perMessageDeflate: false })
}

async function opened(opening?: Opening): Promise<WebSocket> {
  const socket = open(opening)
  await once(socket, 'open')
  return socket
}

/** The rejection of a handshake. */
async function rejected(opening: Opening): Promise<{ status: number | undefined; headers: object; body: unknown }> {
  const socket = open(opening)
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const { statusCode, headers } = response
  return { status: statusCode, headers, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

const closeOf = async (socket: WebSocket): Promise<[code: number, reason: string]> => {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, reason.toString()]
}

/** The upstream's end of the next websocket. */
const nextUpstreamEnd = () => new Promise<WebSocket>((resolve) => (gateway.upstream.onSocket = resolve))

it('LIVE-04 connects a page with the cluster as the signed-in user', async () => {
  const socket = await opened({
    headers: {
      'Impersonate-User': 'root',
      'IMPERSONATE-GROUP': 'system:masters',
      'X-Remote-User': 'root',
      'X-Forwarded-For': '10.0.0.1',
    },
  })
  expect(socket.protocol).toBe(subprotocol)
  const [seen] = gateway.upstream.seen
  expect(seen?.target).toBe('/api/v1/namespaces/a/pods?watch=true&resourceVersion=7')
  expect(new Map(seen?.headers)).toEqual(
    new Map([
      ['host', new URL(gateway.upstream.url).host],
      ['origin', gateway.upstream.url],
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['sec-websocket-version', '13'],
      ['sec-websocket-key', expect.any(String)],
      ['sec-websocket-protocol', subprotocol],
      ['authorization', `Bearer ${gatewayToken}`],
      ['audit-id', expect.any(String)],
      ['impersonate-user', ada.email],
      ['impersonate-group', 'system:authenticated'],
      ['user-agent', 'test'],
    ]),
  )
  expect(seen?.headers.filter(([name]) => name === 'impersonate-group').map(([, value]) => value)).toEqual([
    'team-a',
    'system:authenticated',
  ])

  for (const frame of ['text', Buffer.from([0, 1, 255])]) {
    socket.send(frame)
    const [data, isBinary] = (await once(socket, 'message')) as [Buffer, boolean]
    expect(isBinary).toBe(frame !== 'text')
    expect(data).toEqual(Buffer.from(frame))
  }
  socket.terminate()
})

it('no frame is lost that the cluster sends immediately', async () => {
  gateway.upstream.onSocket = (socket) => {
    for (const frame of ['one', 'two', 'three']) socket.send(frame)
    socket.close(1000)
  }
  const socket = open()
  const frames: string[] = []
  socket.on('message', (data) => frames.push(String(data as Buffer)))
  await once(socket, 'close')
  expect(frames).toEqual(['one', 'two', 'three'])
})

it('a client without a subprotocol is accepted, and none is sent to the upstream', async () => {
  const socket = await opened({ protocols: [] })
  expect(gateway.upstream.seen[0]?.headers.map(([name]) => name)).not.toContain('sec-websocket-protocol')
  socket.terminate()
})

it('only the supported subprotocol is sent to the upstream, never one that carries a token', async () => {
  const socket = await opened({ protocols: ['base64url.bearer.authorization.k8s.io.bWluZQ', subprotocol] })
  expect(socket.protocol).toBe(subprotocol)
  const { headers } = gateway.upstream.seen[0] ?? { headers: [] }
  expect(headers.filter(([name]) => name === 'sec-websocket-protocol')).toEqual([
    ['sec-websocket-protocol', subprotocol],
  ])
  socket.terminate()
})

describe('rejected handshakes', () => {
  test.each<[string, number, Opening]>([
    ['from another site', 403, { headers: { origin: 'http://evil.example' } }],
    ['from another port', 403, { headers: { origin: 'http://127.0.0.1:1' } }],
    ['from the null origin', 403, { headers: { origin: 'null' } }],
    ['to another host', 400, { headers: { host: 'evil.example' } }],
    ['with another subprotocol', 400, { protocols: ['v5.channel.k8s.io'] }],
    ['with only a token', 400, { protocols: ['base64url.bearer.authorization.k8s.io.bWluZQ'] }],
    ['outside /wss/k8s', 404, { path: '/api/k8s/api/v1/pods?watch=true' }],
    ['to a path outside the API', 404, { path: '/wss/k8s/metrics' }],
    ['to exec', 403, { path: '/wss/k8s/api/v1/namespaces/a/pods/b/exec?command=sh' }],
    ['to a port forward', 403, { path: '/wss/k8s/api/v1/namespaces/a/pods/b/portforward' }],
    ['to a deceptive path', 400, { path: '/wss/k8s/api/v1/namespaces/a%2fsecrets' }],
    ['to the namespace list', 405, { path: '/wss/k8s/api/v1/namespaces?watch=true' }],
    ['with an underscore in a header name', 400, { headers: { impersonate_user: 'root' } }],
  ])('a handshake %s is rejected with %i', async (_, code, opening) => {
    const { status, headers, body } = await rejected(opening)
    expect(status).toBe(code)
    expect(body).toMatchObject({ kind: 'Status', code })
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    expect(gateway.upstream.seen).toEqual([])
  })

  it('SESS-09 a handshake without a session gets a 401 with the header that means "sign in again" before it is upgraded', async () => {
    for (const value of ['', 'slipway-session-8080=forged']) {
      const { status, headers, body } = await rejected({ headers: { cookie: value } })
      expect(status).toBe(401)
      expect(headers).toMatchObject({ 'www-authenticate': 'Session' })
      expect(body).toMatchObject({ kind: 'Status', code: 401 })
    }
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a handshake from an origin that starts like ours is rejected', async () => {
    for (const end of ['.evil.example', '0', '@evil.example']) {
      expect((await rejected({ headers: { origin: `${gateway.origin}${end}` } })).status).toBe(403)
    }
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a handshake without an Origin is rejected', async () => {
    const response = await sendRaw({
      port: gateway.port,
      target: watch,
      headers: [
        ['Host', gateway.host],
        ['Cookie', cookie],
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ],
    })
    expect(response.status).toBe(403)
  })

  it.each([
    ['GET', 'h2c'],
    ['GET', 'websocket, h2c'],
    ['POST', 'websocket'],
  ])(
    'an upgrade to anything but a websocket is rejected before the upstream is contacted: %s, %s',
    async (method, upgrade) => {
      const response = await sendRaw({
        port: gateway.port,
        method,
        target: watch,
        headers: [
          ['Host', gateway.host],
          ['Cookie', cookie],
          ['Origin', gateway.origin],
          ['Connection', 'Upgrade'],
          ['Upgrade', upgrade],
          ['Sec-WebSocket-Version', '13'],
          ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
        ],
      })
      expect(response.status).toBe(400)
      expect(gateway.upstream.seen).toEqual([])
    },
  )

  it('a malformed handshake is rejected and the upstream connection closed', async () => {
    const end = nextUpstreamEnd().then((socket) => once(socket, 'close'))
    const response = await sendRaw({
      port: gateway.port,
      target: watch,
      headers: [
        ['Host', gateway.host],
        ['Cookie', cookie],
        ['Origin', gateway.origin],
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
      ],
    })
    expect(response.status).toBe(400)
    await end
  })

  it("the upstream's rejection is forwarded", async () => {
    const body = JSON.stringify({ kind: 'Status', code: 403, message: 'no watch for you' })
    gateway.upstream.rejectSockets = { status: 403, body, headers: { 'set-cookie': 'a=b' } }
    const response = await rejected({})
    expect(response).toMatchObject({ status: 403, body: { message: 'no watch for you' } })
    expect(response.headers).not.toHaveProperty('set-cookie')
  })

  test.each([
    [401, "SESS-09 a rejection of the gateway's token does not end the session"],
    [302, 'a redirect is not followed'],
  ])('a %i from the upstream becomes a 502: %s', async (status) => {
    const headers = { 'www-authenticate': 'Session', location: 'http://169.254.169.254/' }
    gateway.upstream.rejectSockets = { status, body: '{}', headers }
    const response = await rejected({})
    expect(response).toMatchObject({ status: 502, body: { kind: 'Status', reason: 'ServiceUnavailable' } })
    expect(response.headers).not.toHaveProperty('www-authenticate')
  })

  it('a handshake fails with 502 if the upstream cannot be reached', async () => {
    await gateway.upstream.close()
    expect(await rejected({})).toMatchObject({ status: 502, body: { message: 'kubernetes cannot be reached.' } })
  })
})

describe('both ends', () => {
  it('both ends close with the code of the end that closed first', async () => {
    const fromCluster = nextUpstreamEnd()
    const socket = await opened()
    ;(await fromCluster).close(1011, 'broken')
    expect(await closeOf(socket)).toEqual([1011, 'broken'])

    const toCluster = nextUpstreamEnd()
    const second = await opened()
    const closed = toCluster.then(closeOf)
    second.close(4000, 'enough')
    expect(await closed).toEqual([4000, 'enough'])
  })

  it('both ends close when a client sends a frame that is too large', async () => {
    const ended = nextUpstreamEnd().then((socket) => once(socket, 'close'))
    const socket = await opened()
    const closed = once(socket, 'close')
    socket.send('x'.repeat(1024 * 1024 + 1))
    expect((await closed)[0]).toBe(1009)
    await ended
  })

  it('both ends terminate when one is lost', async () => {
    const fromCluster = nextUpstreamEnd()
    const socket = await opened()
    ;(await fromCluster).terminate()
    expect(await closeOf(socket)).toEqual([1006, ''])

    const toCluster = nextUpstreamEnd()
    const second = await opened()
    const closed = toCluster.then(closeOf)
    second.terminate()
    expect((await closed)[0]).toBe(1006)
  })

  it('both ends are pinged every 30 seconds and terminated when one no longer responds', async () => {
    const fromCluster = nextUpstreamEnd()
    const socket = await opened()
    const end = await fromCluster
    const pings = Promise.all([once(socket, 'ping'), once(end, 'ping')])
    await gateway.clock.advance(30_000)
    await pings
    // The next ping comes before a response to this one can arrive.
    const closed = closeOf(socket)
    await gateway.clock.advance(60_000)
    expect((await closed)[0]).toBe(1006)
  })

  it('a watch that requests heartbeats gets an empty frame at once and every five seconds', async () => {
    let target: string | undefined
    const fromCluster = new Promise<WebSocket>((resolve) => {
      gateway.upstream.onSocket = (end, { url }) => {
        target = url
        resolve(end)
      }
    })
    const socket = open({ path: `${watch}&heartbeat=true` })
    const frames: string[] = []
    socket.on('message', (data: Buffer) => frames.push(data.toString()))
    const end = await fromCluster
    await vi.waitFor(() => expect(frames).toEqual(['']))
    await gateway.clock.advance(5_000)
    await vi.waitFor(() => expect(frames).toEqual(['', '']))
    const event = '{"type":"ADDED"}'
    end.send(event)
    await vi.waitFor(() => expect(frames).toEqual(['', '', event]))
    await gateway.clock.advance(5_000)
    await vi.waitFor(() => expect(frames).toEqual(['', '', event, '']))
    expect(target).toBe(watch.slice('/wss/k8s'.length))
  })

  it('a watch that does not request heartbeats gets none', async () => {
    const fromCluster = nextUpstreamEnd()
    const socket = await opened()
    const end = await fromCluster
    await gateway.clock.advance(20_000)
    end.send('first')
    const [first] = (await once(socket, 'message')) as [Buffer]
    expect(first.toString()).toBe('first')
  })

  it('a slow client pauses the upstream', async () => {
    const fromCluster = nextUpstreamEnd()
    const socket = await opened()
    const end = await fromCluster
    socket.pause()
    const frame = Buffer.alloc(256 * 1024)
    const frames = 256
    let accepted = 0
    for (let index = 0; index < frames; index++) end.send(frame, () => accepted++)
    // 64 MiB do not fit into the buffers on the way, so most of it stays with the sender.
    await settled(() => accepted)
    expect(accepted).toBeLessThan(frames)
    let received = 0
    const all = new Promise<void>((resolve) => socket.on('message', () => ++received === frames && resolve()))
    socket.resume()
    await all
    socket.terminate()
  })
})

/** Resolves once the number no longer changes between two turns of the event loop's timers. */
async function settled(read: () => number): Promise<void> {
  for (let before = -1, still = 0; still < 50;) {
    await new Promise((resolve) => setImmediate(resolve))
    still = read() === before ? still + 1 : 0
    before = read()
  }
}
