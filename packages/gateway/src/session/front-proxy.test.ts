import { createServer, request } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { selfSignedCertificate, type Certificate } from '@slipway/apiserver/certificate'
import { manualClock } from '@slipway/kube/testing'
import { host, signIn, startGateway, type GatewayUnderTest } from '../../test/gateway-under-test'
import { frontProxySession } from './front-proxy'
import { signInSettings } from './settings'

let gateway: GatewayUnderTest
afterEach(() => gateway.close())

const secret = 'sentinel-secret-of-the-front-proxy'
const proof = { 'x-front-proxy': secret }
const ada = {
  'x-auth-request-email': 'ada@slipway.test',
  'x-auth-request-user': 'u-1',
  'x-auth-request-groups': 'team-a, team-b,,system:masters',
  'x-auth-request-preferred-username': 'ada',
}
const start = async (userFrom?: 'email' | 'user') => {
  const signIn = { frontProxy: { secret: { header: 'X-Front-Proxy', value: secret }, userFrom } }
  gateway = await startGateway({ signIn })
}
const get = (url: string, headers: Record<string, string | string[]> = {}) =>
  gateway.app.inject({ url, headers: { host, ...headers } })

describe('behind a front proxy with the secret', () => {
  it('the user is the one that the proxy names', async () => {
    await start()
    expect((await get('/oauth2/userinfo', { ...proof, ...ada })).json()).toEqual({
      user: 'ada@slipway.test',
      email: 'ada@slipway.test',
      preferredUsername: 'ada',
      groups: ['team-a', 'team-b'],
    })
    expect((await get('/oauth2/auth', { ...proof, ...ada })).statusCode).toBe(202)
    await get('/api/k8s/version', { ...proof, ...ada })
    const { headers = [] } = gateway.upstream.seen[0] ?? {}
    expect(headers.filter(([name]) => /^(impersonate|x-)/.test(name))).toEqual([
      ['impersonate-user', 'ada@slipway.test'],
      ['impersonate-group', 'team-a'],
      ['impersonate-group', 'team-b'],
      ['impersonate-group', 'system:authenticated'],
    ])
    expect(JSON.stringify(gateway.upstream.seen)).not.toContain(secret)
  })

  it('the user header can be used as the user name if configured', async () => {
    await start('user')
    expect((await get('/oauth2/userinfo', { ...proof, ...ada })).json()).toMatchObject({ user: 'u-1' })
  })

  it.each<[string, Record<string, string | string[]>]>([
    ['without a user', { ...proof }],
    ['with an empty user name', { ...proof, ...ada, 'x-auth-request-email': '' }],
    ['for a system user', { ...proof, ...ada, 'x-auth-request-email': 'system:admin' }],
    ['for two users', { ...proof, ...ada, 'x-auth-request-email': 'a@b.c, d@e.f' }],
  ])('a request %s is rejected', async (_, headers) => {
    await start()
    expect((await get('/api/k8s/version', headers)).statusCode).toBe(401)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a repeated identity header is rejected, since one of the two is not from the proxy', () => {
    const { frontProxy } = signInSettings({ frontProxy: { secret: { header: 'x-front-proxy', value: secret } } })
    const headers = { ...proof, ...ada, 'x-auth-request-groups': 'team-a, system:masters' }
    // Only the parts of a request that are read.
    const rawHeaders = [...Object.entries(headers).flat(), 'X-Auth-Request-Groups', 'team-a']
    const sent = { headers, rawHeaders } as never
    expect(frontProxySession(sent, frontProxy!, 1_000, manualClock())).toBeUndefined()
    const once = { headers, rawHeaders: Object.entries(headers).flat() } as never
    expect(frontProxySession(once, frontProxy!, 1_000, manualClock())?.via).toBe('front-proxy')
  })

  it('a write must come from one of our pages, since the proxy authenticates by a cookie', async () => {
    await start()
    const headers = { host, ...proof, ...ada, 'content-type': 'application/json' }
    const url = '/api/k8s/api/v1/namespaces/a/pods'
    const response = await gateway.app.inject({ method: 'POST', url, headers, payload: '{}' })
    expect(response.statusCode).toBe(403)
  })

  it('the gateway has no routes for signing in and out', async () => {
    await start()
    for (const path of ['sign_in', 'start', 'callback', 'sign_out']) {
      expect((await get(`/oauth2/${path}`, { ...proof, ...ada, 'sec-fetch-site': 'none' })).statusCode).toBe(404)
    }
    expect((await get('/ready')).statusCode).toBe(200)
  })
})

