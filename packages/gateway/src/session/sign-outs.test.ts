import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JWTPayload } from 'jose'
import { WebSocket } from 'ws'
import { createApiServer } from '@slipway/apiserver/api-server'
import { listen } from '@slipway/apiserver/node/listen'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { createBrowser } from '../../test/browser'
import { signIn, startListeningGateway, type ListeningGateway, type Overrides } from '../../test/gateway-under-test'

const token = 'sentinel-admin-token'
const namespace = 'slipway'
const configMap = 'sign-outs'

let replicas: ListeningGateway[]
let admin: KubeClient
let overrides: Overrides
let stopCluster: () => Promise<void>

beforeEach(async () => {
  const storage = memoryStorage()
  const server = await createApiServer({
    storage,
    authenticate: (sent) => (sent === token ? { name: 'gateway', groups: ['system:masters'] } : undefined),
  })
  const cluster = await listen(server, { host: '127.0.0.1', port: 0 })
  admin = createKubeClient({ baseUrl: cluster.url, headers: { authorization: `Bearer ${token}` } })
  await admin.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  overrides = {
    kubernetes: { access: { url: cluster.url, token }, as: 'own' },
    session: { keys: [new Uint8Array(32).fill(1)], signOuts: { namespace, configMap } },
    limits: { pingMs: 3_600_000 },
  }
  replicas = [await startListeningGateway(overrides), await startListeningGateway(overrides)]
  stopCluster = async () => {
    await cluster.close()
    await server.close()
    storage.close()
  }
})
afterEach(async () => {
  for (const replica of replicas) await replica.close()
  await stopCluster()
})

/** Advances every replica's clock in small steps, slower than real time, until the expectation holds. */
const eventually = (holds: () => Promise<unknown>) =>
  expect.poll(
    async () => {
      for (const { clock } of replicas) await clock.advance(250)
      return holds()
    },
    { interval: 500 },
  )
const isReady = async ({ app }: ListeningGateway) => (await app.inject({ url: '/ready' })).statusCode
const statusAt = async ({ app, host }: ListeningGateway, cookie: string) =>
  (await app.inject({ url: '/oauth2/userinfo', headers: { host, cookie } })).statusCode
const signOutAt = async ({ app, host }: ListeningGateway, cookie: string) =>
  app.inject({ url: '/oauth2/sign_out', headers: { host, cookie, 'sec-fetch-site': 'same-origin' } })
async function watchAt({ host, origin }: ListeningGateway, cookie: string) {
  const path = '/wss/k8s/api/v1/namespaces/slipway/configmaps?watch=true'
  const socket = new WebSocket(`ws://${host}${path}`, { headers: { cookie, origin } })
  await once(socket, 'open')
  return socket
}

it('a sign-out takes effect on every replica within seconds, for calls and open streams, and for no other session', async () => {
  const [here, there] = replicas as [ListeningGateway, ListeningGateway]
  await eventually(() => isReady(there)).toBe(200)
  const mine = await signIn(here.app)
  const other = await signIn(here.app)
  const [socket, otherSocket] = [await watchAt(there, mine), await watchAt(there, other)]
  const closed = once(socket, 'close')
  const startedAt = there.clock.now()
  expect((await signOutAt(here, mine)).statusCode).toBe(204)
  expect(await statusAt(here, mine)).toBe(401)
  await eventually(() => statusAt(there, mine)).toBe(401)
  expect((await closed)[0]).toBe(4401)
  expect(there.clock.now() - startedAt).toBeLessThan(5_000)
  expect(await statusAt(there, other)).toBe(200)
  expect(otherSocket.readyState).toBe(WebSocket.OPEN)
  otherSocket.terminate()

  // The ConfigMap does not reveal the user.
  const { data } = await admin.get(configMapType, configMap, { namespace })
  expect(Object.entries(data ?? {})).toEqual([
    [expect.stringMatching(/^[\w-]{22}$/), expect.stringMatching(/^\d{10}$/)],
  ])
})

it.each<[string, JWTPayload]>([
  ['a session', { sid: 's-1' }],
  ['a user', { sub: 'u-1' }],
])('a logout of %s at the provider ends calls and streams on every replica within seconds', async (_, ended) => {
  const [here, there] = replicas as [ListeningGateway, ListeningGateway]
  await eventually(() => isReady(there)).toBe(200)
  const { issuer } = here
  Object.assign(issuer.claims, { sub: 'u-1', sid: 's-1' })
  issuer.metadata.backchannel_logout_supported = true
  const browser = createBrowser(here.app, here.host)
  const { headers } = await browser.get('/oauth2/start')
  await browser.get(issuer.authorize(new URL(String(headers.location))))
  const mine = browser.header()
  const [socket, otherSocket] = [await watchAt(there, mine), await watchAt(there, await signIn(here.app))]
  const closed = once(socket, 'close')
  const iat = Math.floor(here.clock.now() / 1000)
  const token = await issuer.sign({
    iss: issuer.url,
    aud: 'slipway',
    iat,
    exp: iat + 60,
    jti: 'a',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    ...ended,
  })
  const { statusCode } = await here.app.inject({
    method: 'POST',
    url: '/oauth2/backchannel_logout',
    headers: { host: here.host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `logout_token=${token}`,
  })
  expect(statusCode).toBe(200)
  await eventually(() => statusAt(there, mine)).toBe(401)
  expect((await closed)[0]).toBe(4401)
  expect(otherSocket.readyState).toBe(WebSocket.OPEN)
  otherSocket.terminate()
})

it('a replica that starts later knows a sign-out before it is ready', async () => {
  const [here] = replicas as [ListeningGateway]
  const cookie = await signIn(here.app)
  await signOutAt(here, cookie)
  const late = await startListeningGateway(overrides)
  replicas.push(late)
  await eventually(() => isReady(late)).toBe(200)
  expect(await statusAt(late, cookie)).toBe(401)
})

it('a sign-out is removed when the cookie would have expired', async () => {
  const [here] = replicas as [ListeningGateway]
  const cookie = await signIn(here.app)
  await signOutAt(here, cookie)
  await here.clock.advance(25 * 3_600_000)
  await signOutAt(here, await signIn(here.app))
  const { data } = await admin.get(configMapType, configMap, { namespace })
  expect(Object.keys(data ?? {})).toHaveLength(1)
})

it('a sign-out that cannot be written takes effect here at once and is written as soon as possible', async () => {
  const [here, there] = replicas as [ListeningGateway, ListeningGateway]
  const cookie = await signIn(here.app)
  await admin.delete(namespaceType, namespace)
  expect((await signOutAt(here, cookie)).statusCode).toBe(204)
  expect(await statusAt(here, cookie)).toBe(401)
  expect(await statusAt(there, cookie)).toBe(200)
  await admin.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  await eventually(() => statusAt(there, cookie)).toBe(401)
})
