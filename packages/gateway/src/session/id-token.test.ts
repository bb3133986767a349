import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportSPKI, importJWK, SignJWT, type JWTPayload } from 'jose'
import { createBrowser } from '../../test/browser'
import type { FakeIssuer } from '../../test/fake-issuer'
import { host, startGateway, type GatewayUnderTest } from '../../test/gateway-under-test'

let gateway: GatewayUnderTest
beforeEach(async () => void (gateway = await startGateway()))
afterEach(() => gateway.close())

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hour = 3_600

/** A token that claims to be signed with a shared secret, which is the well-known public key. */
async function signedWithPublicKey(claims: JWTPayload): Promise<string> {
  const { kid, ...jwk } = gateway.issuer.publicKey()
  const key = await importJWK({ ...jwk, key_ops: ['verify'] }, 'ES256', { extractable: true })
  if (key instanceof Uint8Array) throw new Error('a public key was expected')
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(new TextEncoder().encode(await exportSPKI(key)))
}

/** Tokens that must never be accepted. */
const bad: [string, FakeIssuer['mint']][] = [
  ['of another issuer', (claims, sign) => sign({ ...claims, iss: 'https://evil.example' })],
  ['of an issuer with an extra slash', (claims, sign) => sign({ ...claims, iss: `${claims.iss}/` })],
  ['without an issuer', ({ iss: _, ...claims }, sign) => sign(claims)],
  ['for another client', (claims, sign) => sign({ ...claims, aud: 'another' })],
  ['without an audience', ({ aud: _, ...claims }, sign) => sign(claims)],
  ['for several clients, issued to another', (claims, sign) => sign({ ...claims, aud: ['slipway', 'a'], azp: 'a' })],
  ['for several clients, without an authorized party', (claims, sign) => sign({ ...claims, aud: ['slipway', 'a'] })],
  ['issued to another client', (claims, sign) => sign({ ...claims, azp: 'another' })],
  ['that has expired', (claims, sign) => sign({ ...claims, iat: claims.iat! - hour, exp: claims.iat! - 31 })],
  ['that never expires', ({ exp: _, ...claims }, sign) => sign(claims)],
  ['that is not valid yet', (claims, sign) => sign({ ...claims, nbf: claims.iat! + 60 })],
  ['from the future', (claims, sign) => sign({ ...claims, iat: claims.iat! + 60 })],
  ['without a time of issue', ({ iat: _, ...claims }, sign) => sign(claims)],
  ['without a subject', ({ sub: _, ...claims }, sign) => sign(claims)],
  ['without a signature', async (claims) => `${base64url({ alg: 'none' })}.${base64url(claims)}.`],
  ['signed with the public key', (claims) => signedWithPublicKey(claims)],
  [
    'that was changed',
    async (claims, sign) => {
      const [header, , signature] = (await sign(claims)).split('.')
      return [header, base64url({ ...claims, email: 'eve@slipway.test' }), signature].join('.')
    },
  ],
  ['that is an access token', (claims, sign) => sign(claims, { typ: 'at+jwt' })],
  ['that is a logout token', (claims, sign) => sign(claims, { typ: 'logout+jwt' })],
  ['signed with an unknown key', (claims, sign) => sign(claims, { kid: 'unknown' })],
  ['that is not a token', async () => 'nonsense'],
]

async function signInBy(mint: FakeIssuer['mint']) {
  gateway.issuer.mint = mint
  const browser = createBrowser(gateway.app)
  const { headers } = await browser.get('/oauth2/start')
  return browser.get(gateway.issuer.authorize(new URL(String(headers.location))))
}

describe('an ID token at sign-in', () => {
  it.each(bad)('an ID token %s is rejected', async (_, mint) => {
    const response = await signInBy(mint)
    expect(response.statusCode).toBe(502)
    expect(response.body).toContain('could not be trusted')
    expect(String(response.headers['set-cookie'])).not.toMatch(/slipway-session-8080=/)
  })

  it.each<[string, FakeIssuer['mint']]>([
    ['another nonce', (claims, sign) => sign({ ...claims, nonce: 'another' })],
    ['no nonce', ({ nonce: _, ...claims }, sign) => sign(claims)],
  ])('an ID token with %s is rejected', async (_, mint) => {
    expect((await signInBy(mint)).statusCode).toBe(502)
  })

  it.each(['RS256', 'ES256', 'EdDSA'])(
    'an ID token signed with %s is accepted, even after the keys have changed',
    async (alg) => {
      expect((await signInBy((claims, sign) => sign(claims))).statusCode).toBe(303)
      await gateway.issuer.rotateKey(alg)
      expect((await signInBy((claims, sign) => sign(claims))).statusCode).toBe(303)
      expect(gateway.issuer.counts.keys).toBe(2)
    },
  )

  it.each(['PS256', 'RS512', 'ES384'])(
    'an ID token signed with %s is rejected, even with a key of the provider',
    async (alg) => {
      await gateway.issuer.rotateKey(alg)
      expect((await signInBy((claims, sign) => sign(claims))).statusCode).toBe(502)
    },
  )

  it('an ID token may be issued up to 30 seconds in the future', async () => {
    const late: FakeIssuer['mint'] = (claims, sign) => sign({ ...claims, iat: claims.iat! + 25, nbf: claims.iat! + 25 })
    expect((await signInBy(late)).statusCode).toBe(303)
  })
})