it.each<[string, Record<string, string>]>([
  ['without the secret', {}],
  ['with another secret', { 'x-front-proxy': `${secret}x` }],
  ['with an empty secret', { 'x-front-proxy': '' }],
  ['with a bearer token instead', { authorization: `Bearer ${secret}` }],
])('a request %s is rejected, whatever identity headers and cookies it has', async (_, headers) => {
  await start()
  const cookie = await signIn(gateway.app)
  const response = await get('/oauth2/userinfo', { ...ada, ...headers, cookie })
  expect(response.statusCode).toBe(401)
  expect(response.headers['www-authenticate']).toBe('Session')
})

it('identity headers are ignored if no front proxy is configured', async () => {
  gateway = await startGateway()
  expect((await get('/oauth2/userinfo', { ...proof, ...ada })).statusCode).toBe(401)
})

it('a front proxy can authenticate with a verified certificate with an allowed name instead', async () => {
  gateway = await startGateway()
  // Each is self-signed; their common name is slipway.
  const [listed, another, stranger] = ['front.example.com', 'another.example.com', 'front.example.com'].map((name) =>
    selfSignedCertificate([name], new Date()),
  )
  const userBy = async (names: string[], client: Certificate | undefined, trusted = client) => {
    const config = { frontProxy: { clientCertificateNames: names } }
    const { frontProxy } = signInSettings(config, { hasClientCa: true })
    const server = createServer(
      {
        ...selfSignedCertificate(['localhost'], new Date()),
        ca: trusted?.cert,
        requestCert: true,
        rejectUnauthorized: false,
      },
      (incoming, response) => {
        const session = frontProxySession(incoming, frontProxy!, 1_000, manualClock())
        response.end(session?.identity.user ?? 'nobody')
      },
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    // Listening on a port, so the address is an object.
    const { port } = server.address() as AddressInfo
    const outgoing = request({ host: '127.0.0.1', port, headers: ada, rejectUnauthorized: false, ...client }).end()
    const [response] = (await once(outgoing, 'response')) as [AsyncIterable<Buffer>]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    server.close()
    server.closeAllConnections()
    return Buffer.concat(chunks).toString()
  }
  expect(await userBy(['front.example.com'], listed)).toBe('ada@slipway.test')
  expect(await userBy(['slipway'], another)).toBe('ada@slipway.test')
  expect(await userBy(['front.example.com'], another)).toBe('nobody')
  expect(await userBy(['front.example.com', 'slipway'], stranger, listed)).toBe('nobody')
  expect(await userBy(['front.example.com', 'slipway'], undefined, listed)).toBe('nobody')
})

it.each<[string, RegExp, Parameters<typeof signInSettings>]>([
  ['no way to authenticate the proxy', /exactly one way/, [{ frontProxy: {} }]],
  [
    'two ways to authenticate the proxy',
    /exactly one way/,
    [{ frontProxy: { secret: { header: 'a', value: secret }, clientCertificateNames: ['a'] } }, { hasClientCa: true }],
  ],
  ['a short secret', /16 characters/, [{ frontProxy: { secret: { header: 'a', value: 'short' } } }]],
  [
    'an invalid header name',
    /is not a valid header name/,
    [{ frontProxy: { secret: { header: 'a b', value: secret } } }],
  ],
  ['client certificates without an authority', /clientCaFile/, [{ frontProxy: { clientCertificateNames: ['a'] } }]],
  ['a provider without TLS', /https URL/, [{ oidc: { issuer: 'http://a.example', clientId: 'a' } }]],
  ['a provider that is not a URL', /https URL/, [{ oidc: { issuer: 'a.example', clientId: 'a' } }]],
  ['no client id', /clientId is empty/, [{ oidc: { issuer: 'https://a.example', clientId: '' } }]],
  ['an empty secret', /public client/, [{ oidc: { issuer: 'https://a.example', clientId: 'a', clientSecret: '' } }]],
  [
    'scopes without openid',
    /include openid/,
    [{ oidc: { issuer: 'https://a.example', clientId: 'a', scopes: ['email'] } }],
  ],
  ['a prefix with a comma', /comma/, [{ oidc: { issuer: 'https://a.example', clientId: 'a', groupPrefix: 'a,' } }]],
])('rejects a configuration with %s', async (_, message, [config, rest]) => {
  gateway = await startGateway()
  expect(() => signInSettings(config, rest)).toThrow(message)
})
