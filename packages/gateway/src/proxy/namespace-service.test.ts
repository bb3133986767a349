import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { json, startEchoUpstream, type Answer, type EchoUpstream } from '../../test/echo-upstream'
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
  lister.answer = json({ metadata: { resourceVersion: '7' }, items })
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

test.each(['', '/'])('the list of namespaces%s is what the lister says, with its kind and version', async (end) => {
  const answer = await list('', end)
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({
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
])('the label selector %s, which a lister does not know, is applied to its answer', async (selector, expected) => {
  expect(namesIn((await list(`?labelSelector=${encodeURIComponent(selector)}`)).json())).toEqual(expected)
})

test.each<[string, string[]]>([
  ['metadata.name=two', ['two']],
  ['metadata.name!=two', ['one', 'three']],
  ['status.phase=Terminating', ['three']],
])('so is the field selector %s', async (selector, expected) => {
  expect(namesIn((await list(`?fieldSelector=${encodeURIComponent(selector)}`)).json())).toEqual(expected)
})

test.each(['?labelSelector=a%3D%3D%3Db', '?labelSelector=a%20in%20b', '?fieldSelector=spec.a%3Db', '?fieldSelector=x'])(
  'a selector that makes no sense is refused: %s',
  async (query) => {
    expect((await list(query)).json()).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' })
    expect(lister.seen).toEqual([])
  },
)

it('is not watched', async () => {
  expect((await list('?watch=true')).statusCode).toBe(405)
  expect(lister.seen).toEqual([])
})

const text =
  (code: number, body: string): Answer =>
  (_request, response) =>
    response.writeHead(code, { 'content-type': 'text/plain' }).end(body)
const failed = (code: number) => `namespace-lister failed (${code}).`
const noList = 'namespace-lister answered no list of namespaces.'
test.each<[string, Answer, string]>([
  ['fails in plain text', text(500, 'error at 10.0.0.1: secret'), failed(500)],
  ['lets nobody in', text(403, 'forbidden'), failed(403)],
  ['answers no JSON', text(200, 'ok'), noList],
  ['answers nothing', text(200, ''), noList],
  ['answers null', json(null), noList],
  ['answers no items', json({ items: null }), noList],
  ['answers items without names', json({ items: [namespace('a'), { metadata: {} }] }), noList],
  ['answers items that are none', json({ items: [null] }), noList],
  ['asks for credentials', json({}, 401), "namespace-lister does not accept the gateway's credentials."],
  ['redirects', json({}, 302), 'namespace-lister answered with a redirect, which is not followed.'],
])('a lister that %s makes a 502', async (_, answer, message) => {
  lister.answer = answer
  const response = await list()
  expect(response.headers).not.toHaveProperty('www-authenticate')
  expect(response.json()).toMatchObject({ kind: 'Status', code: 502, reason: 'ServiceUnavailable', message })
})

it('a lister that breaks off makes a 502', async () => {
  lister.answer = (_request, response) => {
    response.writeHead(200)
    response.write('{"items":[', () => response.destroy())
  }
  expect((await list()).json()).toMatchObject({ code: 502, message: 'namespace-lister cannot be reached.' })
})

it('a lister that is slow makes a 504 that names it', async () => {
  const asked = new Promise<void>((resolve) => (lister.answer = () => resolve()))
  const answer = list()
  await asked
  await gateway.clock.advance(60_000)
  expect((await answer).json()).toMatchObject({ code: 504, message: 'namespace-lister did not answer within 60000ms.' })
})

it('leaves a namespace, and the making of one, to the cluster', async () => {
  const headers = { host, cookie: await signIn(gateway.app), ...fromOurPage, 'content-type': 'application/json' }
  await gateway.app.inject({ url: `${url}/one`, headers: { host, cookie: headers.cookie } })
  await gateway.app.inject({ method: 'POST', url, headers, payload: '{}' })
  expect(gateway.upstream.seen).toMatchObject([
    { method: 'GET', target: '/api/v1/namespaces/one' },
    { method: 'POST', target: '/api/v1/namespaces' },
  ])
  expect(lister.seen).toEqual([])
})