describe('a bearer token', () => {
  const call = (token: string, { method = 'GET' as const, url = '/api/k8s/version', ...headers } = {}) =>
    gateway.app.inject({ method, url, headers: { host, authorization: `Bearer ${token}`, ...headers } })
  const claimsNow = (): JWTPayload => {
    const now = Math.floor(gateway.clock.now() / 1000)
    return { iss: gateway.issuer.url, aud: 'slipway', iat: now, exp: now + hour, ...gateway.issuer.claims }
  }

  it.each(bad)('a bearer token %s is rejected', async (_, mint) => {
    const response = await call(await mint(claimsNow(), gateway.issuer.sign))
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
    expect(gateway.upstream.seen).toEqual([])
  })

  it.each(['PS256', 'RS512', 'ES384'])(
    'a bearer token signed with %s is rejected, even with a key of the provider',
    async (alg) => {
      await gateway.issuer.rotateKey(alg)
      expect((await call(await gateway.issuer.sign(claimsNow()))).statusCode).toBe(401)
      expect(gateway.upstream.seen).toEqual([])
    },
  )

  it.each([{ email_verified: false }, { email: 'system:admin' }, { email: undefined }])(
    'a bearer token with %j is rejected',
    async (claims) => {
      expect((await call(await gateway.issuer.sign({ ...claimsNow(), ...claims }))).statusCode).toBe(401)
    },
  )

  it('a bearer token of our client authenticates a program without cookies, also for writes', async () => {
    const token = await gateway.issuer.sign(claimsNow())
    const read = await call(token)
    expect(read.statusCode).toBe(200)
    expect(read.headers).not.toHaveProperty('set-cookie')
    expect(gateway.upstream.seen[0]?.headers).toContainEqual(['impersonate-user', 'ada@slipway.test'])
    const write = await gateway.app.inject({
      method: 'POST',
      url: '/api/k8s/api/v1/namespaces/a/pods',
      headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: '{}',
    })
    expect(write.statusCode).toBe(200)
    expect(JSON.stringify(gateway.upstream.seen)).not.toContain(token)
    expect((await call(token, { url: '/oauth2/userinfo' })).json()).toMatchObject({ user: 'ada@slipway.test' })
  })

  it('an invalid bearer token rejects a call even with a valid cookie', async () => {
    const browser = createBrowser(gateway.app)
    const { headers } = await browser.get('/oauth2/start')
    await browser.get(gateway.issuer.authorize(new URL(String(headers.location))))
    for (const authorization of ['Bearer x', 'Bearer', 'Basic eDp5', '']) {
      expect((await browser.get('/api/k8s/version', { authorization })).statusCode).toBe(401)
    }
    expect((await browser.get('/api/k8s/version')).statusCode).toBe(200)
  })

  it('a bearer token is rejected from the moment it expires', async () => {
    const token = await gateway.issuer.sign(claimsNow())
    await gateway.clock.advance(hour * 1000 - 1)
    expect((await call(token)).statusCode).toBe(200)
    await gateway.clock.advance(1)
    expect((await call(token)).statusCode).toBe(401)
  })

  it('bearer tokens with unknown keys do not make the gateway refetch the keys', async () => {
    for (let step = 0; step < 20; step++) await call(await gateway.issuer.sign(claimsNow(), { kid: `unknown-${step}` }))
    expect(gateway.issuer.counts.keys).toBe(1)
  })

  it('the keys are refetched after ten minutes even if the clock was set back', async () => {
    const check = async () => (await call(await gateway.issuer.sign(claimsNow()))).statusCode
    expect(await check()).toBe(200)
    gateway.clock.jump(-hour * 1000)
    expect(await check()).toBe(200)
    expect(gateway.issuer.counts.keys).toBe(1)
    gateway.clock.jump(10 * 60_000 + 1)
    expect(await check()).toBe(200)
    expect(gateway.issuer.counts.keys).toBe(2)
  })

  it('bearer tokens are verified two seconds after the provider was unreachable, even if the clock was set back', async () => {
    const check = async () => (await call(await gateway.issuer.sign(claimsNow()))).statusCode
    gateway.issuer.isDown = true
    expect(await check()).toBe(503)
    gateway.issuer.isDown = false
    gateway.clock.jump(-hour * 1000)
    expect(await check()).toBe(503)
    gateway.clock.jump(2_000)
    expect(await check()).toBe(200)
  })

  it('a bearer token gets a 503 while the keys cannot be loaded, and old keys stay in use', async () => {
    const token = await gateway.issuer.sign(claimsNow())
    gateway.issuer.isDown = true
    expect((await call(token)).statusCode).toBe(503)
    gateway.issuer.isDown = false
    await gateway.clock.advance(2_000)
    expect((await call(token)).statusCode).toBe(200)
    // The previous keys stay in use while the provider is unreachable.
    gateway.issuer.isDown = true
    await gateway.clock.advance(20 * 60_000)
    expect((await call(token)).statusCode).toBe(200)
  })
})
