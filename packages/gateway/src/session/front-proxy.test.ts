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

describe('behind a front proxy that knows the secret', () => {
  it('the user is the one it names', async () => {
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

  it('the user may be the other name, when that was asked for', async () => {
    await start('user')
    expect((await get('/oauth2/userinfo', { ...proof, ...ada })).json()).toMatchObject({ user: 'u-1' })
  })

  it.each<[string, Record<string, string | string[]>]>([
    ['nobody', { ...proof }],
    ['nobody by that name', { ...proof, ...ada, 'x-auth-request-email': '' }],
    ['a user of Kubernetes itself', { ...proof, ...ada, 'x-auth-request-email': 'system:admin' }],
    ['two users', { ...proof, ...ada, 'x-auth-request-email': 'a@b.c, d@e.f' }],
  ])('%s is refused', async (_, headers) => {
    await start()
    expect((await get('/api/k8s/version', headers)).statusCode).toBe(401)
    expect(gateway.upstream.seen).toEqual([])
  })

  it('a header sent twice is refused: one of the two is not the proxy', () => {
    const { frontProxy } = signInSettings({ frontProxy: { secret: { header: 'x-front-proxy', value: secret } } })
    const headers = { ...proof, ...ada, 'x-auth-request-groups': 'team-a, system:masters' }
    // All of a request that is read.
    const rawHeaders = [...Object.entries(headers).flat(), 'X-Auth-Request-Groups', 'team-a']
    const sent = { headers, rawHeaders } as never
    expect(frontProxySession(sent, frontProxy!, 1_000, manualClock())).toBeUndefined()
    const once = { headers, rawHeaders: Object.entries(headers).flat() } as never
    expect(frontProxySession(once, frontProxy!, 1_000, manualClock())?.via).toBe('front-proxy')
  })

  it('a write still needs a page of ours: the proxy goes by a cookie', async () => {
    await start()
    const headers = { host, ...proof, ...ada, 'content-type': 'application/json' }
    const url = '/api/k8s/api/v1/namespaces/a/pods'
    const response = await gateway.app.inject({ method: 'POST', url, headers, payload: '{}' })
    expect(response.statusCode).toBe(403)
  })

  it('signing in and out is its own matter', async () => {
    await start()
    for (const path of ['sign_in', 'start', 'callback', 'sign_out']) {
      expect((await get(`/oauth2/${path}`, { ...proof, ...ada, 'sec-fetch-site': 'none' })).statusCode).toBe(404)
    }
    expect((await get('/ready')).statusCode).toBe(200)
  })
})

it.each<[string, Record<string, string>]>([
  ['without the secret', {}],
  ['with another', { 'x-front-proxy': `${secret}x` }],
  ['with an empty one', { 'x-front-proxy': '' }],
  ['with a token instead', { authorization: `Bearer ${secret}` }],
])('whoever comes %s is nobody, whatever the headers and cookies say', async (_, headers) => {
  await start()
  const cookie = await signIn(gateway.app)
  const response = await get('/oauth2/userinfo', { ...ada, ...headers, cookie })
  expect(response.statusCode).toBe(401)
  expect(response.headers['www-authenticate']).toBe('Session')
})

it('identity headers are nothing where no front proxy was configured', async () => {
  gateway = await startGateway()
  expect((await get('/oauth2/userinfo', { ...proof, ...ada })).statusCode).toBe(401)
})

it('a front proxy may show a certificate instead: verified, and of a name that is listed', async () => {
  gateway = await startGateway()
  // Each vouches for itself; their common name is slipway.
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
  ['no proof', /exactly one proof/, [{ frontProxy: {} }]],
  [
    'two proofs',
    /exactly one proof/,
    [{ frontProxy: { secret: { header: 'a', value: secret }, clientCertificateNames: ['a'] } }, { hasClientCa: true }],
  ],
  ['a short secret', /16 characters/, [{ frontProxy: { secret: { header: 'a', value: 'short' } } }]],
  ['a header that is none', /is no header/, [{ frontProxy: { secret: { header: 'a b', value: secret } } }]],
  ['certificates that nobody checks', /clientCaFile/, [{ frontProxy: { clientCertificateNames: ['a'] } }]],
  ['a provider without TLS', /https URL/, [{ oidc: { issuer: 'http://a.example', clientId: 'a' } }]],
  ['a provider that is no address', /https URL/, [{ oidc: { issuer: 'a.example', clientId: 'a' } }]],
  ['no client', /clientId is empty/, [{ oidc: { issuer: 'https://a.example', clientId: '' } }]],
  ['an empty secret', /public client/, [{ oidc: { issuer: 'https://a.example', clientId: 'a', clientSecret: '' } }]],
  ['no ID token', /have openid/, [{ oidc: { issuer: 'https://a.example', clientId: 'a', scopes: ['email'] } }]],
  ['a prefix that splits', /comma/, [{ oidc: { issuer: 'https://a.example', clientId: 'a', groupPrefix: 'a,' } }]],
])('refuses to be configured with %s', async (_, message, [config, rest]) => {
  gateway = await startGateway()
  expect(() => signInSettings(config, rest)).toThrow(message)
})
