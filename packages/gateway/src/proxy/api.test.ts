import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import { json } from '@slipway/connect/testing'
import {
  ada,
  configFor,
  fromOurPage,
  gatewayToken,
  host,
  origin,
  signIn,
  startGateway,
  startListeningGateway,
  type GatewayUnderTest,
} from '../../test/gateway-under-test'
import { openRaw, sendRaw } from '../../test/raw-request'
import { createGateway } from '../app'

const pods = '/api/k8s/api/v1/namespaces/a/pods'
const status = (code: number, reason: string, message: unknown = expect.any(String)) => ({
  apiVersion: 'v1',
  kind: 'Status',
  metadata: {},
  status: 'Failure',
  code,
  reason,
  message,
})

let gateway: GatewayUnderTest
afterEach(() => gateway.close())

it('all that follows an open call shares one listener on its response, besides that of the pipe', async () => {
  const listening = await startListeningGateway()
  gateway = listening
  const responses: ServerResponse[] = []
  listening.app.server.on('request', (_request, response) => void responses.push(response))
  let finish = () => {}
  listening.upstream.respond = (_request, upstream) => {
    upstream.writeHead(200, { 'content-type': 'text/plain' }).write('the first line')
    finish = () => upstream.end()
  }
  const headers: [string, string][] = [
    ['Host', listening.host],
    ['Cookie', await signIn(listening.app)],
  ]
  const { port } = listening
  const received = await openRaw({ port, target: pods, headers })
  await once(received, 'data')
  expect(responses.map((response) => response.listenerCount('close'))).toEqual([2])
  finish()
  await once(received.resume(), 'end')
})

