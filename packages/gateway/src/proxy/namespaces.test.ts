import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { json, type RequestHandler } from '@slipway/connect/testing'
import {
  ada,
  gatewayToken,
  host,
  signIn,
  startGateway,
  type GatewayUnderTest,
  type Overrides,
} from '../../test/gateway-under-test'

const url = '/api/k8s/api/v1/namespaces'
const names = Array.from({ length: 40 }, (_, index) => `ns-${index}`)
const mine = ['ns-3', 'ns-13', 'ns-23', 'ns-33']
const namespace = (name: string) => ({
  metadata: { name, ...(/^ns-1?3$/.test(name) && { labels: { team: 'three' } }) },
})
const eve = { ...ada, user: 'eve@slipway.test', email: 'eve@slipway.test', groups: [] }

let gateway: GatewayUnderTest
const start = async (limits: Overrides['limits'] = {}) => {
  gateway = await startGateway({ kubernetes: { namespaceSelector: 'example.com/type=tenant' }, limits })
  gateway.upstream.respond = cluster
}
beforeEach(() => start())
afterEach(() => gateway.close())

/** Lists the namespaces, and lets Ada get only hers. */
const cluster: RequestHandler = (request, response, body) => {
  const value = request.url?.startsWith('/api/v1/namespaces')
    ? { metadata: { resourceVersion: '1207' }, items: names.map(namespace) }
    : { status: { allowed: isMine(body) } }
  json(value)(request, response, body)
}
const isMine = (review: string) => {
  const { spec } = JSON.parse(review) as { spec: { user: string; resourceAttributes: { namespace: string } } }
  return spec.user === ada.email && mine.includes(spec.resourceAttributes.namespace)
}

const list = async (query = '', who = ada) => {
  const cookie = await signIn(gateway.app, who)
  return gateway.app.inject({ url: `${url}${query}`, headers: { host, cookie } })
}
const namesOf = (body: { items: { metadata: { name: string } }[] }) => body.items.map(({ metadata }) => metadata.name)

test.each(['', '/', '?limit=2', '/?resourceVersion=0&watch=false'])(
  'returns the namespaces that the user may get, at "%s"',
  async (end) => {
    const response = await list(end)
    expect(response.headers['cache-control']).toBe('no-store')
    const body = response.json()
    expect(body).toMatchObject({ kind: 'NamespaceList', apiVersion: 'v1', metadata: { resourceVersion: '1207' } })
    expect(namesOf(body)).toEqual(mine)
  },
)

it("the gateway reviews the user's access to each namespace with its own credentials", async () => {
  await list()
  const { seen } = gateway.upstream
  expect(seen).toHaveLength(1 + names.length)
  for (const { headers } of seen) {
    expect(headers).toContainEqual(['authorization', `Bearer ${gatewayToken}`])
    expect(headers.filter(([name]) => name.startsWith('impersonate'))).toEqual([])
  }
  expect(seen[0]?.target).toBe('/api/v1/namespaces?labelSelector=example.com%2Ftype%3Dtenant')
  expect(seen[1]).toMatchObject({ method: 'POST', target: '/apis/authorization.k8s.io/v1/subjectaccessreviews' })
  expect(JSON.parse(seen[1]?.body ?? '')).toEqual({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: ada.email,
      groups: ['team-a', 'system:authenticated'],
      resourceAttributes: { verb: 'get', version: 'v1', resource: 'namespaces', namespace: 'ns-0', name: 'ns-0' },
    },
  })
})

it.each<[string, string[]]>([
  ['?labelSelector=team%3Dthree', ['ns-3', 'ns-13']],
  ['?labelSelector=team!%3Dthree', ['ns-23', 'ns-33']],
  ['?fieldSelector=metadata.name%3Dns-3', ['ns-3']],
  ['?labelSelector=team%3Dthree&fieldSelector=metadata.name!%3Dns-3', ['ns-13']],
])('the selectors of the request filter the list of the configured selector: %s', async (query, expected) => {
  expect(namesOf((await list(query)).json())).toEqual(expected)
  expect(gateway.upstream.seen[0]?.target).toBe('/api/v1/namespaces?labelSelector=example.com%2Ftype%3Dtenant')
})

it('a selector that the upstream would reject is a 400 that makes no call', async () => {
  expect((await list('?labelSelector=a%20in%20(')).statusCode).toBe(400)
  expect((await list('?fieldSelector=spec.x%3Dy')).statusCode).toBe(400)
  expect(gateway.upstream.seen).toEqual([])
})

