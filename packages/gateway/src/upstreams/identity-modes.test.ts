import { once } from 'node:events'
import { UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import { manualClock, type ManualClock } from '@slipway/kube/testing'
import { json, startEchoUpstream, type EchoUpstream } from '../../test/echo-upstream'
import { ada, configFor, cookieOf, gatewayToken, sessionsFor } from '../../test/gateway-under-test'
import { createGateway } from '../app'
import type { GatewayConfig, KubernetesConfig } from '../config'

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
  await app?.close() // a test about what is refused has none
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
/** The gateway looks at nothing but the end of a token that the API server will verify. */
const tokenUntil = (seconds: number) => new UnsecuredJWT({}).setExpirationTime(clock.now() / 1000 + seconds).encode()
const identityOf = ({ headers } = echo.seen.at(-1) ?? { headers: [] }) =>
  headers.filter(([name]) => /^(authorization|impersonate|x-|audit-id)/.test(name))

describe('a call with the ID token of the session', () => {
  it('carries it alone, whatever the gateway is itself', async () => {
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

  it('asks to sign in again once it has expired', async () => {
    await start('id-token')
    const answer = await get('/api/k8s/version', tokenUntil(0))
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Session')
    expect(echo.seen).toEqual([])
  })

  it('is not made without one, nor with that of the gateway', async () => {
    await start('id-token')
    const answer = await get('/api/k8s/version')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers).not.toHaveProperty('www-authenticate')
    expect(echo.seen).toEqual([])
  })

  it('is a 502 when the cluster does not take it: signing in again would not help', async () => {
    await start('id-token')
    echo.answer = json({}, 401)
    expect((await get('/api/k8s/version', tokenUntil(60))).json()).toMatchObject({
      code: 502,
      message: 'kubernetes does not accept the ID token of the session.',
    })
  })

  it('lists namespaces by access reviews of the gateway', async () => {
    await start('id-token')
    echo.answer = (request, response, body) =>
      json(body ? { status: { allowed: true } } : { items: [{ metadata: { name: 'a' } }] })(request, response, body)
    const answer = await get('/api/k8s/api/v1/namespaces', tokenUntil(60))
    expect(answer.json()).toMatchObject({ items: [{ metadata: { name: 'a' } }] })
    expect(echo.seen.map((seen) => identityOf(seen))).toEqual(
      Array(2).fill([['authorization', `Bearer ${gatewayToken}`]]),
    )
  })

  it('needs a lister when the gateway has no credentials, and is ready without any', async () => {
    const kubernetes: KubernetesConfig = { access: { url: echo.url }, as: 'id-token' }
    await expect(start('id-token', { kubernetes })).rejects.toThrow(/needs a namespaceLister/)
    await start('id-token', { kubernetes, namespaceLister: { url: lister.url } })
    echo.answer = json({}, 403)
    // Of the sign-in provider there is nothing in this test.
    expect((await app.inject('/ready')).body).not.toContain('kubernetes')
    lister.answer = json({ items: [{ metadata: { name: 'a' } }] })
    const answer = await get('/api/k8s/api/v1/namespaces', tokenUntil(60))
    expect(answer.json()).toMatchObject({ items: [{ metadata: { name: 'a' } }] })
  })
})

describe("a call with the gateway's own credentials", () => {
  it('carries them as they are', async () => {
    await start('own')
    expect((await get('/api/k8s/version')).statusCode).toBe(200)
    expect(identityOf()).toEqual([
      ['authorization', `Bearer ${gatewayToken}`],
      ['audit-id', expect.any(String)],
    ])
  })

  it('lists namespaces so, and says in words when it may not', async () => {
    await start('own')
    echo.answer = json({ items: [{ metadata: { name: 'a' } }] })
    expect((await get('/api/k8s/api/v1/namespaces?labelSelector=a%3Db')).json()).toMatchObject({
      kind: 'NamespaceList',
      items: [{ metadata: { name: 'a' } }],
    })
    expect(echo.seen.at(-1)?.target).toBe('/api/v1/namespaces?labelSelector=a%3Db')
    echo.answer = json({ kind: 'Status', code: 403 }, 403)
    expect((await get('/api/k8s/api/v1/namespaces')).json()).toMatchObject({
      code: 403,
      message: "kubernetes does not let the gateway's credentials list namespaces.",
    })
  })
})

const https = { publicOrigins: ['https://console.example.com'] }
const service = { url: 'https://a.example', insecureSkipTlsVerify: true }
test.each<[string, RegExp, (as: KubernetesConfig) => Partial<GatewayConfig>]>([
  ['own credentials behind a public name', /refused beyond loopback/, (own) => ({ ...https, kubernetes: own })],
  ['own credentials on every address', /beyond loopback/, (own) => ({ ...https, host: '0.0.0.0', kubernetes: own })],
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
    'impersonation without credentials',
    /without them nobody can be impersonated/,
    () => ({ kubernetes: { access: { url: echo.url }, as: 'impersonate' } }),
  ],
  [
    'two tokens',
    /both a token and a tokenFile/,
    () => ({ kubernetes: { access: { url: echo.url, token: 'a', tokenFile: 'b' }, as: 'impersonate' } }),
  ],
  [
    'a token that cannot be sent',
    /is empty or no token/,
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
    'ID tokens behind a front proxy, which hands none on',
    /needs signIn\.oidc/,
    () => ({
      kubernetes: { access: { url: echo.url, token: 'a' }, as: 'id-token' },
      signIn: { frontProxy: { secret: { header: 'x-front-proxy', value: 'a'.repeat(32) } } },
    }),
  ],
])('%s is refused', async (_, message, overrides) => {
  const own: KubernetesConfig = { access: { url: echo.url, token: 'a' }, as: 'own' }
  const all = { ...configFor(echo.url), ...overrides(own) }
  await expect(createGateway(all)).rejects.toThrow(message)
})
