import { once } from 'node:events'
import { UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import { json, startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import { ada, configFor, cookieOf, gatewayToken, sessionsFor } from '../../test/gateway-under-test'
import { createGateway } from '../app'
import type { GatewayConfig } from '../config'
import type { KubernetesConfig } from './settings'

let echo: EchoUpstream
let lister: EchoUpstream
let clock: ManualClock
let app: FastifyInstance
let config: GatewayConfig
beforeEach(async () => {
  ;[echo, lister] = await Promise.all([startEchoUpstream(), startEchoUpstream()])
  clock = manualClock()
})
afterEach(async () => {
  await app?.close() // Undefined in tests of rejected configurations.
  await Promise.all([echo.close(), lister.close()])
})

const host = '127.0.0.1:0'
const start = async (as: KubernetesConfig['as'], overrides: Partial<GatewayConfig> = {}) => {
  config = { ...configFor(echo.url, { port: 0, kubernetes: { as } }), ...overrides }
  app = await createGateway(config, { clock })
}
const cookie = async (idToken?: string) => cookieOf(await sessionsFor(config, clock).start(ada, { idToken }))
const get = async (url: string, idToken?: string) =>
  app.inject({ url, headers: { host, cookie: await cookie(idToken) } })
/** The gateway only reads the expiry of a token, since the API server verifies it. */
const tokenUntil = (seconds: number) => new UnsecuredJWT({}).setExpirationTime(clock.now() / 1000 + seconds).encode()
const identityOf = ({ headers } = echo.seen.at(-1) ?? { headers: [] }) =>
  headers.filter(([name]) => /^(authorization|impersonate|x-|audit-id)/.test(name))

describe('a call with the ID token of the session', () => {
  it('an id-token call carries only the ID token, whatever credentials the gateway has', async () => {
    await start('id-token')
    const idToken = tokenUntil(60)
    expect((await get('/api/k8s/version', idToken)).statusCode).toBe(200)
    expect(identityOf()).toEqual([
      ['authorization', `Bearer ${idToken}`],
      ['audit-id', expect.any(String)],
    ])
    const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = new WebSocket(`${url.href.replace('http', 'ws')}wss/k8s/api/v1/pods?watch=1`, {
      headers: { cookie: await cookie(idToken), origin: url.origin },
    })
    await once(socket, 'open')
    socket.terminate()
    expect(identityOf()).toEqual([
      ['authorization', `Bearer ${idToken}`],
      ['audit-id', expect.any(String)],
    ])
  })

  it('an id-token call gets a 401 that means "sign in again" once the ID token has expired', async () => {
    await start('id-token')
    const response = await get('/api/k8s/version', tokenUntil(0))
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Session')
    expect(echo.seen).toEqual([])
  })

  it("an id-token call without an ID token is rejected and not made with the gateway's token", async () => {
    await start('id-token')
    const response = await get('/api/k8s/version')
    expect(response.statusCode).toBe(401)
    expect(response.headers).not.toHaveProperty('www-authenticate')
    expect(echo.seen).toEqual([])
  })

  it('an id-token call is a 502 if the cluster rejects the token, since signing in again would not help', async () => {
    await start('id-token')
    echo.respond = json({}, 401)
    expect((await get('/api/k8s/version', tokenUntil(60))).json()).toMatchObject({
      code: 502,
      message: 'kubernetes does not accept the ID token of the session.',
    })
  })

  it('with id-token, namespaces are listed with access reviews by the gateway', async () => {
    await start('id-token')
    echo.respond = (request, response, body) =>
      json(body ? { status: { allowed: true } } : { items: [{ metadata: { name: 'a' } }] })(request, response, body)
    const response = await get('/api/k8s/api/v1/namespaces', tokenUntil(60))
    expect(response.json()).toMatchObject({ items: [{ metadata: { name: 'a' } }] })
    expect(echo.seen.map((seen) => identityOf(seen))).toEqual(
      Array(2).fill([['authorization', `Bearer ${gatewayToken}`]]),
    )
  })

  it('with id-token, a gateway without credentials needs a lister and can be ready', async () => {
    const kubernetes: KubernetesConfig = { access: { url: echo.url }, as: 'id-token' }
    await expect(start('id-token', { kubernetes })).rejects.toThrow(/needs a namespaceLister/)
    await start('id-token', { kubernetes, namespaceLister: { url: lister.url } })
    echo.respond = json({}, 403)
    // There is no identity provider in this test.
    expect((await app.inject('/ready')).body).not.toContain('kubernetes')
    lister.respond = json({ items: [{ metadata: { name: 'a' } }] })
    const response = await get('/api/k8s/api/v1/namespaces', tokenUntil(60))
    expect(response.json()).toMatchObject({ items: [{ metadata: { name: 'a' } }] })
  })
})

describe("a call with the gateway's own credentials", () => {
  it("a call as 'own' carries the gateway's credentials", async () => {
    await start('own')
    expect((await get('/api/k8s/version')).statusCode).toBe(200)
    expect(identityOf()).toEqual([
      ['authorization', `Bearer ${gatewayToken}`],
      ['audit-id', expect.any(String)],
    ])
  })

  it("with the gateway's own credentials, namespaces are listed, or an error says that this is not allowed", async () => {
    await start('own')
    echo.respond = json({ items: [{ metadata: { name: 'a' } }] })
    expect((await get('/api/k8s/api/v1/namespaces?labelSelector=a%3Db')).json()).toMatchObject({
      kind: 'NamespaceList',
      items: [{ metadata: { name: 'a' } }],
    })
    expect(echo.seen.at(-1)?.target).toBe('/api/v1/namespaces?labelSelector=a%3Db')
    echo.respond = json({ kind: 'Status', code: 403 }, 403)
    expect((await get('/api/k8s/api/v1/namespaces')).json()).toMatchObject({
      code: 403,
      message: "kubernetes does not let the gateway's credentials list namespaces.",
    })
  })
})

const https = { publicOrigins: ['https://console.example.com'] }
const service = { url: 'https://a.example', insecureSkipTlsVerify: true }
test.each<[string, RegExp, (as: KubernetesConfig) => Partial<GatewayConfig>]>([
  ['own credentials behind a public name', /only allowed on loopback/, (own) => ({ ...https, kubernetes: own })],
  [
    'own credentials on every address',
    /only allowed on loopback/,
    (own) => ({ ...https, host: '0.0.0.0', kubernetes: own }),
  ],
  [
    'unverified TLS of the cluster behind a public name',
    /kubernetes\.access skips the verification of TLS/,
    () => ({ ...https, kubernetes: { access: { ...service, token: 'a' }, as: 'impersonate' } }),
  ],
  ['unverified TLS of a lister', /namespaceLister skips/, () => ({ ...https, namespaceLister: service })],
  [
    'unverified TLS of Tekton Results',
    /tektonResults skips/,
    () => ({ ...https, tektonResults: { ...service, token: 'gateway' } }),
  ],
  [
    'unverified TLS of KubeArchive',
    /kubeArchive skips/,
    () => ({ ...https, kubeArchive: { ...service, token: 'gateway' } }),
  ],
  [
    'a cluster by plain http on another machine',
    /kubernetes\.access must be https/,
    () => ({ ...https, kubernetes: { access: { url: 'http://10.0.0.1:6443', token: 'a' }, as: 'impersonate' } }),
  ],
  [
    'a lister by plain http on another machine',
    /namespaceLister must be https/,
    () => ({ ...https, namespaceLister: { url: 'http://lister.example' } }),
  ],
  [
    'a plugin by plain http on another machine, whosever token it gets',
    /kubeArchive must be https/,
    () => ({ ...https, kubeArchive: { url: 'http://archive.example', token: () => 'a' } }),
  ],
  [
    'impersonation without credentials',
    /needed to impersonate users/,
    () => ({ kubernetes: { access: { url: echo.url }, as: 'impersonate' } }),
  ],
  [
    'two tokens',
    /both a token and a tokenFile/,
    () => ({ kubernetes: { access: { url: echo.url, token: 'a', tokenFile: 'b' }, as: 'impersonate' } }),
  ],
  [
    'a token that cannot be sent',
    /is empty or not valid/,
    () => ({ kubernetes: { access: { url: echo.url, token: 'a b' }, as: 'impersonate' } }),
  ],
  [
    'a token for a plugin that the gateway does not have',
    /there is none/,
    () => ({
      kubernetes: { access: { url: echo.url }, as: 'id-token' },
      namespaceLister: { url: lister.url },
      kubeArchive: { url: lister.url, token: 'gateway' },
    }),
  ],
  [
    'ID tokens behind a front proxy, which does not forward one',
    /needs signIn\.oidc/,
    () => ({
      kubernetes: { access: { url: echo.url, token: 'a' }, as: 'id-token' },
      signIn: { frontProxy: { secret: { header: 'x-front-proxy', value: 'a'.repeat(32) } } },
    }),
  ],
])('a configuration with %s is rejected', async (_, message, overrides) => {
  const own: KubernetesConfig = { access: { url: echo.url, token: 'a' }, as: 'own' }
  const all = { ...configFor(echo.url), ...overrides(own) }
  await expect(createGateway(all)).rejects.toThrow(message)
})