it('lists of one user with different selectors fetch the namespaces once and review each namespace once', async () => {
  const queries = names.map((name) => `?fieldSelector=metadata.name!%3D${name}`)
  const responses = await Promise.all(queries.map((query) => list(query)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 200))
  expect(gateway.upstream.seen).toHaveLength(1 + names.length)
})

it('a list reviews only the namespaces that its selectors match', async () => {
  await list('?fieldSelector=metadata.name%3Dns-3')
  expect(gateway.upstream.seen).toHaveLength(2)
  await list()
  expect(gateway.upstream.seen).toHaveLength(1 + names.length)
})

it('a right that is taken ends for every selector once the cache expires', async () => {
  expect(namesOf((await list()).json())).toEqual(mine)
  await gateway.clock.advance(2_000)
  expect(namesOf((await list('?labelSelector=team%3Dthree')).json())).toEqual(['ns-3', 'ns-13'])
  gateway.upstream.respond = (request, response, body) =>
    cluster(request, response, body.replaceAll('"ns-3"', '"ns-0"'))
  await gateway.clock.advance(1_000)
  expect(namesOf((await list('?labelSelector=team%3Dthree')).json())).toEqual(['ns-13'])
})

it('the reviews count against the rate limit of the user, up to half of the burst', async () => {
  await gateway.close()
  await start({ callBurst: 48, callsPerSecond: 1 })
  // 1 call and 24 of the 40 reviews, then 1 call from the cache.
  expect((await list()).statusCode).toBe(200)
  expect((await list('?labelSelector=team%3Dthree')).statusCode).toBe(200)
  await gateway.clock.advance(3_000)
  // 48 - 26 + 3 - 1 = 24: enough for the next list, and for no other after that.
  expect((await list()).statusCode).toBe(200)
  await gateway.clock.advance(3_000)
  const { statusCode, headers } = await list()
  expect([statusCode, headers['retry-after']]).toEqual([429, '22'])
  expect((await list('', eve)).statusCode).toBe(200)
})

it('reviews no more than sixteen namespaces at a time', async () => {
  let underway = 0
  let most = 0
  gateway.upstream.respond = (request, response, body) => {
    most = Math.max(most, ++underway)
    setImmediate(() => {
      underway--
      cluster(request, response, body)
    })
  }
  await list()
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(16)
})

it('the list is cached for three seconds, for this user only', async () => {
  await Promise.all([list(), list()])
  expect(gateway.upstream.seen).toHaveLength(41)
  expect(namesOf((await list('', eve)).json())).toEqual([])
  expect(gateway.upstream.seen).toHaveLength(82)
  await gateway.clock.advance(2_999)
  await list()
  expect(gateway.upstream.seen).toHaveLength(82)
  await gateway.clock.advance(1)
  await list()
  expect(gateway.upstream.seen).toHaveLength(123)
})

it('the cached list is not used for another user in the same groups, nor for the same user in other groups', async () => {
  expect(namesOf((await list()).json())).toEqual(mine)
  expect(namesOf((await list('', { ...eve, groups: ada.groups })).json())).toEqual([])
  expect(gateway.upstream.seen).toHaveLength(82)
  await list('', { ...ada, groups: [] })
  expect(gateway.upstream.seen).toHaveLength(123)
})

it('the list fails completely if one review fails, and the next request tries again', async () => {
  gateway.upstream.respond = (request, response, body) =>
    body.includes('ns-7"') ? json({}, 500)(request, response, body) : cluster(request, response, body)
  expect((await list()).json()).toMatchObject({ code: 502, reason: 'ServiceUnavailable' })
  gateway.upstream.respond = cluster
  expect((await list()).statusCode).toBe(200)
})

it('the list fails if the upstream returns something else', async () => {
  gateway.upstream.respond = json({ kind: 'Nonsense' })
  expect((await list()).json()).toMatchObject({ code: 502, message: 'kubernetes did not return a list of namespaces.' })
})

test.each(['?watch=true', '?watch=1', '?watch', '?watch=', '/?limit=1&watch=TRUE', '?watch=false&watch=true'])(
  'a watch of the list is rejected: %s',
  async (query) => {
    expect((await list(query)).json()).toMatchObject({ kind: 'Status', code: 405, reason: 'MethodNotAllowed' })
    expect(gateway.upstream.seen).toEqual([])
  },
)

test.each([`${url}/ns-3`, `${url}/ns-3/pods`])('forwards %s to the upstream as the user', async (path) => {
  const cookie = await signIn(gateway.app)
  await gateway.app.inject({ url: path, headers: { host, cookie } })
  expect(gateway.upstream.seen[0]?.headers).toContainEqual(['impersonate-user', ada.email])
})
