import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { json, startEchoUpstream, type EchoUpstream, type Seen } from '../../test/echo-upstream'
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
  // Waits for the look at what is there, so that what the echo answers next is for a call.
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
])('%s is passed on below its prefix', async (target, expected) => {
  await start()
  expect((await call(target)).status).toBe(200)
  expect(seen()).toMatchObject([{ method: 'GET', target: expected }])
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
])('answers %d for %s', async (code, target) => {
  await start()
  expect((await failure(target)).code).toBe(code)
  expect(seen()).toEqual([])
  expect(gateway.upstream.seen).toEqual([])
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('cannot be written to by %s', async (method) => {
  await start()
  const headers = { ...fromOurPage, 'Content-Type': 'application/json' }
  expect((await failure(records, method, headers)).code).toBe(405)
  expect((await failure(runs, method, headers)).code).toBe(405)
  expect(seen()).toEqual([])
})

test('HEAD is no GET', async () => {
  await start()
  for (const target of [records, runs]) expect([404, 405]).toContain((await call(target, 'HEAD')).status)
  expect(seen()).toEqual([])
})

it('needs a session', async () => {
  await start()
  cookie = ''
  expect(await failure(records)).toMatchObject({ code: 401 })
  expect(seen()).toEqual([])
})

describe('the token', () => {
  const tokenOf = () => seen()[0]?.headers.filter(([name]) => /^(authorization|impersonate)/.test(name))

  it("is the gateway's own only on purpose", async () => {
    await start({ kubeArchive: { url: plugin.url, token: 'gateway' } })
    await call(runs)
    expect(tokenOf()).toEqual([
      ['authorization', `Bearer ${gatewayToken}`],
      ['impersonate-user', ada.user],
      ['impersonate-group', 'team-a'],
      ['impersonate-group', 'system:authenticated'],
    ])
  })

  it('impersonates nobody where the gateway itself does not', async () => {
    await start({ kubernetes: { as: 'own' }, kubeArchive: { url: plugin.url, token: 'gateway' } })
    await call(runs)
    expect(tokenOf()).toEqual([['authorization', `Bearer ${gatewayToken}`]])
  })
})

describe('a failure', () => {
  it.each<[string, () => string, object]>([
    ['Tekton Results', () => records, { code: 16, message: 'permission denied' }],
    ['KubeArchive', () => runs, { message: 'unauthorized' }],
  ])('of %s to let somebody in is a lack of rights, not of a session', async (_, path, body) => {
    await start()
    plugin.answer = json(body, 401, { 'www-authenticate': 'Session' })
    const answer = await call(path())
    expect(answer.headers).not.toHaveProperty('www-authenticate')
    expect(JSON.parse(answer.body)).toMatchObject({
      kind: 'Status',
      code: 403,
      reason: 'Forbidden',
      message: expect.stringMatching(/^(tekton-results|kubearchive) does not let this user see that\.$/),
    })
  })

  test.each<[string, number, string, string, string]>([
    ['its own words', 400, '{"message":"limit exceeds 1000"}', 'limit exceeds 1000', 'BadRequest'],
    ['those of gRPC', 404, '{"code":5,"message":"record not found","details":[]}', 'record not found', 'NotFound'],
    ['those of Kubernetes', 403, '{"kind":"Status","message":"no","code":403}', 'no', 'Forbidden'],
    ['no words', 500, '', '{name} answered 500.', 'InternalError'],
    ['plain text', 503, 'upstream connect error 10.0.0.1', '{name} answered 503.', 'ServiceUnavailable'],
  ])('in %s becomes a Status', async (_, code, body, message, reason) => {
    await start()
    plugin.answer = (_request, response) => response.writeHead(code, { 'content-type': 'text/plain' }).end(body)
    for (const [target, name] of [
      [records, 'tekton-results'],
      [runs, 'kubearchive'],
    ] as const) {
      expect(await failure(target)).toMatchObject({ code, reason, message: message.replace('{name}', name) })
    }
  })

  it('says when to come again', async () => {
    await start()
    plugin.answer = json({ message: 'slow down' }, 429, { 'retry-after': '7' })
    expect(await call(runs)).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  })

  it('is a redirect too', async () => {
    await start()
    plugin.answer = (_request, response) => response.writeHead(302, { location: 'http://evil.example' }).end()
    expect(await failure(runs)).toMatchObject({ code: 502 })
  })

  it('names the plugin and the time it was given', async () => {
    await start()
    await call(runs)
    const asked = new Promise<void>((resolve) => (plugin.answer = () => resolve()))
    const answer = failure(runs)
    await asked
    await gateway.clock.advance(60_000)
    expect(await answer).toMatchObject({ code: 504, message: 'kubearchive did not answer within 60000ms.' })
  })
})

it('streams an answer, and cuts it where the plugin breaks off', async () => {
  await start()
  let push = (_: string) => {}
  let breakOff = () => {}
  plugin.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    push = (text) => response.write(text)
    breakOff = () => response.destroy()
  }
  const headers: [string, string][] = [
    ['Host', gateway.host],
    ['Cookie', cookie],
  ]
  const answer = await openRaw({ port: gateway.port, target: runs, headers })
  push('{"kind":"List","items":[')
  expect(String((await once(answer, 'data'))[0])).toBe('{"kind":"List","items":[')
  const cut = once(answer, 'error')
  breakOff()
  expect((await cut)[0]).toMatchObject({ code: 'ECONNRESET' })
})

describe('whether a plugin is there', () => {
  it('is no question when none is configured', async () => {
    gateway = await startListeningGateway()
    cookie = await signIn(gateway.app)
    expect(await failure(`${archive}/livez`)).toMatchObject({ code: 404 })
    expect(await failure(records)).toMatchObject({ code: 404 })
    expect(gateway.upstream.seen).toEqual([])
  })

  it('is looked at once, without credentials', async () => {
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

  it.each([401, 404, 500])('is answered by a %d of Tekton Results, but not of KubeArchive', async (code) => {
    plugin.answer = json({}, code)
    await start()
    expect((await failure(runs)).code).toBe(404)
    plugin.answer = json({})
    expect((await call(records)).status).toBe(200)
  })

  it('is asked again a minute later, behind an answer that is given at once', async () => {
    plugin.answer = json({}, 503)
    await start()
    expect((await failure(runs)).code).toBe(404)
    plugin.answer = json({ kind: 'List', items: [] })
    await gateway.clock.advance(59_000)
    expect((await failure(runs)).code).toBe(404)
    expect(plugin.seen.filter(({ target }) => target === '/livez')).toHaveLength(1)
    await gateway.clock.advance(1_000)
    expect((await failure(runs)).code).toBe(404)
    await expect.poll(async () => (await call(runs)).status).toBe(200)
    expect(plugin.seen.filter(({ target }) => target === '/livez')).toHaveLength(2)
  })

  it('is no for a service that cannot be reached, and nobody is kept waiting by it', async () => {
    const nowhere = { url: 'http://127.0.0.1:1', token: () => 'a' }
    await start({ tektonResults: nowhere, kubeArchive: nowhere })
    expect((await failure(records)).code).toBe(404)
    expect((await failure(runs)).code).toBe(404)
    expect((await call('/api/k8s/version')).status).toBe(200)
  })

  it('is no after five seconds without a word', async () => {
    const asked = new Promise<void>((resolve) => {
      plugin.answer = () => plugin.seen.length === 2 && resolve()
    })
    const own = { url: plugin.url, token: () => 'a' }
    gateway = await startListeningGateway({ tektonResults: own, kubeArchive: own })
    cookie = await signIn(gateway.app)
    await asked
    const answers = [failure(records), failure(runs)]
    await gateway.clock.advance(5_000)
    expect(await Promise.all(answers)).toMatchObject([{ code: 404 }, { code: 404 }])
  })

  it('is not taken back for one failure', async () => {
    await start()
    await call(runs)
    await plugin.close()
    expect(await failure(runs)).toMatchObject({ code: 502, message: 'kubearchive cannot be reached.' })
    plugin = await startEchoUpstream()
  })
})
