import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { HttpError } from '@slipway/connect/http-error'
import { json, startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import { configMapType } from '@slipway/kube/core-types'
import { ApiError } from '@slipway/kube/status'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import fastify from 'fastify'
import { UnsecuredJWT } from 'jose'
import { ada, gatewayToken, host, signIn, startGateway } from '../../test/gateway-under-test'
import type { KubernetesSettings } from './settings'
import { createUpstreams, type Upstreams } from './upstreams'

let echo: EchoUpstream
let clock: ManualClock
let upstreams: Upstreams
const createUpstreamsAs = (as: KubernetesSettings['as']) =>
  createUpstreams({
    settings: {
      isLocal: true,
      kubernetes: {
        name: 'kubernetes',
        access: { url: `${echo.url}/base`, token: gatewayToken },
        as,
        namespaceSelector: '',
      },
      namespaceLister: undefined,
      plugins: [],
    },
    firstByteMs: 60_000,
    env: {},
    clock,
    log: fastify().log,
  })
beforeEach(async () => {
  echo = await startEchoUpstream()
  clock = manualClock()
  upstreams = await createUpstreamsAs('impersonate')
})
afterEach(async () => {
  await upstreams.close()
  await echo.close()
})

test.each<[KubernetesSettings['as']]>([['impersonate'], ['id-token'], ['own']])(
  'a session without a user name gets no headers with %s',
  async (as) => {
    await upstreams.close()
    upstreams = await createUpstreamsAs(as)
    const idToken = new UnsecuredJWT({}).setExpirationTime(clock.now() / 1000 + 60).encode()
    const headersFor = async (user: string) => {
      const caller = { identity: { ...ada, user }, idToken }
      return (await upstreams.kubernetes.outgoing({ caller, requestId: 'request-1' })).headers
    }
    for (const user of ['', ' ']) await expect(headersFor(user)).rejects.toMatchObject({ code: 401 })
    expect(await headersFor('ada')).toMatchObject({ 'audit-id': 'request-1' })
  },
)

it("the client calls with the gateway's own credentials", async () => {
  echo.respond = json({ metadata: { name: 'a' } })
  const { kubeClient } = upstreams.kubernetes
  await kubeClient.get(configMapType, 'a', { namespace: 'b' })
  await kubeClient.create(configMapType, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'b' },
  })
  expect(echo.seen).toMatchObject([
    { method: 'GET', target: '/base/api/v1/namespaces/b/configmaps/a' },
    {
      method: 'POST',
      target: '/base/api/v1/namespaces/b/configmaps',
      body: expect.stringContaining('"ConfigMap"') as string,
    },
  ])
  for (const { headers } of echo.seen) {
    expect(headers).toContainEqual(['authorization', `Bearer ${gatewayToken}`])
    expect(headers.filter(([name]) => name.startsWith('impersonate'))).toEqual([])
  }
})

test.each<[string, number, number]>([
  ['an error of the cluster', 409, 409],
  ['a rejected token', 401, 0],
  ['a redirect', 302, 0],
])('%s in a call of the gateway is thrown as an ApiError', async (_, code, expected) => {
  echo.respond = json({ kind: 'Status', code }, code)
  const error: unknown = await upstreams.kubernetes.kubeClient.request('/version').catch((each: unknown) => each)
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).code).toBe(expected)
  if (expected === 0) expect((error as ApiError).cause).toBeInstanceOf(HttpError)
})

it('a call of one user is not delayed while fifty calls of another hang', async () => {
  const gateway = await startGateway()
  const eve = await signIn(gateway.app, { user: 'eve@slipway.test' })
  let hanging = 0
  const allHang = new Promise<void>((resolve) => {
    gateway.upstream.respond = (request, response) => {
      if (request.headers['impersonate-user'] === ada.user) return void response.end('{}')
      if (++hanging === 50) resolve()
    }
  })
  const url = '/api/k8s/api/v1/namespaces/a/pods'
  const calls = Array.from({ length: 50 }, () => gateway.app.inject({ url, headers: { host, cookie: eve } }))
  await allHang
  const response = await gateway.app.inject({ url, headers: { host, cookie: await signIn(gateway.app) } })
  expect(response.statusCode).toBe(200)
  await gateway.clock.advance(60_000)
  for (const each of await Promise.all(calls)) {
    expect(each.json()).toMatchObject({ code: 504, message: 'kubernetes did not respond within 60000 ms.' })
  }
  await gateway.close()
})
