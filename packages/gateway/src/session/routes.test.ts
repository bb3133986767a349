import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { ada, cookieOf, host, origin, signIn, startGateway, type GatewayUnderTest } from '../../test/gateway-under-test'

let gateway: GatewayUnderTest
beforeEach(async () => void (gateway = await startGateway()))
afterEach(() => gateway.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({ url, headers: { host, ...headers } })
const post = (form: Record<string, string>, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
  gateway.app.inject({
    method: 'POST',
    url: '/oauth2/sign_in',
    headers: { host, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })

describe('/oauth2/userinfo', () => {
  it('SESS-02, SESS-03 says who is signed in', async () => {
    const response = await get('/oauth2/userinfo', { cookie: await signIn(gateway.app) })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toEqual({
      user: ada.email,
      email: ada.email,
      preferredUsername: 'ada',
      groups: ['team-a'],
    })
  })

  test.each(['/oauth2/userinfo', '/oauth2/auth'])(
    'SESS-09 marks its 401 as the end of the session: %s',
    async (url) => {
      const response = await get(url, { 'x-auth-request-user': ada.email, accept: 'text/html' })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Session')
      expect(response.json()).toMatchObject({ kind: 'Status', code: 401, reason: 'Unauthorized' })
    },
  )

  it('keeps the session alive', async () => {
    const cookie = await signIn(gateway.app)
    await gateway.clock.advance(7 * 3_600_000)
    const renewed = cookieOf((await get('/oauth2/userinfo', { cookie })).headers['set-cookie'])
    await gateway.clock.advance(2 * 3_600_000)
    expect((await get('/oauth2/userinfo', { cookie })).statusCode).toBe(401)
    expect((await get('/oauth2/userinfo', { cookie: renewed })).statusCode).toBe(200)
  })
})

it('answers a front proxy with 202', async () => {
  expect((await get('/oauth2/auth', { cookie: await signIn(gateway.app) })).statusCode).toBe(202)
})

describe('signing in', () => {
  it('SESS-05 shows who can sign in, and keeps where to go', async () => {
    const rd = '/ns/a/applications?name="x"&y=1#z'
    const response = await get(`/oauth2/sign_in?rd=${encodeURIComponent(rd)}`)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.body).toContain('<title>Sign in · Slipway</title>')
    expect(response.body).toContain(`value="${ada.email}"`)
    expect(response.body).toContain('value="/ns/a/applications?name=%22x%22&amp;y=1#z"')
    expect(response.body).not.toMatch(/<script|style=/)
    expect((await get('/oauth2/sign_in.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  })

  it('shows what it is given as text', async () => {
    const evil = { ...ada, name: '<img src=x>', description: '"><script>alert(1)</script>' }
    await gateway.close()
    gateway = await startGateway({ localUsers: [evil] })
    const { body } = await get('/oauth2/sign_in?rd=/"><script>')
    expect(body).not.toMatch(/<script|<img/)
  })

  it('SESS-01, SESS-06 begins a session and goes on to the page asked for', async () => {
    const response = await post({ user: ada.email, rd: '/ns/a?b=c#d' })
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe('/ns/a?b=c#d')
    expect(response.headers['set-cookie']).toMatch(/^slipway-session=.*; HttpOnly; SameSite=Lax$/)
    const cookie = cookieOf(response.headers['set-cookie'])
    expect((await get('/oauth2/userinfo', { cookie })).json()).toMatchObject({ user: ada.email })
  })

  it('goes to the landing page rather than to another site', async () => {
    expect((await post({ user: ada.email, rd: '//evil.example' })).headers.location).toBe('/')
    expect((await post({ user: ada.email })).headers.location).toBe('/')
    expect((await get('/oauth2/sign_in?rd=%2F%2Fevil.example')).body).toContain('name="rd" value="/"')
    expect((await get('/oauth2/sign_in?rd=/a&rd=//evil.example')).body).toContain('name="rd" value="/a"')
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour site', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'http://evil.example' }],
    ['nowhere', {}],
  ])('is refused when it comes from %s', async (_, headers) => {
    const response = await post({ user: ada.email }, headers)
    expect(response.statusCode).toBe(403)
    expect(response.headers).not.toHaveProperty('set-cookie')
  })

  it('is refused for an unknown user and without a form', async () => {
    expect((await post({ user: 'root@slipway.test' })).statusCode).toBe(400)
    const headers = { host, origin }
    expect((await gateway.app.inject({ method: 'POST', url: '/oauth2/sign_in', headers })).statusCode).toBe(400)
  })

  it('ends the session before it', async () => {
    const cookie = await signIn(gateway.app)
    await post({ user: ada.email }, { origin, cookie })
    expect((await get('/oauth2/userinfo', { cookie })).statusCode).toBe(401)
  })

  it('uses a __Host- cookie where browsers come by https', async () => {
    await gateway.close()
    gateway = await startGateway({ publicOrigins: ['https://console.example.com'] })
    const cookie = await signIn(gateway.app, ada.email, 'console.example.com')
    expect(cookie).toMatch(/^__Host-slipway-session=/)
  })
})

describe('signing out', () => {
  it('SESS-07 takes the cookie away, and its copies are worth nothing', async () => {
    const cookie = await signIn(gateway.app)
    const response = await get('/oauth2/sign_out', { cookie, 'sec-fetch-site': 'same-origin' })
    expect(response.statusCode).toBe(204)
    expect(response.headers['set-cookie']).toMatch(/^slipway-session=; Max-Age=0;/)
    expect((await get('/oauth2/userinfo', { cookie })).statusCode).toBe(401)
  })

  it('leads a person who opened the address to sign-in', async () => {
    const response = await get('/oauth2/sign_out', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe('/oauth2/sign_in')
  })

  it('is refused to other sites', async () => {
    const cookie = await signIn(gateway.app)
    const others: Record<string, string>[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }, {}]
    for (const headers of others) {
      const response = await get('/oauth2/sign_out', { cookie, ...headers })
      expect(response.statusCode).toBe(403)
    }
    expect((await get('/oauth2/userinfo', { cookie })).statusCode).toBe(200)
  })
})

test.each(['/oauth2/other', '/oauth2', '/wss/k8s/api', '/wss', '/api'])('%s is never a page', async (url) => {
  const response = await get(url, { accept: 'text/html' })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ kind: 'Status', code: 404, reason: 'NotFound' })
})
