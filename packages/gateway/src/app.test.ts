import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { json } from '@slipway/connect/testing'
import {
  ada,
  fromOurPage,
  gatewayToken,
  host,
  signIn,
  startGateway,
  startListeningGateway,
  type GatewayUnderTest,
  type ListeningGateway,
} from '../test/gateway-under-test'
import { createBrowser } from '../test/browser'
import { openRaw } from '../test/raw-request'

let gateway: GatewayUnderTest
afterEach(() => gateway.close())

it('a token function is called for each request, so that a new token takes effect', async () => {
  let token = 'one'
  gateway = await startGateway({ kubernetes: { access: { token: () => token } } })
  const cookie = await signIn(gateway.app)
  const sent = async () => {
    await gateway.app.inject({ url: '/api/k8s/version', headers: { host, cookie } })
    return gateway.upstream.seen.at(-1)?.headers.find(([name]) => name === 'authorization')?.[1]
  }
  expect(await sent()).toBe('Bearer one')
  token = 'two'
  expect(await sent()).toBe('Bearer two')
})

describe('malformed requests', () => {
  it.each<[string, number, string]>([
    ['two body lengths', 400, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['an escape that hides a slash', 400, 'GET /a%2fb HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['an invalid escape', 400, 'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['an absolute URL instead of a path', 400, 'GET http://a/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['arbitrary text', 400, 'hello\r\n\r\n'],
    ['HTTP/2 in plain text', 505, 'GET / HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['HTTP/0.9 with a header', 505, 'GET /health HTTP/0.9\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a header that is too large', 431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('a request with %s is rejected with a Status', async (_, code, bytes) => {
    const listening = await startListeningGateway()
    gateway = listening
    const connection = connect(listening.port, '127.0.0.1')
    connection.write(bytes.replace('Host: a', `Host: ${listening.host}`))
    const chunks: Buffer[] = []
    for await (const chunk of connection as AsyncIterable<Buffer>) chunks.push(chunk)
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${code} `))
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code })
  })

  it('a websocket upgrade with HTTP/2 in plain text is rejected with 505', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const cookie = await signIn(listening.app)
    const connection = connect(listening.port, '127.0.0.1')
    const headers = ['Connection: Upgrade', 'Upgrade: websocket', `Cookie: ${cookie}`, `Origin: ${listening.origin}`]
    connection.write(
      [`GET /wss/k8s/api/v1/pods?watch=true HTTP/2.0`, `Host: ${listening.host}`, ...headers, '', ''].join('\r\n'),
    )
    const chunks: Buffer[] = []
    for await (const chunk of connection as AsyncIterable<Buffer>) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 505 /)
  })

  it('malformed bytes after a request are rejected after the response to that request', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const cookie = await signIn(listening.app)
    const connection = connect(listening.port, '127.0.0.1')
    connection.write(
      `GET /api/k8s/version HTTP/1.1\r\nHost: ${listening.host}\r\nCookie: ${cookie}\r\n\r\nhello\r\n\r\n`,
    )
    const chunks: Buffer[] = []
    for await (const chunk of connection as AsyncIterable<Buffer>) chunks.push(chunk)
    const codes = Buffer.concat(chunks)
      .toString()
      .match(/HTTP\/1.1 \d+/g)
    expect(codes).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('an incomplete request head times out with 408, however long a body may take', async () => {
    const listening = await startListeningGateway({ limits: { headersMs: 100, requestMs: 60_000 } })
    gateway = listening
    const connection = connect(listening.port, '127.0.0.1')
    connection.write('GET / HTTP/1.1\r\nHost: ')
    const chunks: Buffer[] = []
    for await (const chunk of connection as AsyncIterable<Buffer>) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('a connection with an incomplete body is closed after the request timeout', async () => {
    const listening = await startListeningGateway({ limits: { headersMs: 100, requestMs: 200 } })
    gateway = listening
    const cookie = await signIn(listening.app)
    const headers = { host: listening.host, cookie, ...fromOurPage, 'content-type': 'application/json' }
    const lines = Object.entries({ ...headers, 'content-length': '5' }).map(([name, value]) => `${name}: ${value}\r\n`)
    const connection = connect(listening.port, '127.0.0.1')
    connection.write(`POST /api/k8s/api/v1/namespaces/a/pods HTTP/1.1\r\n${lines.join('')}\r\n[1`)
    await once(connection.resume(), 'close')
    expect(listening.upstream.seen).toEqual([])
  })
})

describe('a request with an upgrade to HTTP/2, as some clients send with every call', () => {
  const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']
  /** Sends all of this at once and returns what the gateway sends back until it closes the connection. */
  async function exchange(...lines: string[]): Promise<string> {
    const connection = connect(Number(new URL(listening.origin).port), '127.0.0.1')
    connection.write(lines.join('\r\n'))
    const chunks: Buffer[] = []
    for await (const chunk of connection as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  let listening: ListeningGateway
  beforeEach(async () => {
    gateway = listening = await startListeningGateway()
  })

  it('is served as HTTP/1.1, and so are those after it on its connection', async () => {
    const host = `Host: ${listening.host}`
    const [first, second, third, ...more] = (
      await exchange(
        ...['GET /health HTTP/1.1', host, ...upgrade, '', 'GET /ready HTTP/1.1', host, ...upgrade, ''],
        ...['GET /api/nope HTTP/1.1', host, 'Connection: close', '', ''],
      )
    ).split(/(?=HTTP\/1\.1 \d)/)
    expect(more).toEqual([])
    expect(first).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n\{"status":"ok"\}/)
    expect(second).toMatch(/^HTTP\/1\.1 (200|503) /)
    expect(third).toMatch(/^HTTP\/1\.1 404 /)
  })

  it('keeps its identity, its body and its rules, but not the headers of the upgrade', async () => {
    const cookie = await signIn(listening.app)
    const page = Object.entries(fromOurPage).map(([name, value]) => `${name}: ${value}`)
    const head = [`Host: ${listening.host}`, `Cookie: ${cookie}`, 'Content-Type: application/json', ...upgrade]
    const post = 'POST /api/k8s/api/v1/namespaces/a/pods HTTP/1.1'
    const close = ['GET /health HTTP/1.1', `Host: ${listening.host}`, 'Connection: close', '', '']
    const body = ['Transfer-Encoding: chunked', '', '5', '{"a":', '2', '1}', '0', '']
    expect(await exchange(post, ...head, ...body, ...close)).toMatch(/^HTTP\/1\.1 403 /)
    expect(listening.upstream.seen).toEqual([])
    expect(await exchange(post, ...head, ...page, ...body, ...close)).toMatch(/^HTTP\/1\.1 200 /)
    const [seen] = listening.upstream.seen
    expect(seen).toMatchObject({ method: 'POST', body: '{"a":1}' })
    expect(seen?.headers).toContainEqual(['impersonate-user', ada.user])
    expect(seen?.headers.map(([name]) => name)).not.toContain('upgrade')
    expect(seen?.headers.map(([name]) => name)).not.toContain('http2-settings')
  })
})

it.each([
  '/api',
  '/api/nope',
  '/api/k8s/version',
  '/api/k8s/../nope',
  '/api/k8s/a%2fb',
  '/oauth2',
  '/oauth2/nope',
  '/oauth2/sign_in',
  '/oauth2/start',
  '/oauth2/callback',
  '/oauth2/page.css',
  '/wss/k8s/nope',
  '/%2e%2e/nope',
])('responses at %s must not be stored by a cache, for any caller and method', async (url) => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD'] as const) {
    for (const headers of [{ host }, { host, cookie }, { host: 'evil.example' }]) {
      const response = await gateway.app.inject({ method, url, headers })
      expect([method, headers, response.headers['cache-control']]).toEqual([method, headers, 'no-store'])
    }
  }
})

describe('the access log', () => {
  const lines: Record<string, unknown>[] = []
  const log = pino(new Writable({ write: (chunk, _, done) => (lines.push(JSON.parse(String(chunk))), done()) }))
  afterEach(() => void (lines.length = 0))

  it('the access log has a line for each request with user, call and outcome', async () => {
    const listening = await startListeningGateway({ log })
    gateway = listening
    const cookie = await signIn(listening.app)
    const target = '/api/k8s/api/v1/namespaces/a/pods?labelSelector=a%3Db&limit=5'
    const headers: [string, string][] = [
      ['Host', listening.host],
      ['Cookie', cookie],
    ]
    const response = await openRaw({ port: listening.port, target, headers })
    await once(response.resume(), 'end')
    expect(lines.at(-1)).toMatchObject({
      who: ada.email,
      verb: 'list',
      resource: 'pods',
      namespace: 'a',
      status: 200,
      ms: expect.any(Number),
      firstByteMs: expect.any(Number),
      requestId: response.headers['x-request-id'],
    })
    expect(lines.at(-1)?.bytes).toBeGreaterThan(500)
  })

  it("logs an error when the cluster rejects the gateway's token", async () => {
    gateway = await startGateway({ log })
    gateway.upstream.respond = json({}, 401)
    await gateway.app.inject({ url: '/api/k8s/version', headers: { host, cookie: await signIn(gateway.app) } })
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 50, msg: 'the upstream rejected the credentials of a call' }),
    )
  })

  it('logs no error when a plugin does not show a user something, as any user can cause', async () => {
    gateway = await startGateway()
    const { url } = gateway.upstream
    gateway.upstream.respond = (...call) => json({}, call[0].url === '/livez' ? 200 : 401)(...call)
    const kubeArchive = { url, token: () => 'sentinel-plugin-token' }
    const other = await startGateway({ log, kubeArchive })
    const target = '/api/k8s/plugins/kubearchive/apis/tekton.dev/v1/namespaces/b/pipelineruns'
    const response = await other.app.inject({ url: target, headers: { host, cookie: await signIn(other.app) } })
    await other.close()
    expect(response.json()).toMatchObject({ code: 403, message: 'kubearchive does not allow this user to see that.' })
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('logs which groups of a user were dropped', async () => {
    gateway = await startGateway({ log })
    gateway.issuer.mint = (claims, sign) => sign({ ...claims, groups: ['team-a', 'system:masters', 'a,b'] })
    const browser = createBrowser(gateway.app)
    const { headers } = await browser.get('/oauth2/start')
    await browser.get(gateway.issuer.authorize(new URL(String(headers.location))))
    expect(lines).toContainEqual(
      expect.objectContaining({
        who: ada.user,
        droppedGroups: ['system:masters', 'a,b'],
        msg: 'dropped groups that are not allowed',
      }),
    )
  })

  it('never logs a token, a cookie, a body or a query value, even when requests fail', async () => {
    const sentinel = 'sentinel-5f3a'
    const listening = await startListeningGateway({ log: Object.assign(log, { level: 'trace' }) })
    gateway = listening
    const cookie = await signIn(listening.app)
    const call = (url: string, headers: Record<string, string> = {}) =>
      listening.app.inject({
        method: 'POST',
        url: `${url}?token=${sentinel}`,
        headers: {
          host: listening.host,
          cookie,
          'content-type': 'application/json',
          ...fromOurPage,
          ...headers,
        },
        payload: JSON.stringify({ data: sentinel }),
      })
    await call('/api/k8s/api/v1/namespaces/a/secrets')
    await call('/api/k8s/api/v1/namespaces/a/secrets', { cookie: `slipway-session-8080=${sentinel}` })
    await call('/api/k8s/api/v1/namespaces/a/secrets', { 'content-type': `text/${sentinel}` })
    await call('/api/k8s/api/v1/namespaces/a/secrets', { authorization: `Bearer ${sentinel}` })
    await call('/oauth2/sign_in')
    // A sign-in that succeeds, one that is rejected, and one whose provider fails.
    const browser = createBrowser(listening.app, listening.host)
    const callbackUrls: string[] = []
    for (const error of [undefined, sentinel, undefined]) {
      const { headers } = await browser.get(`/oauth2/start?rd=/${sentinel}`)
      callbackUrls.push(
        listening.issuer.authorize(new URL(String(headers.location)), { error, error_description: error }),
      )
      await browser.get(callbackUrls.at(-1) ?? '')
      listening.issuer.tokenError = { status: 500, error: sentinel }
    }
    listening.upstream.respond = json({ token: sentinel }, 401)
    await call('/api/k8s/api/v1/namespaces/a/secrets')
    listening.upstream.respond = json({ token: sentinel }, 500)
    await listening.app.inject({ url: '/api/k8s/api/v1/namespaces', headers: { host: listening.host, cookie } })
    listening.upstream.respond = (_request, response) => response.destroy()
    await call('/api/k8s/api/v1/namespaces/a/secrets')
    const socket = new WebSocket(`ws://${listening.host}/wss/k8s/api/v1/pods?token=${sentinel}`, {
      headers: { cookie, origin: listening.origin },
    })
    await once(socket, 'open')
    socket.terminate()
    // As a query parameter name, in an ambiguous path, and in headers that must not be trusted.
    const get = (url: string, headers: Record<string, string> = {}) =>
      listening.app.inject({ url, headers: { host: listening.host, cookie, ...headers } })
    await get(`/api/k8s/api/v1/pods?${sentinel}`)
    await get(`/api/k8s/api//v1?${sentinel}=1`)
    await get(`/oauth2/callback?code=${sentinel}&state=${sentinel}`)
    await get('/api/k8s/api/v1/pods', { 'x-request-id': sentinel, 'audit-id': sentinel, 'user-agent': sentinel })
    await get('/api/k8s/api/v1/pods', { 'impersonate-user': sentinel, forwarded: sentinel, referer: sentinel })
    await get('/api/k8s/api/v1/pods', { host: sentinel, origin: `http://${sentinel}` })
    await get('/api/k8s/api/v1/pods', { authorization: `Bearer e30.e30.${sentinel}`, cookie: '' })
    expect(lines.map(({ requestId }) => requestId).filter(Boolean)).toSatisfy((ids: unknown[]) =>
      ids.every((id) => /^[0-9a-f-]{36}$/.test(String(id))),
    )
    listening.app.log.error({ err: Object.assign(new Error('failed'), { claims: { token: sentinel } }) }, 'failed')
    await listening.app.close()
    const text = JSON.stringify(lines)
    expect(lines.length).toBeGreaterThan(16)
    expect(text).not.toContain(sentinel)
    expect(text).not.toContain(gatewayToken)
    expect(text).not.toContain('refresh-')
    for (const callbackUrl of callbackUrls) {
      for (const [, value] of new URLSearchParams(callbackUrl.split('?')[1])) expect(text).not.toContain(`"${value}"`)
    }
    expect(text).not.toContain(cookie.slice('slipway-session-8080='.length))
  })
})

describe('streams', () => {
  const watching = async (listening: Awaited<ReturnType<typeof startListeningGateway>>) => {
    const cookie = await signIn(listening.app)
    const socket = new WebSocket(`ws://${listening.host}/wss/k8s/api/v1/pods?watch=true`, {
      headers: { cookie, origin: listening.origin },
    })
    await once(socket, 'open')
    return { cookie, socket }
  }

  it('closeStreams closes all streams, which can then be reopened', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const { socket } = await watching(listening)
    const closed = once(socket, 'close')
    listening.app.closeStreams()
    expect((await closed)[0]).toBe(1001)
    ;(await watching(listening)).socket.terminate()
  })

  it('streams end when their session is signed out, and no others do', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const { cookie, socket } = await watching(listening)
    const other = await watching(listening)
    const closed = once(socket, 'close')
    const headers = { host: listening.host, cookie, 'sec-fetch-site': 'same-origin' }
    await listening.app.inject({ url: '/oauth2/sign_out', headers })
    expect((await closed)[0]).toBe(4401)
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
    other.socket.terminate()
  })

  it('streams end when their session expires by idleness', async () => {
    const session = { keys: [new Uint8Array(32)], idleMs: 60_000 }
    const listening = await startListeningGateway({ session, limits: { pingMs: 3_600_000 } })
    gateway = listening
    const { socket } = await watching(listening)
    const closed = once(socket, 'close')
    await listening.clock.advance(59_000)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    await listening.clock.advance(1_000)
    expect((await closed)[0]).toBe(4401)
  })

  it('streams continue while their session is used, until its absolute end', async () => {
    const session = { keys: [new Uint8Array(32)], idleMs: 60_000, absoluteMs: 300_000 }
    const listening = await startListeningGateway({ session, limits: { pingMs: 3_600_000 } })
    gateway = listening
    const { cookie, socket } = await watching(listening)
    const closed = once(socket, 'close')
    let current = cookie
    for (let step = 0; step < 5; step++) {
      await listening.clock.advance(50_000)
      expect(socket.readyState).toBe(WebSocket.OPEN)
      const headers = { host: listening.host, cookie: current }
      const response = await listening.app.inject({ url: '/oauth2/userinfo', headers })
      current = String(response.headers['set-cookie']).split(';', 1)[0] ?? ''
    }
    // The absolute end of the session, used or not.
    await listening.clock.advance(50_000)
    expect((await closed)[0]).toBe(4401)
  })

  it('open streams and idle connections do not prevent the gateway from closing', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const { cookie, socket } = await watching(listening)
    const socketClosed = once(socket, 'close')
    listening.upstream.respond = (_request, response) => response.writeHead(200).flushHeaders()
    const headers: [string, string][] = [
      ['Host', listening.host],
      ['Cookie', cookie],
    ]
    const watch = await openRaw({ port: listening.port, target: '/api/k8s/api/v1/pods?watch=true', headers })
    const cut = once(watch.resume(), 'error')
    // A connection that a browser opened in advance: nothing has been sent on it yet.
    const idle = connect(listening.port, '127.0.0.1').on('error', () => {})
    await once(idle, 'connect')
    const closing = listening.app.close()
    expect((await socketClosed)[0]).toBe(1001)
    await cut
    await listening.clock.advance(1_000)
    await closing
    idle.destroy()
  })
})