describe('the headers of a call', () => {
  const hostile = [
    ['Impersonate-User', 'root'],
    ['Impersonate-Group', 'system:masters'],
    ['Impersonate-Uid', '0'],
    ['Impersonate-Extra-Scopes', 'all'],
    ['X-Remote-User', 'root'],
    ['X-Remote-Group', 'system:masters'],
    ['X-User', 'root'],
    ['X-Group', 'system:masters'],
    ['X-Auth-Request-User', 'root'],
    ['X-Auth-Request-Groups', 'system:masters'],
    ['X-Forwarded-User', 'root'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Forwarded', 'for=10.0.0.1'],
    ['Proxy-Authorization', 'Basic eDp5'],
    ['Audit-Id', 'chosen'],
    ['X-Request-Id', 'chosen'],
    ['Origin', 'http://evil.example'],
    ['Accept-Language', 'en'],
    ['Connection', 'close, accept'],
  ] as const
  const spellings: ((name: string) => string)[] = [(name) => name, (n) => n.toUpperCase(), (n) => n.toLowerCase()]

  test.each(['GET', 'POST'])(
    'a %s carries only the identity of the session, whatever headers the client sends',
    async (method) => {
      const listening = await startListeningGateway()
      gateway = listening
      const cookie = await signIn(listening.app)
      const body = method === 'POST' ? '{}' : undefined
      for (const spelling of spellings) {
        listening.upstream.seen.length = 0
        const { status: code } = await sendRaw({
          port: listening.port,
          method,
          target: pods,
          headers: [
            ['Host', listening.host],
            ['Cookie', cookie],
            ['Accept', 'application/json'],
            ['Accept-Encoding', 'gzip'],
            ['User-Agent', 'test'],
            ...Object.entries(fromOurPage),
            ...(body
              ? ([
                  ['Content-Type', 'application/json'],
                  ['Content-Length', '2'],
                ] as [string, string][])
              : []),
            ...hostile.map(([name, value]): [string, string] => [spelling(name), value]),
          ],
          body,
        })
        expect(code).toBe(200)
        const [seen] = listening.upstream.seen
        expect(seen?.headers).toEqual(
          expect.arrayContaining([
            ['authorization', `Bearer ${gatewayToken}`],
            ['impersonate-user', ada.email],
            ['impersonate-group', 'team-a'],
            ['impersonate-group', 'system:authenticated'],
            ['audit-id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
            ['host', new URL(listening.upstream.url).host],
            ['accept-encoding', 'identity'],
            ['user-agent', 'test'],
            ['connection', 'keep-alive'],
            ...(body
              ? [
                  ['content-type', 'application/json'],
                  ['content-length', '2'],
                ]
              : []),
          ]),
        )
        expect(seen?.headers).toHaveLength(body ? 11 : 9)
      }
    },
  )

  test.each([
    ['Impersonate_User', 'root'],
    ['x_remote_user', 'root'],
    ['Content_Length', '5'],
  ])('the header %s is rejected, since some programs read an underscore as a dash', async (name, value) => {
    const listening = await startListeningGateway()
    gateway = listening
    const headers: [string, string][] = [
      ['Host', listening.host],
      [name, value],
    ]
    const response = await sendRaw({ port: listening.port, target: pods, headers })
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body)).toEqual(status(400, 'BadRequest'))
  })

  test.each(['Host', 'Cookie', 'Origin', 'Authorization', 'Impersonate-User', 'Content-Type', 'X-Requested-With'])(
    'a repeated %s header is rejected',
    async (name) => {
      const listening = await startListeningGateway()
      gateway = listening
      const once: [string, string][] = name === 'Host' ? [] : [['Host', listening.host]]
      const headers = [...once, [name, listening.host], [name.toLowerCase(), 'b']] as [string, string][]
      expect((await sendRaw({ port: listening.port, target: pods, headers })).status).toBe(400)
      expect(listening.upstream.seen).toEqual([])
    },
  )

  it('a call carries all groups of the user except system groups and ambiguous ones', async () => {
    const good = Array.from({ length: 150 }, (_, index) => `team-${index}`)
    const evil = ['system:masters', 'system:nodes', ' system:masters', 'a,system:masters', 'a\r\nX-Remote-User: b', '']
    gateway = await startGateway()
    const cookie = await signIn(gateway.app, { groups: [...evil, ...good] })
    await gateway.app.inject({ url: pods, headers: { host, cookie } })
    const groups = gateway.upstream.seen[0]?.headers.filter(([name]) => name === 'impersonate-group')
    expect(groups?.map(([, value]) => value)).toEqual([...good, 'system:authenticated'])
  })

  it('a call carries a non-ASCII name as UTF-8, and only system:authenticated for a user without groups', async () => {
    const user = 'zoë@slipway.test'
    gateway = await startGateway()
    const cookie = await signIn(gateway.app, { user, groups: [] })
    await gateway.app.inject({ url: pods, headers: { host, cookie } })
    const identity = gateway.upstream.seen[0]?.headers.filter(([name]) => name.startsWith('impersonate'))
    expect(identity).toEqual([
      ['impersonate-user', Buffer.from(user).toString('latin1')],
      ['impersonate-group', 'system:authenticated'],
    ])
  })
})

it('CALL-02 forwards a call and its response byte for byte', async () => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  const payload = '{"kind":"Pod",\n "metadata":{"name":"ü"}}'
  const response = await gateway.app.inject({
    method: 'POST',
    url: `${pods}?dryRun=All&fieldManager=a%2Fb`,
    headers: { host, cookie, ...fromOurPage, 'content-type': 'application/json' },
    payload,
  })
  expect(response.json()).toMatchObject({
    method: 'POST',
    target: '/api/v1/namespaces/a/pods?dryRun=All&fieldManager=a%2Fb',
    body: payload,
  })
})

it("calls keep the path prefix of the upstream's URL", async () => {
  gateway = await startGateway()
  const app = await createGateway(configFor(`${gateway.upstream.url}/clusters/one/`))
  const cookie = await signIn(app)
  const response = await app.inject({ url: '/api/k8s/version', headers: { host, cookie } })
  expect(response.json()).toMatchObject({ target: '/clusters/one/version' })
  await app.close()
})

