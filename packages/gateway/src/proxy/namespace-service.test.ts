import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { json, startEchoUpstream, type RequestHandler, type EchoUpstream } from '@slipway/connect/testing'
import { fromOurPage, host, signIn, startGateway, type GatewayUnderTest } from '../../test/gateway-under-test'

const url = '/api/k8s/api/v1/namespaces'
const namespace = (name: string, labels?: Record<string, string>, phase = 'Active') => ({
  metadata: { name, ...(labels && { labels }) },
  status: { phase },
})
const items = [
  namespace('one', { 'example.com/type': 'tenant', team: 'a' }),
  namespace('two', { 'example.com/type': 'tenant', team: 'b' }),
  namespace('three', { 'example.com/type': 'tenant' }, 'Terminating'),
  namespace('four', { team: 'a' }),
  namespace('five'),
]

let gateway: GatewayUnderTest
let lister: EchoUpstream
beforeEach(async () => {
  lister = await startEchoUpstream()
  lister.respond = json({ metadata: { resourceVersion: '7' }, items })
  gateway = await startGateway({
    kubernetes: { namespaceSelector: 'example.com/type=tenant' },
    namespaceLister: { url: lister.url },
  })
})
afterEach(async () => {
  await gateway.close()
  await lister.close()
})

const list = async (query = '', end = '') =>
  gateway.app.inject({ url: `${url}${end}${query}`, headers: { host, cookie: await signIn(gateway.app) } })
const namesIn = (body: { items: { metadata: { name: string } }[] }) => body.items.map(({ metadata }) => metadata.name)

test.each(['', '/'])("the list of namespaces%s is the lister's response, with kind and version added", async (end) => {
  const response = await list('', end)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({
    kind: 'NamespaceList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '7' },
    items: items.slice(0, 3),
  })
  expect(lister.seen).toMatchObject([{ method: 'GET', target: '/api/v1/namespaces' }])
  expect(gateway.upstream.seen).toEqual([])
})

test.each<[string, string[]]>([
  ['team=a', ['one']],
  ['team!=a', ['two', 'three']],
  ['team', ['one', 'two']],
  ['!team', ['three']],
  ['team in (b,c)', ['two']],
  ['team=x', []],
])(
  "the label selector %s, which listers do not support, is applied to the lister's response",
  async (selector, expected) => {
    expect(namesIn((await list(`?labelSelector=${encodeURIComponent(selector)}`)).json())).toEqual(expected)
  },
)

test.each<[string, string[]]>([
  ['metadata.name=two', ['two']],
  ['metadata.name!=two', ['one', 'three']],
  ['status.phase=Terminating', ['three']],
])("the field selector %s is applied to the lister's response", async (selector, expected) => {
  expect(namesIn((await list(`?fieldSelector=${encodeURIComponent(selector)}`)).json())).toEqual(expected)
})

test.each(['?labelSelector=a%3D%3D%3Db', '?labelSelector=a%20in%20b', '?fieldSelector=spec.a%3Db', '?fieldSelector=x'])(
  'the invalid selector %s is rejected',
  async (query) => {
    expect((await list(query)).json()).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' })
    expect(lister.seen).toEqual([])
  },
)

it('the list of namespaces cannot be watched', async () => {
  expect((await list('?watch=true')).statusCode).toBe(405)
  expect(lister.seen).toEqual([])
})

const text =
  (code: number, body: string): RequestHandler =>
  (_request, response) =>
    response.writeHead(code, { 'content-type': 'text/plain' }).end(body)
const failed = (code: number) => `namespace-lister failed (${code}).`
const noList = 'namespace-lister did not return a list of namespaces.'
test.each<[string, RequestHandler, string]>([
  ['fails in plain text', text(500, 'error at 10.0.0.1: secret'), failed(500)],
  ['responds with 403', text(403, 'forbidden'), failed(403)],
  ['does not return JSON', text(200, 'ok'), noList],
  ['returns an empty body', text(200, ''), noList],
  ['returns null', json(null), noList],
  ['returns no items', json({ items: null }), noList],
  ['returns items without names', json({ items: [namespace('a'), { metadata: {} }] }), noList],
  ['returns null items', json({ items: [null] }), noList],
  ['requires credentials', json({}, 401), 'namespace-lister does not accept the configured credentials.'],
  ['redirects', json({}, 302), 'namespace-lister responded with a redirect, which is not followed.'],
])('a lister that %s causes a 502', async (_, respond, message) => {
  lister.respond = respond
  const response = await list()
  expect(response.headers).not.toHaveProperty('www-authenticate')
  expect(response.json()).toMatchObject({ kind: 'Status', code: 502, reason: 'ServiceUnavailable', message })
})

it('a lister that aborts its response causes a 502', async () => {
  lister.respond = (_request, response) => {
    response.writeHead(200)
    response.write('{"items":[', () => response.destroy())
  }
  expect((await list()).json()).toMatchObject({ code: 502, message: 'namespace-lister cannot be reached.' })
})

it('a slow lister causes a 504 that names it', async () => {
  const asked = new Promise<void>((resolve) => (lister.respond = () => resolve()))
  const response = list()
  await asked
  await gateway.clock.advance(60_000)
  expect((await response).json()).toMatchObject({
    code: 504,
    message: 'namespace-lister did not respond within 60000 ms.',
  })
})

it('requests for a single namespace and its creation go to the cluster', async () => {
  const headers = { host, cookie: await signIn(gateway.app), ...fromOurPage, 'content-type': 'application/json' }
  await gateway.app.inject({ url: `${url}/one`, headers: { host, cookie: headers.cookie } })
  await gateway.app.inject({ method: 'POST', url, headers, payload: '{}' })
  expect(gateway.upstream.seen).toMatchObject([
    { method: 'GET', target: '/api/v1/namespaces/one' },
    { method: 'POST', target: '/api/v1/namespaces' },
  ])
  expect(lister.seen).toEqual([])
})
