import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { json, startEchoUpstream, type EchoUpstream, type Seen } from '@slipway/connect/testing'
import {
  ada,
  fromOurPage,
  gatewayToken,
  signIn,
  startListeningGateway,
  type ListeningGateway,
  type Overrides,
} from '../../test/gateway-under-test'
import { openRaw, sendRaw } from '../../test/raw-request'

const results = '/api/k8s/plugins/tekton-results'
const archive = '/api/k8s/plugins/kubearchive'
const records = `${results}/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records`
const runs = `${archive}/apis/tekton.dev/v1/namespaces/a/pipelineruns`

let gateway: ListeningGateway
let plugin: EchoUpstream
let cookie: string
beforeEach(async () => (plugin = await startEchoUpstream()))
afterEach(async () => {
  await gateway.close()
  await plugin.close()
})

/** Both plugins are the same echo. */
async function start(overrides: Overrides = {}): Promise<void> {
  const own = { url: plugin.url, token: () => 'sentinel-plugin-token' }
  gateway = await startListeningGateway({ tektonResults: own, kubeArchive: own, ...overrides })
  cookie = await signIn(gateway.app)
  // Waits for the probes, so that the next response of the echo is for a call.
  await call(`${archive}/livez`)
  plugin.seen.splice(0, Infinity, ...plugin.seen.filter((each) => !isCall(each)))
}
const call = (target: string, method = 'GET', headers: Record<string, string> = {}) => {
  const all = { Host: gateway.host, Cookie: cookie, ...headers }
  return sendRaw({ port: gateway.port, method, target, headers: Object.entries(all) })
}
const failure = async (target: string, method?: string, headers?: Record<string, string>) => {
  const { status, body } = await call(target, method, headers)
  const parsed = JSON.parse(body) as { kind: string; code: number; message: string; reason: string }
  expect(parsed).toMatchObject({ kind: 'Status', status: 'Failure', code: status })
  return parsed
}
/** Calls, as opposed to the probes at the start. */
const seen = () => plugin.seen.filter(isCall)
const isCall = ({ headers }: Seen) => headers.some(([name]) => name === 'audit-id')

test.each([
  [records, '/apis/results.tekton.dev/v1alpha2/parents/a/results/-/records'],
  [
    `${results}/apis/results.tekton.dev/v1alpha2/parents/-/results`,
    '/apis/results.tekton.dev/v1alpha2/parents/-/results',
  ],
  [`${archive}/livez`, '/livez'],
  [runs, '/apis/tekton.dev/v1/namespaces/a/pipelineruns'],
  [`${archive}/api/v1/namespaces/a/pods/b/log?container=c`, '/api/v1/namespaces/a/pods/b/log?container=c'],
])('%s is forwarded without its prefix', async (target, expected) => {
  await start()
  expect((await call(target)).status).toBe(200)
  expect(seen()).toMatchObject([{ method: 'GET', target: expected }])
})

it('each response of a plugin names those that are there, even the 404 for another', async () => {
  await start({ tektonResults: undefined })
  const namesIn = async (target: string) => {
    const { status, headers } = await call(target)
    return [status, headers['slipway-plugins']]
  }
  expect(await namesIn(runs)).toEqual([200, 'kubearchive'])
  expect(await namesIn(records)).toEqual([404, 'kubearchive'])
  expect(await namesIn('/api/k8s/api/v1/namespaces/a/pods')).toEqual([200, undefined])
  await gateway.close()
  await start()
  expect(await namesIn(runs)).toEqual([200, 'kubearchive,tekton-results'])
})