it("forwards the upstream's response without headers that affect the browser", async () => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  gateway.upstream.respond = json({ kind: 'Status', code: 409 }, 409, {
    'set-cookie': 'slipway-session=x',
    'access-control-allow-origin': '*',
    'clear-site-data': '"*"',
    'www-authenticate': 'Session',
    location: 'http://evil.example',
    server: 'secret/1.0',
    'cache-control': 'public, max-age=60',
    'content-security-policy': "default-src 'unsafe-inline'",
    warning: '299 - "deprecated"',
    'retry-after': '3',
    'audit-id': 'upstream-audit',
    etag: '"1"',
  })
  const response = await gateway.app.inject({ url: pods, headers: { host, cookie } })
  expect(response.statusCode).toBe(409)
  expect(response.json()).toEqual({ kind: 'Status', code: 409 })
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    warning: '299 - "deprecated"',
    'retry-after': '3',
    'audit-id': 'upstream-audit',
    etag: '"1"',
  })
  const dropped = [
    'set-cookie',
    'access-control-allow-origin',
    'clear-site-data',
    'www-authenticate',
    'server',
    'location',
  ]
  for (const name of dropped) expect(response.headers).not.toHaveProperty(name)
})

describe('content types', () => {
  test.each([
    ['text/html; charset=utf-8', 'text/plain; charset=utf-8'],
    ['image/svg+xml', 'text/plain; charset=utf-8'],
    ['application/xhtml+xml', 'text/plain; charset=utf-8'],
    ['text/xml', 'text/plain; charset=utf-8'],
    ['text/javascript', 'text/plain; charset=utf-8'],
    ['application/javascript', 'text/plain; charset=utf-8'],
    ['application/pdf', 'text/plain; charset=utf-8'],
    ['text/plainer', 'text/plain; charset=utf-8'],
    ['text/html, application/json', 'text/plain; charset=utf-8'],
    ['', 'text/plain; charset=utf-8'],
    ['text/plain', 'text/plain'],
    ['application/json', 'application/json'],
    ['application/json;stream=watch', 'application/json;stream=watch'],
    ['application/apply-patch+yaml', 'application/apply-patch+yaml'],
    ['application/vnd.kubernetes.protobuf;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'],
    ['application/octet-stream', 'application/octet-stream'],
  ])('the content type "%s" reaches the browser as %s', async (type, expected) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const log = '<script>alert(document.domain)</script>\n'
    gateway.upstream.respond = (_request, response) => response.writeHead(200, { 'content-type': type }).end(log)
    const response = await gateway.app.inject({ url: `${pods}/b/log?container=c`, headers: { host, cookie } })
    expect(response.headers).toMatchObject({ 'content-type': expected, 'x-content-type-options': 'nosniff' })
    expect(response.body).toBe(log)
  })
})

test.each([
  ["SESS-09 an upstream's 401, which concerns the gateway and not the user,", 401, { 'www-authenticate': 'Session' }],
  ["an upstream's redirect, which is never followed,", 302, { location: 'http://169.254.169.254/' }],
])('%s becomes a 502', async (_, code, headers) => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  gateway.upstream.respond = json({}, code, headers)
  const response = await gateway.app.inject({ url: pods, headers: { host, cookie } })
  expect(response.statusCode).toBe(502)
  expect(response.headers).not.toHaveProperty('www-authenticate')
  expect(response.json()).toEqual(status(502, 'ServiceUnavailable', expect.stringMatching(/^kubernetes /)))
})

it('the error for an unreachable upstream contains its name but not its address', async () => {
  gateway = await startGateway({
    kubernetes: { name: 'the cluster', access: { url: 'http://127.0.0.1:1' } },
  })
  const cookie = await signIn(gateway.app)
  const response = await gateway.app.inject({ url: pods, headers: { host, cookie } })
  expect(response.json()).toEqual(status(502, 'ServiceUnavailable', 'the cluster cannot be reached.'))
})

it("calls fail with the supervisor's reason, without contacting the cluster, while the cluster is down", async () => {
  let reason: string | undefined = 'The cluster is being started again.'
  gateway = await startGateway({ kubernetes: { unavailable: () => reason } })
  gateway.upstream.respond = json({})
  const cookie = await signIn(gateway.app)
  const call = () => gateway.app.inject({ url: pods, headers: { host, cookie } })
  const rejected = await call()
  expect(rejected.json()).toEqual(status(503, 'ServiceUnavailable', 'The cluster is being started again.'))
  expect(rejected.headers['retry-after']).toBe('1')
  expect(gateway.upstream.seen).toEqual([])
  reason = undefined
  expect((await call()).statusCode).toBe(200)
})

