import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '@slipway/kube/testing'
import { createBrowser, type Browser } from '../../test/browser'
import { host, origin, startGateway, type GatewayUnderTest } from '../../test/gateway-under-test'
import { clientSecret, startOpenidProvider, type OpenidProvider } from '../../test/openid-provider'
import { openshift, providerShapes, type ProviderShape } from '../../test/provider-shapes'

const minuteMs = 60_000
const session = { keys: [new Uint8Array(32).fill(1)] }
let provider: OpenidProvider
let gateway: GatewayUnderTest
let warnings: string[]

afterEach(async () => {
  await gateway.close()
  await provider.close()
})

async function start(shape: ProviderShape): Promise<Browser> {
  provider = await startOpenidProvider(origin, shape)
  const oidc = { issuer: provider.issuer, clientId: 'slipway', clientSecret, ...shape.settings }
  // The provider uses the system time.
  warnings = []
  const log = pino(
    { level: 'warn' },
    { write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg) },
  )
  gateway = await startGateway({ signIn: { oidc }, session, log }, manualClock(Date.now()))
  provider.deliver = async (payload) => {
    const headers = { host, 'content-type': 'application/x-www-form-urlencoded' }
    const { statusCode } = await gateway.app.inject({
      method: 'POST',
      url: '/oauth2/backchannel_logout',
      headers,
      payload,
    })
    return statusCode
  }
  return signIn()
}

async function signIn(): Promise<Browser> {
  const browser = createBrowser(gateway.app)
  const { headers } = await browser.get('/oauth2/start')
  const response = await browser.get(await provider.visit(String(headers.location)))
  expect(response.statusCode, response.body).toBe(303)
  return browser
}

const whoAmI = async (browser: Browser) => (await browser.get('/oauth2/userinfo')).json()
const statusFor = async (browser: Browser) => (await browser.get('/oauth2/userinfo')).statusCode
const nameOf = ({ identity }: ProviderShape) => ({ ...identity, email: identity.email || identity.user })

/** Uses the session every 20 seconds, like an open page. @returns minutes until it ends */
async function minutesUntilSignedOut(browser: Browser, atMostMinutes: number): Promise<number> {
  for (let seconds = 0; seconds <= atMostMinutes * 60; seconds += 20) {
    if ((await statusFor(browser)) === 401) return seconds / 60
    await gateway.clock.advance(20_000)
  }
  return Infinity
}

it('a provider without e-mail addresses needs another claim for the name, and the sign-in page says so', async () => {
  await start(openshift)
  const oidc = { issuer: provider.issuer, clientId: 'slipway', clientSecret }
  const other = await startGateway({ signIn: { oidc }, session }, manualClock(Date.now()))
  const browser = createBrowser(other.app)
  const { headers } = await browser.get('/oauth2/start')
  const response = await browser.get(await provider.visit(String(headers.location)))
  await other.close()
  expect(response.statusCode).toBe(403)
  expect(response.body).toContain('the claim email is missing')
})

describe.each(Object.entries(providerShapes))('%s', (_, shape) => {
  const hasRefresh = shape.refreshToken !== 'never'

  it('signs in with the name and groups of the provider, with a warning if there is no refresh token', async () => {
    const browser = await start(shape)
    expect(await whoAmI(browser)).toEqual({ ...nameOf(shape), groups: ['team-a'] })
    expect(await provider.liveRefreshTokens()).toBe(hasRefresh ? 1 : 0)
    const warning = 'the provider issued no refresh token, so the session cannot be confirmed'
    expect(warnings).toEqual(hasRefresh ? [] : [warning])
  })

  it('a session and new sign-ins survive that the provider rotates its keys', async () => {
    const browser = await start(shape)
    await provider.rotateKey()
    provider.groups = ['team-b']
    await gateway.clock.advance(5 * minuteMs)
    expect(await whoAmI(browser)).toEqual({ ...nameOf(shape), groups: [hasRefresh ? 'team-b' : 'team-a'] })
    expect(await whoAmI(await signIn())).toEqual({ ...nameOf(shape), groups: ['team-b'] })
  })

  it('a blocked user is signed out within five minutes, or within an hour where there are no refresh tokens', async () => {
    const browser = await start(shape)
    provider.isBlocked = true
    const minutes = hasRefresh ? 5 : 60
    const actual = await minutesUntilSignedOut(browser, minutes)
    expect(actual).toBeLessThanOrEqual(minutes)
    expect(actual).toBeGreaterThan(hasRefresh ? 2 : 59)
  })

  it('signing out ends the session here, and with its refresh token at the provider if it can', async () => {
    const browser = await start(shape)
    const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }
    const { headers: sent } = await browser.get('/oauth2/sign_out', headers)
    expect(await statusFor(browser)).toBe(401)
    expect(await provider.liveRefreshTokens()).toBe(hasRefresh && !shape.hasLogout ? 1 : 0)
    if (!shape.hasLogout) return void expect(sent.location).toBe('/oauth2/sign_in')
    expect(sent.location).toContain(`${provider.issuer}/session/end?`)
    expect(await provider.logOut(String(sent.location))).toBe(`${origin}/oauth2/sign_in`)
  })

  if (shape.hasBackChannelLogout)
    it('a logout at the provider ends the session at once', async () => {
      const browser = await start(shape)
      await provider.logOut(`${provider.issuer}/session/end`)
      expect(provider.delivered).toEqual([200])
      const response = await browser.get('/oauth2/userinfo')
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Session')
      await gateway.clock.advance(31_000)
      expect(await statusFor(await signIn())).toBe(200)
    })

  if (shape.refreshToken === 'always')
    it('a session whose logout is not delivered ends within five minutes', async () => {
      const browser = await start(shape)
      provider.deliver = undefined
      await provider.logOut(`${provider.issuer}/session/end`)
      expect(await minutesUntilSignedOut(browser, 5)).toBeLessThanOrEqual(5)
    })

  if (!shape.hasBackChannelLogout)
    it('no logout tokens are accepted, since the provider sends none', async () => {
      await start(shape)
      expect(await provider.deliver?.('logout_token=a')).toBe(404)
    })
})