test.each([
  [404, `${results}/`],
  [404, `${results}/apis`],
  [404, `${results}/apis/results.tekton.dev/v1alpha2`],
  [404, `${results}/apis/results.tekton.dev/latest/parents/a/results`],
  [404, `${results}/apis/other.dev/v1/parents/a/results`],
  [404, `${results}/api/v1/secrets`],
  [404, `${results}/livez`],
  [404, `${results}/metrics`],
  [404, `${archive}/`],
  [404, `${archive}/livez/x`],
  [404, `${archive}/metrics`],
  [404, `${archive}/debug/pprof`],
  [403, `${archive}/api/v1/namespaces/a/services/b/proxy/c`],
  [403, `${archive}/api/v1/namespaces/a/pods/b/exec`],
  [404, '/api/k8s/plugins/kite/api/v1/issues'],
  [404, '/api/k8s/plugins/kubearchives/livez'],
  [404, '/api/k8s/plugins/'],
  [400, `${archive}/../../api/v1/secrets`],
  [400, `${archive}/%2e%2e/api/v1/secrets`],
  [400, `${archive}//livez`],
  [400, `${archive}%2flivez`],
])('responds with %d to %s', async (code, target) => {
  await start()
  expect((await failure(target)).code).toBe(code)
  expect(seen()).toEqual([])
  expect(gateway.upstream.seen).toEqual([])
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('plugins are read-only: %s is rejected', async (method) => {
  await start()
  const headers = { ...fromOurPage, 'Content-Type': 'application/json' }
  expect((await failure(records, method, headers)).code).toBe(405)
  expect((await failure(runs, method, headers)).code).toBe(405)
  expect(seen()).toEqual([])
})

test('HEAD requests to plugins are rejected', async () => {
  await start()
  for (const target of [records, runs]) expect([404, 405]).toContain((await call(target, 'HEAD')).status)
  expect(seen()).toEqual([])
})

it('a call to a plugin needs a session', async () => {
  await start()
  cookie = ''
  expect(await failure(records)).toMatchObject({ code: 401 })
  expect(seen()).toEqual([])
})

describe('the token', () => {
  const tokenOf = () => seen()[0]?.headers.filter(([name]) => /^(authorization|impersonate)/.test(name))

  it("the gateway's own token is only sent to a plugin that is configured so", async () => {
    await start({ kubeArchive: { url: plugin.url, token: 'gateway' } })
    await call(runs)
    expect(tokenOf()).toEqual([
      ['authorization', `Bearer ${gatewayToken}`],
      ['impersonate-user', ada.user],
      ['impersonate-group', 'team-a'],
      ['impersonate-group', 'system:authenticated'],
    ])
  })

  it('a plugin call does not impersonate where the gateway uses its own identity', async () => {
    await start({ kubernetes: { as: 'own' }, kubeArchive: { url: plugin.url, token: 'gateway' } })
    await call(runs)
    expect(tokenOf()).toEqual([['authorization', `Bearer ${gatewayToken}`]])
  })
})

describe('a failure', () => {
  it.each<[string, () => string, object]>([
    ['Tekton Results', () => records, { code: 16, message: 'permission denied' }],
    ['KubeArchive', () => runs, { message: 'unauthorized' }],
  ])("%s's 401 becomes a 403, not the end of the session", async (_, path, body) => {
    await start()
    plugin.respond = json(body, 401, { 'www-authenticate': 'Session' })
    const response = await call(path())
    expect(response.headers).not.toHaveProperty('www-authenticate')
    expect(JSON.parse(response.body)).toMatchObject({
      kind: 'Status',
      code: 403,
      reason: 'Forbidden',
      message: expect.stringMatching(/^(tekton-results|kubearchive) does not allow this user to see that\.$/),
    })
  })

  test.each<[string, number, string, string, string]>([
    ['with a JSON message', 400, '{"message":"limit exceeds 1000"}', 'limit exceeds 1000', 'BadRequest'],
    [
      'in the format of gRPC',
      404,
      '{"code":5,"message":"record not found","details":[]}',
      'record not found',
      'NotFound',
    ],
    ['in the format of Kubernetes', 403, '{"kind":"Status","message":"no","code":403}', 'no', 'Forbidden'],
    ['without a body', 500, '', '{name} responded with 500.', 'InternalError'],
    ['in plain text', 503, 'upstream connect error 10.0.0.1', '{name} responded with 503.', 'ServiceUnavailable'],
  ])('an error %s becomes a Status', async (_, code, body, message, reason) => {
    await start()
    plugin.respond = (_request, response) => response.writeHead(code, { 'content-type': 'text/plain' }).end(body)
    for (const [target, name] of [
      [records, 'tekton-results'],
      [runs, 'kubearchive'],
    ] as const) {
      expect(await failure(target)).toMatchObject({ code, reason, message: message.replace('{name}', name) })
    }
  })

  it("a plugin's Retry-After is forwarded", async () => {
    await start()
    plugin.respond = json({ message: 'slow down' }, 429, { 'retry-after': '7' })
    expect(await call(runs)).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  })

  it("a plugin's redirect becomes a 502", async () => {
    await start()
    plugin.respond = (_request, response) => response.writeHead(302, { location: 'http://evil.example' }).end()
    expect(await failure(runs)).toMatchObject({ code: 502 })
  })

  it('a timeout names the plugin and the time limit', async () => {
    await start()
    await call(runs)
    const asked = new Promise<void>((resolve) => (plugin.respond = () => resolve()))
    const response = failure(runs)
    await asked
    await gateway.clock.advance(60_000)
    expect(await response).toMatchObject({ code: 504, message: 'kubearchive did not respond within 60000 ms.' })
  })
})

it('streams a response and aborts it when the plugin aborts', async () => {
  await start()
  let push = (_: string) => {}
  let breakOff = () => {}
  plugin.respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    push = (text) => response.write(text)
    breakOff = () => response.destroy()
  }
  const headers: [string, string][] = [
    ['Host', gateway.host],
    ['Cookie', cookie],
  ]
  const response = await openRaw({ port: gateway.port, target: runs, headers })
  push('{"kind":"List","items":[')
  expect(String((await once(response, 'data'))[0])).toBe('{"kind":"List","items":[')
  const cut = once(response, 'error')
  breakOff()
  expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' })
})

describe('plugin discovery', () => {
  it('a plugin that is not configured is a 404', async () => {
    gateway = await startListeningGateway()
    cookie = await signIn(gateway.app)
    expect(await failure(`${archive}/livez`)).toMatchObject({ code: 404 })
    expect(await failure(records)).toMatchObject({ code: 404 })
    expect(gateway.upstream.seen).toEqual([])
  })

  it('each plugin is probed once, without credentials', async () => {
    await start()
    await call(runs)
    await call(records)
    const probes = plugin.seen.filter((each) => !seen().includes(each))
    expect(probes.map(({ target }) => target).sort()).toEqual([
      '/apis/results.tekton.dev/v1alpha2/parents/-/results?page_size=1',
      '/livez',
    ])
    for (const { headers } of probes) {
      expect(headers.map(([name]) => name).sort()).toEqual(['accept', 'connection', 'host'])
    }
  })

  it.each([401, 404])('a %d shows that Tekton Results exists, but not KubeArchive', async (code) => {
    plugin.respond = json({}, code)
    await start()
    expect((await failure(runs)).code).toBe(404)
    plugin.respond = json({})
    expect((await call(records)).status).toBe(200)
  })

  it('a missing plugin is probed again after a minute, in the background of a 404', async () => {
    plugin.respond = json({}, 404)
    await start()
    expect((await failure(runs)).code).toBe(404)
    plugin.respond = json({ kind: 'List', items: [] })
    await gateway.clock.advance(59_000)
    expect((await failure(runs)).code).toBe(404)
    expect(plugin.seen.filter(({ target }) => target === '/livez')).toHaveLength(1)
    await gateway.clock.advance(1_000)
    expect((await failure(runs)).code).toBe(404)
    await expect.poll(async () => (await call(runs)).status).toBe(200)
    expect(plugin.seen.filter(({ target }) => target === '/livez')).toHaveLength(2)
  })

  it('a plugin that cannot be reached is a 503, not a 404, and does not delay other calls', async () => {
    const unreachable = { url: 'http://127.0.0.1:1', token: () => 'a' }
    await start({ tektonResults: unreachable, kubeArchive: unreachable })
    expect(await failure(records)).toMatchObject({ code: 503, message: 'tekton-results has not answered yet.' })
    expect(await failure(runs)).toMatchObject({ code: 503, message: 'kubearchive has not answered yet.' })
    expect((await call(runs)).headers).toMatchObject({ 'retry-after': '2' })
    expect((await call('/api/k8s/version')).status).toBe(200)
  })

  it.each([408, 429, 500, 502, 503, 504])(
    'a %d of KubeArchive, or of a proxy in front of it, is a 503, and it is probed again after two seconds',
    async (code) => {
      plugin.respond = json({}, code)
      await start()
      expect((await failure(runs)).code).toBe(503)
      plugin.respond = json({ kind: 'List', items: [] })
      await gateway.clock.advance(1_000)
      expect((await failure(runs)).code).toBe(503)
      await gateway.clock.advance(1_000)
      await expect.poll(async () => (await call(runs)).status).toBe(200)
    },
  )

  it('/ready waits for the first answer of a plugin, for a minute at most', async () => {
    const unreachable = { url: 'http://127.0.0.1:1', token: () => 'a' }
    const ready = async () => (await call('/ready')).body
    await start({ tektonResults: unreachable })
    expect(await ready()).toContain('Not ready: tekton-results.')
    await gateway.clock.advance(59_000)
    expect(await ready()).toContain('Not ready: tekton-results.')
    await gateway.clock.advance(1_000)
    expect(await ready()).toBe('{"status":"ok"}')
    await gateway.close()
    plugin.respond = json({}, 404)
    await start()
    expect(await ready()).toBe('{"status":"ok"}')
  })

  it('a plugin is not reached if its probe gets no response within five seconds', async () => {
    const asked = new Promise<void>((resolve) => {
      plugin.respond = () => plugin.seen.length === 2 && resolve()
    })
    const own = { url: plugin.url, token: () => 'a' }
    gateway = await startListeningGateway({ tektonResults: own, kubeArchive: own })
    cookie = await signIn(gateway.app)
    await asked
    const responses = [failure(records), failure(runs)]
    await gateway.clock.advance(5_000)
    expect(await Promise.all(responses)).toMatchObject([{ code: 503 }, { code: 503 }])
  })

  it('a plugin that was found stays present when a call fails', async () => {
    await start()
    await call(runs)
    await plugin.close()
    expect(await failure(runs)).toMatchObject({ code: 502, message: 'kubearchive cannot be reached.' })
    plugin = await startEchoUpstream()
  })
})
