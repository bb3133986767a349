import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { json } from '@slipway/connect/testing'
import {
  fromOurPage,
  gatewayToken,
  host,
  origin,
  signIn,
  startGateway,
  type GatewayUnderTest,
  type Overrides,
} from '../../test/gateway-under-test'

const apiVersion = 'authorization.k8s.io/v1'
const access = (resource: string) => ({
  apiVersion,
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb: 'list', resource, namespace: 'a' } },
})
const rules = { apiVersion, kind: 'SelfSubjectRulesReview', spec: { namespace: 'a' } }

let gateway: GatewayUnderTest
const start = async (overrides: Overrides = {}) => {
  gateway = await startGateway(overrides)
  // Only listing pods is allowed.
  gateway.upstream.respond = (request, response, body) => {
    const { spec } = JSON.parse(body) as { spec: { resourceAttributes?: { resource: string } } }
    json({ status: { allowed: spec.resourceAttributes?.resource === 'pods' } })(request, response, body)
  }
}
beforeEach(() => start())
afterEach(() => gateway.close())

const post = async (payload: unknown, headers: Record<string, string> = fromOurPage, cookie?: string) =>
  gateway.app.inject({
    method: 'POST',
    url: '/api/k8s/access-reviews',
    headers: {
      host,
      origin,
      cookie: cookie ?? (await signIn(gateway.app)),
      'content-type': 'application/json',
      ...headers,
    },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

it('sends each review as the user and returns the results in order', async () => {
  const response = await post({ items: [access('pods'), access('secrets'), rules] })
  expect(response.statusCode).toBe(200)
  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.json()).toEqual({
    items: [true, false, false].map((allowed) => ({ code: 200, body: { status: { allowed } } })),
  })
  const { seen } = gateway.upstream
  expect(seen.map(({ method, target }) => `${method} ${target}`).sort()).toEqual([
    'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  ])
  for (const { headers } of seen) {
    expect(headers).toContainEqual(['authorization', `Bearer ${gatewayToken}`])
    expect(headers).toContainEqual(['impersonate-user', 'ada@slipway.test'])
  }
})

it('forwards only the spec of a review', async () => {
  await post({ items: [{ ...access('pods'), metadata: { name: 'x' }, status: { allowed: true } }] })
  expect(JSON.parse(gateway.upstream.seen[0]?.body ?? '')).toEqual({ ...access('pods'), metadata: {} })
})

it('a failed review does not affect the results of the others', async () => {
  gateway.upstream.respond = (request, response, body) => {
    if (body.includes('secrets')) return void response.writeHead(401).end()
    if (body.includes('nodes')) return void response.writeHead(200).end('<html>')
    if (body.includes('events')) return void response.writeHead(422, { 'content-type': 'application/json' }).end('{}')
    json({ status: { allowed: true } })(request, response, body)
  }
  const { items } = (await post({ items: ['pods', 'secrets', 'nodes', 'events'].map(access) })).json<{
    items: { code: number; body: unknown }[]
  }>()
  expect(items.map(({ code }) => code)).toEqual([200, 502, 502, 422])
  expect(items[1]?.body).toMatchObject({ kind: 'Status', code: 502 })
})

it('the longest batch is not reported as a leak of listeners', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  try {
    const response = await post({ items: Array.from({ length: 32 }, () => access('pods')) })
    expect(response.json<{ items: unknown[] }>().items).toHaveLength(32)
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', onWarning)
  }
})

describe('rejected batches', () => {
  test.each<[string, unknown]>([
    ['is not valid JSON', '{'],
    ['has no list of items', { items: {} }],
    ['is null', 'null'],
    ["contains a review of another user's access", { items: [{ ...access('pods'), kind: 'SubjectAccessReview' }] }],
    ['contains an object of another kind', { items: [access('pods'), { apiVersion: 'v1', kind: 'Secret', spec: {} }] }],
    [
      'is nested too deeply to be written again',
      `{"items":[{"apiVersion":"${apiVersion}","kind":"SelfSubjectRulesReview","spec":${'['.repeat(30_000)}${']'.repeat(30_000)}}]}`,
    ],
    ['contains more than 32 reviews', { items: Array.from({ length: 33 }, () => access('pods')) }],
  ])('a batch that %s is rejected with 400', async (_, payload) => {
    expect((await post(payload)).statusCode).toBe(400)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a batch that is too large is rejected with 413', async () => {
    expect((await post({ items: [access('x'.repeat(65_536))] })).statusCode).toBe(413)
  })

  it('a batch that does not come from one of our pages or has no session is rejected', async () => {
    expect((await post({ items: [access('pods')] }, {})).statusCode).toBe(403)
    expect((await post({ items: [access('pods')] }, fromOurPage, 'none=1')).statusCode).toBe(401)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a GET of the batch path is a 404', async () => {
    const cookie = await signIn(gateway.app)
    const response = await gateway.app.inject({ url: '/api/k8s/access-reviews', headers: { host, cookie } })
    expect(response.statusCode).toBe(404)
  })
})

it('a batch larger than the burst limit is allowed and uses up the whole burst', async () => {
  await gateway.close()
  await start({ limits: { callBurst: 3 } })
  const cookie = await signIn(gateway.app)
  const items = Array.from({ length: 6 }, () => access('pods'))
  expect((await post({ items }, fromOurPage, cookie)).statusCode).toBe(200)
  expect((await post({ items: [access('pods')] }, fromOurPage, cookie)).statusCode).toBe(429)
})

it('each review counts against the rate limit of the session', async () => {
  await gateway.close()
  await start({ limits: { callBurst: 10 } })
  const cookie = await signIn(gateway.app)
  const items = Array.from({ length: 6 }, () => access('pods'))
  expect((await post({ items }, fromOurPage, cookie)).statusCode).toBe(200)
  const rejected = await post({ items }, fromOurPage, cookie)
  expect(rejected.statusCode).toBe(429)
  expect(rejected.headers['retry-after']).toBe('1')
  expect(gateway.upstream.seen).toHaveLength(6)
})
