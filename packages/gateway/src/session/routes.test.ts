import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { selfSignedCertificate, type Certificate } from '@slipway/apiserver/certificate'
import { manualClock } from '@slipway/kube/testing'
import { createBrowser, type Browser } from '../../test/browser'
import { startFakeIssuer } from '../../test/fake-issuer'
import { ada, cookieOf, host, origin, signIn, startGateway, type GatewayUnderTest } from '../../test/gateway-under-test'

let gateway: GatewayUnderTest
let browser: Browser
beforeEach(async () => {
  gateway = await startGateway()
  browser = createBrowser(gateway.app)
})
afterEach(() => gateway.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({ url, headers: { host, ...headers } })

/** Starts a sign-in; returns the URL at the provider. */
async function begin(rd = '/', from = browser): Promise<URL> {
  const { headers, statusCode, body } = await from.get(`/oauth2/start?rd=${encodeURIComponent(rd)}`)
  expect(statusCode, body).toBe(303)
  return new URL(String(headers.location))
}
/** Signs in at the provider and returns to the gateway. */
async function signInBy(from = browser, rd = '/') {
  return from.get(gateway.issuer.authorize(await begin(rd, from)))
}

describe('/oauth2/userinfo', () => {
  it('SESS-02, SESS-03 returns the signed-in user', async () => {
    const response = await get('/oauth2/userinfo', { cookie: await signIn(gateway.app) })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toEqual(ada)
    expect(response.headers).not.toHaveProperty('slipway-version')
  })

  it('has the version of the gateway, for the signed-in user only', async () => {
    await gateway.close()
    gateway = await startGateway({ version: '1.2.3' })
    const response = await get('/oauth2/userinfo', { cookie: await signIn(gateway.app) })
    expect(response.headers['slipway-version']).toBe('1.2.3')
    expect((await get('/oauth2/userinfo')).headers).not.toHaveProperty('slipway-version')
  })

  test.each(['/oauth2/userinfo', '/oauth2/auth'])(
    'SESS-09 a 401 of %s has the header that means "sign in again"',
    async (url) => {
      const response = await get(url, { 'x-auth-request-user': ada.email, accept: 'text/html' })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Session')
      expect(response.json()).toMatchObject({ kind: 'Status', code: 401, reason: 'Unauthorized' })
    },
  )

  it('a call to userinfo renews the session', async () => {
    const cookie = await signIn(gateway.app)
    await gateway.clock.advance(7 * 3_600_000)
    const renewed = cookieOf((await get('/oauth2/userinfo', { cookie })).headers['set-cookie'])
    await gateway.clock.advance(2 * 3_600_000)
    expect((await get('/oauth2/userinfo', { cookie })).statusCode).toBe(401)
    expect((await get('/oauth2/userinfo', { cookie: renewed })).statusCode).toBe(200)
  })

  it('email is the user name if the provider does not vouch for an address', async () => {
    const cookie = await signIn(gateway.app, { user: 'ada', email: '' })
    expect((await get('/oauth2/userinfo', { cookie })).json()).toMatchObject({ user: 'ada', email: 'ada' })
  })
})

it('/oauth2/auth responds with 202 and the identity in headers', async () => {
  const response = await get('/oauth2/auth', {
    cookie: await signIn(gateway.app, { preferredUsername: 'zoë', groups: ['a', 'b'] }),
  })
  expect(response.statusCode).toBe(202)
  expect(response.headers).toMatchObject({
    'x-auth-request-user': ada.user,
    'x-auth-request-email': ada.email,
    'x-auth-request-preferred-username': Buffer.from('zoë').toString('latin1'),
    'x-auth-request-groups': 'a,b',
  })
})

describe('signing in', () => {
  it('SESS-05 signing in redirects to the provider and keeps the return path', async () => {
    const rd = '/ns/a/applications?name="x"&y=1#z'
    const response = await get(`/oauth2/sign_in?rd=${encodeURIComponent(rd)}`)
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe(
      `/oauth2/start?rd=${encodeURIComponent('/ns/a/applications?name=%22x%22&y=1#z')}`,
    )
  })

  it('each sign-in has its own state, nonce and code challenge', async () => {
    const first = await begin()
    expect(first.origin + first.pathname).toBe(`${gateway.issuer.url}/auth`)
    expect(Object.fromEntries(first.searchParams)).toEqual({
      client_id: 'slipway',
      response_type: 'code',
      redirect_uri: `${origin}/oauth2/callback`,
      scope: 'openid email profile groups offline_access',
      prompt: 'login consent',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const second = await begin()
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(second.searchParams.get(name)).not.toBe(first.searchParams.get(name))
    }
  })

  it('an attempt is stored for ten minutes in a cookie that scripts cannot read and other sites cannot send', async () => {
    const { headers } = await get('/oauth2/start?rd=/ns/a')
    expect([headers['set-cookie']].flat().join()).toMatch(
      /^slipway-session-8080-attempt-[\w-]{16}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it('only scopes that the provider supports are requested', async () => {
    gateway.issuer.metadata.scopes_supported = ['openid', 'email']
    expect((await begin()).searchParams.get('scope')).toBe('openid email')
  })

  it('SESS-01, SESS-06 starts a session and redirects to the requested page', async () => {
    const response = await signInBy(browser, '/ns/a?b=c#d')
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe('/ns/a?b=c#d')
    expect([...browser.cookies.keys()]).toEqual(['slipway-session-8080'])
    expect((await browser.get('/oauth2/userinfo')).json()).toEqual(ada)
  })

  it('signing in returns to the landing page rather than to another site', async () => {
    for (const rd of ['//evil.example', 'https://evil.example', '/\\evil.example', '/oauth2/sign_out', '']) {
      expect((await signInBy(createBrowser(gateway.app), rd)).headers.location).toBe('/')
    }
    expect((await get('/oauth2/sign_in?rd=/a&rd=//evil.example')).headers.location).toBe('/oauth2/start?rd=%2Fa')
  })

  it('several tabs can sign in at once', async () => {
    const first = await begin('/first')
    const second = await begin('/second')
    expect((await browser.get(gateway.issuer.authorize(second))).headers.location).toBe('/second')
    expect((await browser.get(gateway.issuer.authorize(first))).headers.location).toBe('/first')
    expect([...browser.cookies.keys()]).toEqual(['slipway-session-8080'])
  })

  it('the oldest attempts are removed when their cookies grow too large', async () => {
    const first = await begin('/first')
    let last = first
    for (let step = 0; step < 20; step++) {
      await gateway.clock.advance(1_000)
      last = await begin(`/${'x'.repeat(300)}`)
      expect(browser.header().length).toBeLessThan(4_000)
    }
    expect((await browser.get(gateway.issuer.authorize(first))).statusCode).toBe(400)
    expect((await browser.get(gateway.issuer.authorize(last))).statusCode).toBe(303)
  })

  it('signing in again ends the previous session and starts one with a new id, against session fixation', async () => {
    await signInBy()
    const before = browser.header()
    await signInBy()
    expect(browser.header()).not.toBe(before)
    expect((await get('/oauth2/userinfo', { cookie: before })).statusCode).toBe(401)
    expect((await browser.get('/oauth2/userinfo')).statusCode).toBe(200)
    expect(gateway.issuer.revoked).toEqual([expect.stringMatching(/^refresh-/)])
  })

  it('a user with 400 groups can sign in if only those that matter are kept', async () => {
    gateway.issuer.claims.groups = ['team-a', ...Array.from({ length: 400 }, () => `other-${randomUUID()}`)]
    expect((await signInBy()).statusCode).toBe(403)
    await gateway.close()
    const issuer = await startFakeIssuer(manualClock())
    issuer.claims.groups = gateway.issuer.claims.groups
    const oidc = { issuer: issuer.url, clientId: 'slipway', keptGroups: ['team-*'] }
    gateway = { ...(await startGateway({ signIn: { oidc } })), issuer }
    browser = createBrowser(gateway.app)
    expect((await signInBy()).statusCode).toBe(303)
    expect((await browser.get('/oauth2/userinfo')).json()).toMatchObject({ groups: ['team-a'] })
    await issuer.close()
  })

  it('cookies have the prefix __Host- on https', async () => {
    await gateway.close()
    gateway = await startGateway({ publicOrigins: ['https://console.example.com'] })
    browser = createBrowser(gateway.app, 'console.example.com')
    const location = await begin()
    expect(location.searchParams.get('redirect_uri')).toBe('https://console.example.com/oauth2/callback')
    expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^__Host-slipway-session-attempt-/)])
    const response = await browser.get(gateway.issuer.authorize(location))
    expect([response.headers['set-cookie']].flat().at(-1)).toMatch(/^__Host-slipway-session=.*; HttpOnly; Secure;/)
  })
})

describe('a sign-in that fails', () => {
  const page = async (response: { statusCode: number; headers: object; body: string }, code: number, text: string) => {
    expect(response.statusCode, response.body).toBe(code)
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
    })
    expect(response.body).toContain('<title>Sign-in failed · Slipway</title>')
    expect(response.body).toContain(text)
    expect(response.body).toMatch(/<a href="\/oauth2\/start\?rd=[^"]*" class="action">Try again<\/a>/)
    expect(response.body).not.toMatch(/<script|style=|secret words|127\.0\.0\.1/)
    expect(browser.cookies.has('slipway-session-8080')).toBe(false)
  }

  it.each([
    ['access_denied', 403, 'denied access'],
    ['login_required', 403, 'sign in at the identity provider first'],
    ['temporarily_unavailable', 503, 'at the moment'],
    ['invalid_scope', 502, 'does not accept this gateway'],
    ['<script>alert(1)</script>', 502, 'does not accept this gateway'],
  ])('shows a page for the provider error %s', async (error, code, text) => {
    const location = await begin('/ns/a')
    const callback = { code: undefined, error, error_description: 'secret words <script>' }
    const response = await browser.get(gateway.issuer.authorize(location, callback))
    await page(response, code, text)
    expect(response.body).toContain('href="/oauth2/start?rd=%2Fns%2Fa"')
    expect(browser.cookies.size).toBe(0)
  })

  it('a response without an attempt is rejected', async () => {
    await page(await browser.get('/oauth2/callback?code=x&state=y'), 400, 'This sign-in has expired')
    await page(await browser.get('/oauth2/callback'), 400, 'This sign-in has expired')
  })

  it.each([
    ['another state', { state: 'another' }, 400, 'expired'],
    ['no state', { state: undefined }, 400, 'expired'],
    ['another issuer', { iss: 'https://evil.example' }, 502, 'could not be trusted'],
    ['no issuer, although the provider always sends it', { iss: undefined }, 502, 'could not be trusted'],
    ['another code', { code: 'another' }, 400, 'expired'],
    ['no code', { code: undefined }, 502, 'could not be trusted'],
  ])('a response with %s is rejected', async (_, callback, code, text) => {
    await page(await browser.get(gateway.issuer.authorize(await begin(), callback)), code, text)
  })

  it("a response to another browser's attempt is rejected, with or without an attempt of its own", async () => {
    const theirs = createBrowser(gateway.app)
    const callback = gateway.issuer.authorize(await begin('/', theirs))
    await page(await browser.get(callback), 400, 'expired')
    const own = await begin()
    // Its own cookie under the name of the other's cookie.
    const [value = ''] = browser.cookies.values()
    const [name = ''] = theirs.cookies.keys()
    browser.cookies.clear()
    browser.cookies.set(name, value)
    await page(await browser.get(callback), 400, 'expired')
    expect(own.searchParams.get('state')).not.toBe('')
    expect(gateway.issuer.counts.codes).toBe(0)
  })

  it('a response cannot be used twice, even if the cookie is restored', async () => {
    const location = await begin()
    const cookies = new Map(browser.cookies)
    const callback = gateway.issuer.authorize(location)
    expect((await browser.get(callback)).statusCode).toBe(303)
    browser.cookies.clear()
    await page(await browser.get(callback), 400, 'expired')
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    await page(await browser.get(callback), 400, 'expired')
  })

  it('a response after more than ten minutes is rejected', async () => {
    const callback = gateway.issuer.authorize(await begin())
    await gateway.clock.advance(10 * 60_000)
    await page(await browser.get(callback), 400, 'expired')
  })

  it('an attempt cookie is not accepted as a session', async () => {
    await begin()
    const [value = ''] = browser.cookies.values()
    expect((await get('/oauth2/userinfo', { cookie: `slipway-session-8080=1~${value}` })).statusCode).toBe(401)
  })

  it.each<[string, object, string]>([
    ['an unverified email address', { email_verified: false }, 'not verified your e-mail'],
    ['an email address without a verification claim', { email_verified: undefined }, 'not verified your e-mail'],
    ['no email address', { email: undefined }, 'does not say who you are'],
    ['a system user name', { email: 'system:admin' }, 'starts with system:'],
    ['a user name with a comma', { email: 'a@b.c,d@e.f' }, 'comma'],
  ])('a sign-in with %s is rejected', async (_, claims, text) => {
    Object.assign(gateway.issuer.claims, claims)
    await page(await signInBy(), 403, text)
  })

  it('a sign-in fails with 503 while the provider is unreachable at either step, and works once it is back', async () => {
    gateway.issuer.isDown = true
    await page(await browser.get('/oauth2/start?rd=/ns/a'), 503, 'cannot be reached')
    gateway.issuer.isDown = false
    await gateway.clock.advance(2_000)
    const callback = gateway.issuer.authorize(await begin())
    gateway.issuer.isDown = true
    await page(await browser.get(callback), 503, 'cannot be reached')
    gateway.issuer.isDown = false
    expect((await signInBy()).statusCode).toBe(303)
  })

  it('a sign-in with too many groups for cookies is rejected', async () => {
    gateway.issuer.claims.groups = Array.from({ length: 2_000 }, () => crypto.randomUUID())
    await page(await signInBy(), 403, 'too many groups')
  })

  it('the sign-in pages have their own style sheet', async () => {
    expect((await get('/oauth2/page.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  })
})

describe('the provider', () => {
  const isReady = async () => (await get('/ready')).statusCode

  it('the gateway is not ready until the provider is up', async () => {
    gateway.issuer.isDown = true
    expect(await isReady()).toBe(503)
    gateway.issuer.isDown = false
    await gateway.clock.advance(2_000)
    expect(await isReady()).toBe(200)
    expect(gateway.issuer.counts).toMatchObject({ discovery: 1, keys: 1 })
  })

  it('the provider is trusted by a CA file, which is reread when it changes', async () => {
    const [ours, another] = [0, 1].map(() => selfSignedCertificate(['127.0.0.1'], new Date())) as [
      Certificate,
      Certificate,
    ]
    const folder = mkdtempSync(join(tmpdir(), 'slipway-ca-'))
    const caFile = join(folder, 'ca.crt')
    writeFileSync(caFile, another.cert)
    const issuer = await startFakeIssuer(gateway.clock, ours)
    const oidc = { issuer: issuer.url, clientId: 'slipway', caFile }
    const other = await startGateway({ signIn: { oidc } })
    const isReady = async () => (await other.app.inject({ url: '/ready' })).statusCode
    expect(await isReady()).toBe(503)
    writeFileSync(caFile, ours.cert)
    await other.clock.advance(2_000)
    expect(await isReady()).toBe(200)
    await other.close()
    await issuer.close()
    rmSync(folder, { recursive: true })
  })

  it("the provider's issuer must match the configuration exactly", async () => {
    gateway.issuer.metadata.issuer = `${gateway.issuer.url}/`
    expect(await isReady()).toBe(503)
    expect((await browser.get('/oauth2/start')).statusCode).toBe(503)
  })
})

describe('signing out', () => {
  it('SESS-07 signing out removes the cookie, invalidates its copies and revokes its refresh token', async () => {
    await signInBy()
    const copy = browser.header()
    const response = await browser.get('/oauth2/sign_out', { 'sec-fetch-site': 'same-origin' })
    expect(response.statusCode).toBe(204)
    expect([response.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(/^slipway-session-8080=; Max-Age=0;/),
    ])
    expect(browser.cookies.size).toBe(0)
    expect((await get('/oauth2/userinfo', { cookie: copy })).statusCode).toBe(401)
    expect(gateway.issuer.revoked).toEqual([expect.stringMatching(/^refresh-/)])
  })

  it('signing out works with POST and any body', async () => {
    await signInBy()
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await browser.post('/oauth2/sign_out', headers)).statusCode).toBe(204)
    expect(browser.cookies.size).toBe(0)
  })

  it('opening the sign-out URL also ends the session at the provider and returns to sign-in', async () => {
    await signInBy()
    const response = await browser.get('/oauth2/sign_out', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })
    expect(response.statusCode).toBe(303)
    const location = new URL(String(response.headers.location))
    expect(location.origin + location.pathname).toBe(`${gateway.issuer.url}/end`)
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'slipway',
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      post_logout_redirect_uri: `${origin}/oauth2/sign_in`,
    })
  })

  it.each([
    ['/ns/a?name=b', '/ns/a?name=b'],
    ['https://evil.example/', '/'],
    ['/oauth2/sign_out', '/'],
    ['', '/'],
  ])('signing out redirects to rd if it is a page: %j', async (rd, page) => {
    await signInBy()
    const url = `/oauth2/sign_out?rd=${encodeURIComponent(rd)}`
    const response = await browser.get(url, { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' })
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe(page)
    expect(browser.cookies.size).toBe(0)
  })

  it.each([
    ['has no end-session endpoint', () => void delete gateway.issuer.metadata.end_session_endpoint],
    ['is unreachable', () => void (gateway.issuer.isDown = true)],
  ])('signing out redirects to sign-in if the provider %s', async (_, happens) => {
    happens()
    const response = await get('/oauth2/sign_out', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe('/oauth2/sign_in')
  })

  it('signing out from other sites is rejected', async () => {
    const cookie = await signIn(gateway.app)
    const others: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }, {}]
    for (const headers of others) {
      for (const method of ['GET', 'POST'] as const) {
        const response = await gateway.app.inject({
          method,
          url: '/oauth2/sign_out',
          headers: { host, cookie, ...headers },
        })
        expect(response.statusCode).toBe(403)
      }
    }
    expect((await get('/oauth2/userinfo', { cookie })).statusCode).toBe(200)
  })
})

test.each(['/oauth2/other', '/oauth2', '/wss/k8s/api', '/wss', '/api'])('%s is never a page', async (url) => {
  const response = await get(url, { accept: 'text/html' })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ kind: 'Status', code: 404, reason: 'NotFound' })
})

