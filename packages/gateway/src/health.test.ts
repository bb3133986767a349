import { afterEach, expect, it, test } from 'vitest'
import { json } from '@slipway/connect/testing'
import { gatewayToken, host, startGateway, type GatewayUnderTest } from '../test/gateway-under-test'

let gateway: GatewayUnderTest
afterEach(() => gateway.close())

/** Probes use the IP address as host. */
const probe = (url: string) => gateway.app.inject({ url, headers: { host: '10.0.0.7' } })
const codes = async () => [(await probe('/health')).statusCode, (await probe('/ready')).statusCode]

it("/health and /ready succeed, and /ready calls the cluster with the gateway's credentials", async () => {
  gateway = await startGateway()
  expect(await codes()).toEqual([200, 200])
  const [seen] = gateway.upstream.seen
  expect(seen).toMatchObject({ method: 'GET', target: '/version' })
  expect(seen?.headers).toContainEqual(['authorization', `Bearer ${gatewayToken}`])
})

test.each([500, 503, 401, 302])('/ready fails while the cluster responds with %d', async (code) => {
  gateway = await startGateway()
  gateway.upstream.respond = json({}, code)
  expect(await codes()).toEqual([200, 503])
})

it('/ready fails without a cluster and does not reveal its address', async () => {
  gateway = await startGateway()
  await gateway.upstream.close()
  expect(await codes()).toEqual([200, 503])
  expect((await probe('/ready')).json()).toEqual({
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: 'Not ready: kubernetes.',
    reason: 'ServiceUnavailable',
    code: 503,
  })
})

it('the cluster is checked once a second, however often /ready is probed', async () => {
  gateway = await startGateway()
  await Promise.all(Array.from({ length: 20 }, codes))
  expect(gateway.upstream.seen).toHaveLength(1)
  await gateway.clock.advance(1_000)
  await codes()
  expect(gateway.upstream.seen).toHaveLength(2)
})

it('/ready fails when the cluster takes longer than five seconds', async () => {
  gateway = await startGateway()
  const asked = new Promise<void>((resolve) => (gateway.upstream.respond = () => resolve()))
  const response = probe('/ready')
  await asked
  await gateway.clock.advance(5_000)
  expect((await response).statusCode).toBe(503)
})

it.each<[string, number]>([
  ['/api/k8s/version', 401],
  ['/api/k8s/version?/health', 401],
  ['/oauth2/userinfo?ready', 401],
  ['/api/k8s/health', 401],
  ['/health/api/k8s/version', 404],
  ['/ready/..%2fapi/k8s/version', 400],
])('a probe user agent does not give access to %s', async (url, code) => {
  gateway = await startGateway()
  for (const agent of ['kube-probe/1.33', 'GoogleHC/1.0', 'ELB-HealthChecker/2.0']) {
    const headers = { host, 'user-agent': agent, 'x-original-uri': '/health' }
    expect((await gateway.app.inject({ url, headers })).statusCode).toBe(code)
  }
  expect(gateway.upstream.seen).toEqual([])
})
