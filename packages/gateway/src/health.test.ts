import { afterEach, expect, it, test } from 'vitest'
import { json } from '../test/echo-upstream'
import { gatewayToken, host, startGateway, type GatewayUnderTest } from '../test/gateway-under-test'

let gateway: GatewayUnderTest
afterEach(() => gateway.close())

/** Probes come by address. */
const probe = (url: string) => gateway.app.inject({ url, headers: { host: '10.0.0.7' } })
const codes = async () => [(await probe('/health')).statusCode, (await probe('/ready')).statusCode]

it('tells the process from the cluster behind it', async () => {
  gateway = await startGateway()
  expect(await codes()).toEqual([200, 200])
  const [seen] = gateway.upstream.seen
  expect(seen).toMatchObject({ method: 'GET', target: '/version' })
  expect(seen?.headers).toContainEqual(['authorization', `Bearer ${gatewayToken}`])
})

test.each([500, 503, 401, 302])('is not ready while the cluster answers %d', async (code) => {
  gateway = await startGateway()
  gateway.upstream.answer = json({}, code)
  expect(await codes()).toEqual([200, 503])
})

it('is not ready without a cluster, and tells no address', async () => {
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

it('asks once a second, however often it is asked', async () => {
  gateway = await startGateway()
  await Promise.all(Array.from({ length: 20 }, codes))
  expect(gateway.upstream.seen).toHaveLength(1)
  await gateway.clock.advance(1_000)
  await codes()
  expect(gateway.upstream.seen).toHaveLength(2)
})

it('is not ready when the cluster takes longer than five seconds', async () => {
  gateway = await startGateway()
  const asked = new Promise<void>((resolve) => (gateway.upstream.answer = () => resolve()))
  const answer = probe('/ready')
  await asked
  await gateway.clock.advance(5_000)
  expect((await answer).statusCode).toBe(503)
})

it.each<[string, number]>([
  ['/api/k8s/version', 401],
  ['/api/k8s/version?/health', 401],
  ['/oauth2/userinfo?ready', 401],
  ['/api/k8s/health', 401],
  ['/health/api/k8s/version', 404],
  ['/ready/..%2fapi/k8s/version', 400],
])('a probe opens nothing else: %s', async (url, code) => {
  gateway = await startGateway()
  for (const agent of ['kube-probe/1.33', 'GoogleHC/1.0', 'ELB-HealthChecker/2.0']) {
    const headers = { host, 'user-agent': agent, 'x-original-uri': '/health' }
    expect((await gateway.app.inject({ url, headers })).statusCode).toBe(code)
  }
  expect(gateway.upstream.seen).toEqual([])
})