describe('limits for sign-ins', () => {
  const limits = { signInsPerMinute: 30, allSignInsPerMinute: 60 }
  const proxied = { publicOrigins: ['https://console.example.com'], forwardedHops: 1, limits }
  const start = (forwarded: string) =>
    gateway.app.inject({
      url: '/oauth2/start?rd=/ns/a',
      headers: { host: 'console.example.com', 'x-forwarded-for': forwarded },
    })
  const codesOf = async (count: number, forwarded: string) => {
    const codes = await Promise.all(Array.from({ length: count }, async () => (await start(forwarded)).statusCode))
    return {
      started: codes.filter((code) => code === 303).length,
      rejected: codes.filter((code) => code === 429).length,
    }
  }

  it('sign-ins are limited per address', async () => {
    await gateway.close()
    gateway = await startGateway(proxied)
    expect(await codesOf(600, '192.0.2.1')).toEqual({ started: 30, rejected: 570 })
    expect(await codesOf(10, '192.0.2.2')).toEqual({ started: 10, rejected: 0 })
    gateway.clock.jump(2_000)
    expect(await codesOf(2, '192.0.2.1')).toEqual({ started: 1, rejected: 1 })
    // Setting the clock back does not lengthen the wait.
    gateway.clock.jump(-3_600_000)
    expect(await codesOf(1, '192.0.2.1')).toEqual({ started: 0, rejected: 1 })
    gateway.clock.jump(2_000)
    expect(await codesOf(2, '192.0.2.1')).toEqual({ started: 1, rejected: 1 })
  })

  it('sign-ins are limited for all addresses together', async () => {
    await gateway.close()
    gateway = await startGateway(proxied)
    for (const address of ['192.0.2.1', '192.0.2.2']) await codesOf(30, address)
    expect(await codesOf(1, '192.0.2.3')).toEqual({ started: 0, rejected: 1 })
    gateway.clock.jump(1_000)
    expect(await codesOf(1, '192.0.2.3')).toEqual({ started: 1, rejected: 0 })
  })

  it('sign-ins behind an unknown proxy share the limit of all, not that of one address', async () => {
    await gateway.close()
    gateway = await startGateway({ publicOrigins: proxied.publicOrigins, limits })
    expect(await codesOf(61, '192.0.2.1')).toEqual({ started: 60, rejected: 1 })
  })

  it('the page for too many sign-ins restarts the sign-in after the wait', async () => {
    await gateway.close()
    gateway = await startGateway(proxied)
    await codesOf(30, '192.0.2.1')
    const response = await start('192.0.2.1')
    expect(response.headers).toMatchObject({ 'retry-after': '2', refresh: '2; url=/oauth2/start?rd=%2Fns%2Fa' })
    expect(response.body).toContain('Your sign-in starts automatically in 2 seconds.')
    gateway.clock.jump(2_000)
    expect((await start('192.0.2.1')).statusCode).toBe(303)
  })

  it('signed-in users are not affected by the limit', async () => {
    await gateway.close()
    gateway = await startGateway(proxied)
    const cookie = await signIn(gateway.app)
    await codesOf(100, '192.0.2.1')
    const headers = { host: 'console.example.com', 'x-forwarded-for': '192.0.2.1', cookie }
    expect((await gateway.app.inject({ url: '/oauth2/userinfo', headers })).statusCode).toBe(200)
  })
})