it('a call fails with 504 if the upstream does not respond within a minute', async () => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  const asked = new Promise<void>((resolve) => (gateway.upstream.respond = () => resolve()))
  const response = gateway.app.inject({ url: pods, headers: { host, cookie } })
  await asked
  await gateway.clock.advance(60_000)
  expect((await response).json()).toEqual(status(504, 'Timeout', 'kubernetes did not respond within 60000 ms.'))
})

describe('rejected calls', () => {
  it('SESS-09 a call without a session gets a 401 with the header that means "sign in again", never a redirect', async () => {
    gateway = await startGateway()
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const response = await gateway.app.inject({ method, url: pods, headers: { host, accept: 'text/html' } })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Session')
      expect(response.json()).toEqual(status(401, 'Unauthorized'))
    }
    expect(gateway.upstream.seen).toEqual([])
  })

  test.each<[string, number, string]>([
    [
      'a plugin that is not configured',
      404,
      '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/a/results',
    ],
    ['an archive that is not configured', 404, '/api/k8s/plugins/kubearchive/livez'],
    ['a path outside the API', 404, '/api/k8s/metrics'],
    ['the bare prefix', 404, '/api/k8s/'],
    ['another API', 404, '/api/other'],
    ['a service proxy', 403, '/api/k8s/api/v1/namespaces/a/services/http:b:80/proxy/admin'],
    ['a node proxy', 403, '/api/k8s/api/v1/nodes/a/proxy/'],
    ['the legacy form of a proxy', 403, '/api/k8s/api/v1/proxy/nodes/a'],
    ['a proxy within the legacy form of a watch', 403, '/api/k8s/api/v1/watch/namespaces/a/services/b/proxy/admin'],
    ['exec', 403, '/api/k8s/api/v1/namespaces/a/pods/b/exec'],
    ['attach', 403, '/api/k8s/api/v1/namespaces/a/pods/b/attach'],
    ['a token of a service account', 403, '/api/k8s/api/v1/namespaces/a/serviceaccounts/default/token'],
    ['a port forward', 403, '/api/k8s/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachines/b/portforward/22'],
  ])('a call to %s is rejected with %i', async (_, code, url) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({ url, headers: { host, cookie, accept: 'text/html' } })
    expect(response.statusCode).toBe(code)
    expect(response.json()).toEqual(status(code, code === 404 ? 'NotFound' : 'Forbidden'))
    expect(gateway.upstream.seen).toEqual([])
  })

  test.each(['/api/k8s/api/v1/namespaces/proxy/pods/exec', '/api/k8s/apis/a/v1/namespaces/exec/attach/b'])(
    'a call with resource names like those of blocked subresources is allowed: %s',
    async (url) => {
      gateway = await startGateway()
      const cookie = await signIn(gateway.app)
      expect((await gateway.app.inject({ url, headers: { host, cookie } })).statusCode).toBe(200)
    },
  )

  it('a call with a foreign Host header is rejected', async () => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({ url: pods, headers: { host: 'evil.example', cookie } })
    expect(response.json()).toEqual(status(400, 'BadRequest'))
  })

  const jsonBody = { 'content-type': 'application/json' }
  test.each<[string, number, Record<string, string>, string | undefined]>([
    ['from another site', 403, { ...fromOurPage, ...jsonBody, 'sec-fetch-site': 'cross-site' }, '{}'],
    ['from a sibling site', 403, { ...fromOurPage, ...jsonBody, 'sec-fetch-site': 'same-site' }, '{}'],
    [
      'that claims our origin from another site',
      403,
      { ...fromOurPage, 'sec-fetch-site': 'cross-site', origin },
      undefined,
    ],
    ['of an unknown origin', 403, { ...jsonBody, 'x-requested-with': 'slipway' }, '{}'],
    ['of another origin', 403, { ...jsonBody, 'x-requested-with': 'slipway', origin: 'http://127.0.0.1:81' }, '{}'],
    [
      'of an origin that starts like ours',
      403,
      { ...jsonBody, 'x-requested-with': 'slipway', origin: `${origin}.evil.example` },
      '{}',
    ],
    ['of the null origin', 403, { ...jsonBody, 'x-requested-with': 'slipway', origin: 'null' }, '{}'],
    ['without our header', 403, { ...jsonBody, 'sec-fetch-site': 'same-origin' }, '{}'],
    ['without our header and without a body', 403, { 'sec-fetch-site': 'same-origin' }, undefined],
    ['with a form body', 415, { ...fromOurPage, 'content-type': 'application/x-www-form-urlencoded' }, 'a=b'],
    ['with a text body', 415, { ...fromOurPage, 'content-type': 'text/plain' }, '{}'],
    ['with an upload', 415, { ...fromOurPage, 'content-type': 'multipart/form-data; boundary=a' }, '{}'],
    [
      'with a text type that mentions JSON',
      415,
      { ...fromOurPage, 'content-type': 'text/plain; application/json' },
      '{}',
    ],
    ['without a content type', 415, fromOurPage, '{}'],
  ])('a write %s is rejected with %i', async (_, code, headers, payload) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({
      method: 'POST',
      url: pods,
      headers: { host, cookie, ...headers },
      payload,
    })
    expect(response.statusCode).toBe(code)
    expect(response.json()).toMatchObject({ kind: 'Status', code })
    expect(gateway.upstream.seen).toEqual([])
  })

  test.each([
    ['application/json', fromOurPage],
    ['application/json-patch+json', fromOurPage],
    ['application/merge-patch+json; charset=utf-8', fromOurPage],
    ['application/apply-patch+yaml', fromOurPage],
    ['application/vnd.kubernetes.protobuf', fromOurPage],
    ['application/json', { 'x-requested-with': 'slipway', origin }],
    ['application/json', { 'x-requested-with': 'slipway', origin: 'http://localhost:8080' }],
  ])('a write from our page with content type %s is allowed', async (type, headers) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const all = { host, cookie, ...headers, 'content-type': type }
    const response = await gateway.app.inject({ method: 'PATCH', url: pods, headers: all, payload: '{}' })
    expect(response.statusCode).toBe(200)
  })

  test.each(['OPTIONS', 'HEAD', 'TRACE'] as const)('the method %s is rejected', async (method) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({ method: method as 'HEAD', url: pods, headers: { host, cookie } })
    expect([404, 405]).toContain(response.statusCode)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a GET with a body is rejected', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const cookie = await signIn(listening.app)
    const headers: [string, string][] = [
      ['Host', listening.host],
      ['Cookie', cookie],
      ['Content-Length', '2'],
    ]
    expect((await sendRaw({ port: listening.port, target: pods, headers, body: '{}' })).status).toBe(400)
  })

  it('a body with a content length above the limit is rejected before it arrives', async () => {
    const listening = await startListeningGateway({ limits: { bodyBytes: 1_000 } })
    gateway = listening
    const cookie = await signIn(listening.app)
    const connection = connect(listening.port, '127.0.0.1')
    const headers = { host: listening.host, cookie, ...fromOurPage, 'content-type': 'application/json' }
    const lines = Object.entries({ ...headers, 'content-length': '1001' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    connection.write(`POST ${pods} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const [response] = (await once(connection, 'data')) as [Buffer]
    expect(response.toString()).toMatch(/^HTTP\/1\.1 413 /)
    connection.destroy()
  })

  test.each([true, false])('a body above the limit is rejected (with a content length: %s)', async (hasLength) => {
    const listening = await startListeningGateway({ limits: { bodyBytes: 1_000 } })
    gateway = listening
    const cookie = await signIn(listening.app)
    const { status: code, body } = await sendRaw({
      port: listening.port,
      method: 'POST',
      target: pods,
      headers: [
        ['Host', listening.host],
        ['Cookie', cookie],
        ['Content-Type', 'application/json'],
        ...Object.entries(fromOurPage),
        hasLength ? ['Content-Length', '1001'] : ['Transfer-Encoding', 'chunked'],
      ],
      body: ' '.repeat(1_001),
    })
    expect(code).toBe(413)
    expect(JSON.parse(body)).toEqual(status(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 1000'))
    expect(listening.upstream.seen).toEqual([])
  })

  test.each([
    [600_000, true],
    [2_400_000, true],
    [2_400_000, false],
  ])(
    'a write of %i bytes that the cluster refuses before reading it leaves its connection usable (content length: %s)',
    async (bytes, hasLength) => {
      const cluster = createServer((_request, response) => response.writeHead(403).end('{}'))
      await once(cluster.listen(0, '127.0.0.1'), 'listening')
      const url = `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`
      const listening = await startListeningGateway({ kubernetes: { access: { url } } })
      gateway = listening
      const cookie = await signIn(listening.app)
      const connection = connect(listening.port, '127.0.0.1')
      let received = ''
      connection.on('data', (chunk: Buffer) => (received += chunk.toString()))
      const headers = {
        host: listening.host,
        cookie,
        ...fromOurPage,
        'content-type': 'application/json',
        ...(hasLength ? { 'content-length': bytes } : { 'transfer-encoding': 'chunked' }),
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const body = ' '.repeat(bytes)
      connection.write(`POST ${pods} HTTP/1.1\r\n${lines.join('')}\r\n`)
      connection.write(hasLength ? body : `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
      connection.write(`GET /health HTTP/1.1\r\nHost: ${listening.host}\r\n\r\n`)
      await expect.poll(() => received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200'])
      connection.destroy()
      cluster.close()
    },
  )
})

describe('a stream', () => {
  const headersOf = async (
    listening: Awaited<ReturnType<typeof startListeningGateway>>,
  ): Promise<[string, string][]> => [
    ['Host', listening.host],
    ['Cookie', await signIn(listening.app)],
  ]

  it('a stream starts before its first byte, arrives in pieces, and ends at the upstream when the browser disconnects', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    let push = (_: string) => {}
    const left = new Promise<void>((resolve) => {
      listening.upstream.respond = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        push = (text) => response.write(text)
        response.once('close', resolve)
      }
    })
    const target = `${pods}?watch=true`
    const response = await openRaw({ port: listening.port, target, headers: await headersOf(listening) })
    expect(response.statusCode).toBe(200)
    // A stream has no time limit of its own; only its session has.
    for (const line of ['{"type":"ADDED"}\n', '{"type":"MODIFIED"}\n']) {
      push(line)
      expect(String((await once(response, 'data'))[0])).toBe(line)
    }
    response.destroy()
    await left
  })

  it('a call ends at the upstream when the browser disconnects before the first byte', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const cookie = await signIn(listening.app)
    const asked = new Promise<IncomingMessage>((resolve) => (listening.upstream.respond = resolve))
    const connection = connect(listening.port, '127.0.0.1')
    connection.write(`GET ${pods} HTTP/1.1\r\nHost: ${listening.host}\r\nCookie: ${cookie}\r\n\r\n`)
    const { socket } = await asked
    connection.destroy()
    await once(socket, 'close')
  })

  it('a response is aborted, not completed, when the upstream aborts it: a partial response must not look complete', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    listening.upstream.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"items":[', () => response.destroy())
    }
    await expect(
      sendRaw({ port: listening.port, target: pods, headers: await headersOf(listening) }),
    ).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('a stream ends with its session', async () => {
    const listening = await startListeningGateway({ session: { keys: [new Uint8Array(32)], idleMs: 60_000 } })
    gateway = listening
    listening.upstream.respond = (_request, response) => response.writeHead(200).flushHeaders()
    const response = await openRaw({ port: listening.port, target: pods, headers: await headersOf(listening) })
    const cut = once(response.resume(), 'error')
    await listening.clock.advance(61_000)
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' })
  })
})
