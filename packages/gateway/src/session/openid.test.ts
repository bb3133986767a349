import { afterEach, beforeEach, expect, it } from 'vitest'
import { manualClock } from '@slipway/kube/testing'
import { createBrowser, type Browser } from '../../test/browser'
import { startGateway, type GatewayUnderTest } from '../../test/gateway-under-test'
import { clientSecret, startOpenidProvider, type OpenidProvider } from '../../test/openid-provider'

const recheckMs = 5 * 60_000
let provider: OpenidProvider
let gateway: GatewayUnderTest
let browser: Browser

beforeEach(async () => {
  provider = await startOpenidProvider()
  const oidc = { issuer: provider.issuer, clientId: 'slipway', clientSecret }
  // The provider uses the system time.
  gateway = await startGateway({ signIn: { oidc } }, manualClock(Date.now()))
  browser = createBrowser(gateway.app)
  const start = await browser.get((await browser.get('/oauth2/sign_in?rd=/ns/a')).headers.location ?? '')
  const response = await browser.get(await provider.visit(String(start.headers.location)))
  expect(response.statusCode, response.body).toBe(303)
  expect(response.headers.location).toBe('/ns/a')
})
afterEach(async () => {
  await gateway.close()
  await provider.close()
})

const whoAmI = async () => (await browser.get('/oauth2/userinfo')).json()

it('SESS-01 signs in with a real provider and reads claims missing from the ID token from its user info', async () => {
  expect(await whoAmI()).toEqual({
    user: 'ada@slipway.test',
    email: 'ada@slipway.test',
    preferredUsername: 'ada',
    groups: ['team-a'],
  })
})

it('a session continues with rotating refresh tokens and takes over changed groups', async () => {
  for (const team of ['team-b', 'team-c', 'team-d']) {
    provider.groups = [team]
    await gateway.clock.advance(recheckMs)
    const responses = await Promise.all(Array.from({ length: 20 }, whoAmI))
    expect(new Set(responses.map(({ groups }) => String(groups)))).toEqual(new Set([team]))
  }
  expect(await provider.liveRefreshTokens()).toBe(1)
})

it('signing out revokes the refresh token and ends the session at the provider', async () => {
  const copy = browser.header()
  const response = await browser.get('/oauth2/sign_out', {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
  })
  const end = new URL(String(response.headers.location))
  expect(`${end.origin}${end.pathname}`).toBe(`${provider.issuer}/session/end`)
  const page = await (await fetch(end)).text()
  expect(page).toContain('/session/end/confirm')
  expect(await provider.liveRefreshTokens()).toBe(0)
  // Another replica, which does not know of it, notices when it refreshes the session.
  const oidc = { issuer: provider.issuer, clientId: 'slipway', clientSecret }
  const other = await startGateway({ signIn: { oidc } }, manualClock(gateway.clock.now() + 2 * recheckMs))
  const there = createBrowser(other.app)
  expect((await there.get('/oauth2/userinfo', { cookie: copy })).statusCode).toBe(503)
  await other.clock.advance(2_000)
  expect((await there.get('/oauth2/userinfo', { cookie: copy })).statusCode).toBe(401)
  await other.close()
})

it("shows a page when the provider rejects the gateway's secret", async () => {
  const oidc = { issuer: provider.issuer, clientId: 'slipway', clientSecret: 'wrong' }
  const other = await startGateway({ signIn: { oidc } }, manualClock(Date.now()))
  const there = createBrowser(other.app)
  const { headers } = await there.get('/oauth2/start')
  const response = await there.get(await provider.visit(String(headers.location)))
  expect(response.statusCode).toBe(502)
  expect(response.body).toContain('does not accept this gateway')
  await other.close()
})

it('a user who is blocked at the provider is signed out, also where no consent is requested and sessions are not confirmed', async () => {
  const oidc = {
    issuer: provider.issuer,
    clientId: 'slipway',
    clientSecret,
    prompt: 'login',
  }
  const session = { keys: [new Uint8Array(32)] }
  const other = await startGateway({ signIn: { oidc }, session }, manualClock(Date.now()))
  const there = createBrowser(other.app)
  const { headers } = await there.get('/oauth2/start')
  await there.get(await provider.visit(String(headers.location)))
  expect((await there.get('/oauth2/userinfo')).statusCode).toBe(200)
  await other.clock.advance(59 * 60_000)
  expect((await there.get('/oauth2/userinfo')).statusCode).toBe(200)
  await other.clock.advance(60_000)
  expect((await there.get('/oauth2/userinfo')).statusCode).toBe(401)
  await other.close()
})
