import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, test } from 'vitest'
import { json } from '../../test/echo-upstream'
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

  test.each(['GET', 'POST'])('name the session and nobody else, whatever a %s claims', async (method) => {
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
  })

  test.each([
    ['Impersonate_User', 'root'],
    ['x_remote_user', 'root'],
    ['Content_Length', '5'],
  ])('refuse %s, which some programs read as a dash', async (name, value) => {
    const listening = await startListeningGateway()
    gateway = listening
    const headers: [string, string][] = [
      ['Host', listening.host],
      [name, value],
    ]
    const answer = await sendRaw({ port: listening.port, target: pods, headers })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.body)).toEqual(status(400, 'BadRequest'))
  })

  test.each(['Host', 'Cookie', 'Origin', 'Authorization', 'Impersonate-User', 'Content-Type', 'X-Requested-With'])(
    'refuse a second %s',
    async (name) => {
      const listening = await startListeningGateway()
      gateway = listening
      const once: [string, string][] = name === 'Host' ? [] : [['Host', listening.host]]
      const headers = [...once, [name, listening.host], [name.toLowerCase(), 'b']] as [string, string][]
      expect((await sendRaw({ port: listening.port, target: pods, headers })).status).toBe(400)
      expect(listening.upstream.seen).toEqual([])
    },
  )

  it('carry every group of the user but those that are Kubernetes own or could be read as others', async () => {
    const good = Array.from({ length: 150 }, (_, index) => `team-${index}`)
    const evil = ['system:masters', 'system:nodes', ' system:masters', 'a,system:masters', 'a\r\nX-Remote-User: b', '']
    gateway = await startGateway()
    const cookie = await signIn(gateway.app, { groups: [...evil, ...good] })
    await gateway.app.inject({ url: pods, headers: { host, cookie } })
    const groups = gateway.upstream.seen[0]?.headers.filter(([name]) => name === 'impersonate-group')
    expect(groups?.map(([, value]) => value)).toEqual([...good, 'system:authenticated'])
  })

  it('carry a name beyond ASCII as UTF-8, and of a user without groups only that one is known', async () => {
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

it('CALL-02 passes a call and its answer on, byte for byte', async () => {
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

it('keeps the path of an upstream that is not at the root of its host', async () => {
  gateway = await startGateway()
  const app = await createGateway(configFor(`${gateway.upstream.url}/clusters/one/`))
  const cookie = await signIn(app)
  const response = await app.inject({ url: '/api/k8s/version', headers: { host, cookie } })
  expect(response.json()).toMatchObject({ target: '/clusters/one/version' })
  await app.close()
})

it('passes on what an upstream says, but none of the headers that act on the browser', async () => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  gateway.upstream.answer = json({ kind: 'Status', code: 409 }, 409, {
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

describe('what an upstream calls a page, a picture or a script', () => {
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
  ])('reaches the browser as text, and %s as %s', async (type, expected) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const log = '<script>alert(document.domain)</script>\n'
    gateway.upstream.answer = (_request, response) => response.writeHead(200, { 'content-type': type }).end(log)
    const response = await gateway.app.inject({ url: `${pods}/b/log?container=c`, headers: { host, cookie } })
    expect(response.headers).toMatchObject({ 'content-type': expected, 'x-content-type-options': 'nosniff' })
    expect(response.body).toBe(log)
  })
})

test.each([
  ['SESS-09 its 401, which is about the gateway and not about the user', 401, { 'www-authenticate': 'Session' }],
  ['a redirect, which is never followed', 302, { location: 'http://169.254.169.254/' }],
])('makes a 502 of %s', async (_, code, headers) => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  gateway.upstream.answer = json({}, code, headers)
  const response = await gateway.app.inject({ url: pods, headers: { host, cookie } })
  expect(response.statusCode).toBe(502)
  expect(response.headers).not.toHaveProperty('www-authenticate')
  expect(response.json()).toEqual(status(502, 'ServiceUnavailable', expect.stringMatching(/^kubernetes /)))
})

it('names an upstream that is away, and not its address', async () => {
  gateway = await startGateway({
    kubernetes: { name: 'the cluster', access: { url: 'http://127.0.0.1:1' } },
  })
  const cookie = await signIn(gateway.app)
  const response = await gateway.app.inject({ url: pods, headers: { host, cookie } })
  expect(response.json()).toEqual(status(502, 'ServiceUnavailable', 'the cluster cannot be reached.'))
})

it('refuses calls with the reason and without a call while its supervisor says that the cluster does not respond', async () => {
  let reason: string | undefined = 'The cluster is being started again.'
  gateway = await startGateway({ kubernetes: { unavailable: () => reason } })
  gateway.upstream.answer = json({})
  const cookie = await signIn(gateway.app)
  const call = () => gateway.app.inject({ url: pods, headers: { host, cookie } })
  const refused = await call()
  expect(refused.json()).toEqual(status(503, 'ServiceUnavailable', 'The cluster is being started again.'))
  expect(refused.headers['retry-after']).toBe('1')
  expect(gateway.upstream.seen).toEqual([])
  reason = undefined
  expect((await call()).statusCode).toBe(200)
})

it('gives up on an upstream that says nothing for a minute', async () => {
  gateway = await startGateway()
  const cookie = await signIn(gateway.app)
  const asked = new Promise<void>((resolve) => (gateway.upstream.answer = () => resolve()))
  const response = gateway.app.inject({ url: pods, headers: { host, cookie } })
  await asked
  await gateway.clock.advance(60_000)
  expect((await response).json()).toEqual(status(504, 'Timeout', 'kubernetes did not answer within 60000ms.'))
})

describe('a call is refused', () => {
  it('SESS-09 with the mark that means "sign in again" when nobody is signed in, and never with a redirect', async () => {
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
      'a plugin that is not there',
      404,
      '/api/k8s/plugins/tekton-results/apis/results.tekton.dev/v1alpha2/parents/a/results',
    ],
    ['the archive that is not there', 404, '/api/k8s/plugins/kubearchive/livez'],
    ['what is no API path', 404, '/api/k8s/metrics'],
    ['the bare prefix', 404, '/api/k8s/'],
    ['another API', 404, '/api/other'],
    ['a service proxy', 403, '/api/k8s/api/v1/namespaces/a/services/http:b:80/proxy/admin'],
    ['a node proxy', 403, '/api/k8s/api/v1/nodes/a/proxy/'],
    ['the old spelling of a proxy', 403, '/api/k8s/api/v1/proxy/nodes/a'],
    ['a proxy behind the old spelling of a watch', 403, '/api/k8s/api/v1/watch/namespaces/a/services/b/proxy/admin'],
    ['exec', 403, '/api/k8s/api/v1/namespaces/a/pods/b/exec'],
    ['attach', 403, '/api/k8s/api/v1/namespaces/a/pods/b/attach'],
    ['a port forward', 403, '/api/k8s/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachines/b/portforward/22'],
  ])('for %s', async (_, code, url) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({ url, headers: { host, cookie, accept: 'text/html' } })
    expect(response.statusCode).toBe(code)
    expect(response.json()).toEqual(status(code, code === 404 ? 'NotFound' : 'Forbidden'))
    expect(gateway.upstream.seen).toEqual([])
  })

  test.each(['/api/k8s/api/v1/namespaces/proxy/pods/exec', '/api/k8s/apis/a/v1/namespaces/exec/attach/b'])(
    'but not for names that only look like it: %s',
    async (url) => {
      gateway = await startGateway()
      const cookie = await signIn(gateway.app)
      expect((await gateway.app.inject({ url, headers: { host, cookie } })).statusCode).toBe(200)
    },
  )

  it('for a host that is not ours: another name resolves to this server', async () => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({ url: pods, headers: { host: 'evil.example', cookie } })
    expect(response.json()).toEqual(status(400, 'BadRequest'))
  })

  const jsonBody = { 'content-type': 'application/json' }
  test.each<[string, number, Record<string, string>, string | undefined]>([
    ['from another site', 403, { ...fromOurPage, ...jsonBody, 'sec-fetch-site': 'cross-site' }, '{}'],
    ['from a neighbour site', 403, { ...fromOurPage, ...jsonBody, 'sec-fetch-site': 'same-site' }, '{}'],
    [
      'that claims our origin from another site',
      403,
      { ...fromOurPage, 'sec-fetch-site': 'cross-site', origin },
      undefined,
    ],
    ['of an unknown origin', 403, { ...jsonBody, 'x-requested-with': 'slipway' }, '{}'],
    ['of another origin', 403, { ...jsonBody, 'x-requested-with': 'slipway', origin: 'http://127.0.0.1:81' }, '{}'],
    [
      'of an origin that begins like ours',
      403,
      { ...jsonBody, 'x-requested-with': 'slipway', origin: `${origin}.evil.example` },
      '{}',
    ],
    ['of the null origin', 403, { ...jsonBody, 'x-requested-with': 'slipway', origin: 'null' }, '{}'],
    ['without our header', 403, { ...jsonBody, 'sec-fetch-site': 'same-origin' }, '{}'],
    ['without our header and without a body', 403, { 'sec-fetch-site': 'same-origin' }, undefined],
    ['of a form', 415, { ...fromOurPage, 'content-type': 'application/x-www-form-urlencoded' }, 'a=b'],
    ['of text', 415, { ...fromOurPage, 'content-type': 'text/plain' }, '{}'],
    ['of an upload', 415, { ...fromOurPage, 'content-type': 'multipart/form-data; boundary=a' }, '{}'],
    ['of text that mentions JSON', 415, { ...fromOurPage, 'content-type': 'text/plain; application/json' }, '{}'],
    ['of nothing said', 415, fromOurPage, '{}'],
  ])('for a write %s', async (_, code, headers, payload) => {
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
  ])('but not for a write of ours in %s', async (type, headers) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const all = { host, cookie, ...headers, 'content-type': type }
    const response = await gateway.app.inject({ method: 'PATCH', url: pods, headers: all, payload: '{}' })
    expect(response.statusCode).toBe(200)
  })

  test.each(['OPTIONS', 'HEAD', 'TRACE'] as const)('for the method %s', async (method) => {
    gateway = await startGateway()
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({ method: method as 'HEAD', url: pods, headers: { host, cookie } })
    expect([404, 405]).toContain(response.statusCode)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('for a GET with a body', async () => {
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

  it('for a length that is too large, before any of it has come', async () => {
    const listening = await startListeningGateway({ limits: { bodyBytes: 1_000 } })
    gateway = listening
    const cookie = await signIn(listening.app)
    const connection = connect(listening.port, '127.0.0.1')
    const headers = { host: listening.host, cookie, ...fromOurPage, 'content-type': 'application/json' }
    const lines = Object.entries({ ...headers, 'content-length': '1001' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    connection.write(`POST ${pods} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const [answer] = (await once(connection, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
    connection.destroy()
  })

  test.each([true, false])('for a body that is too large (length told: %s)', async (isTold) => {
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
        isTold ? ['Content-Length', '1001'] : ['Transfer-Encoding', 'chunked'],
      ],
      body: ' '.repeat(1_001),
    })
    expect(code).toBe(413)
    expect(JSON.parse(body)).toEqual(status(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 1000'))
    expect(listening.upstream.seen).toEqual([])
  })
})

describe('a stream', () => {
  const headersOf = async (
    listening: Awaited<ReturnType<typeof startListeningGateway>>,
  ): Promise<[string, string][]> => [
    ['Host', listening.host],
    ['Cookie', await signIn(listening.app)],
  ]

  it('begins before its first byte, comes piece by piece, and ends at the upstream when the browser goes', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    let push = (_: string) => {}
    const left = new Promise<void>((resolve) => {
      listening.upstream.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
        push = (text) => response.write(text)
        response.once('close', resolve)
      }
    })
    const target = `${pods}?watch=true`
    const response = await openRaw({ port: listening.port, target, headers: await headersOf(listening) })
    expect(response.statusCode).toBe(200)
    // Silent for a day: a stream has no time limit of its own, only its session has.
    for (const line of ['{"type":"ADDED"}\n', '{"type":"MODIFIED"}\n']) {
      push(line)
      expect(String((await once(response, 'data'))[0])).toBe(line)
    }
    response.destroy()
    await left
  })

  it('ends at the upstream when the browser goes before its first byte', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    const cookie = await signIn(listening.app)
    const asked = new Promise<IncomingMessage>((resolve) => (listening.upstream.answer = resolve))
    const connection = connect(listening.port, '127.0.0.1')
    connection.write(`GET ${pods} HTTP/1.1\r\nHost: ${listening.host}\r\nCookie: ${cookie}\r\n\r\n`)
    const { socket } = await asked
    connection.destroy()
    await once(socket, 'close')
  })

  it('is cut, not ended, when the upstream breaks off: half an answer must not look whole', async () => {
    const listening = await startListeningGateway()
    gateway = listening
    listening.upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"items":[', () => response.destroy())
    }
    await expect(
      sendRaw({ port: listening.port, target: pods, headers: await headersOf(listening) }),
    ).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('ends with its session', async () => {
    const listening = await startListeningGateway({ session: { keys: [new Uint8Array(32)], idleMs: 60_000 } })
    gateway = listening
    listening.upstream.answer = (_request, response) => response.writeHead(200).flushHeaders()
    const response = await openRaw({ port: listening.port, target: pods, headers: await headersOf(listening) })
    const cut = once(response.resume(), 'error')
    await listening.clock.advance(61_000)
    expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' })
  })
})
