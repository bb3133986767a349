import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JWTHeaderParameters, JWTPayload } from 'jose'
import { WebSocket } from 'ws'
import { createBrowser, type Browser } from '../../test/browser'
import { startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const path = '/oauth2/backchannel_logout'
let gateway: ListeningGateway

beforeEach(async () => {
  gateway = await startListeningGateway({ limits: { pingMs: 3_600_000 } })
  gateway.issuer.metadata.backchannel_logout_supported = true
})
afterEach(() => gateway.close())

async function signIn(claims: JWTPayload): Promise<Browser> {
  Object.assign(gateway.issuer.claims, claims)
  const browser = createBrowser(gateway.app, gateway.host)
  const { headers } = await browser.get('/oauth2/start')
  const { statusCode } = await browser.get(gateway.issuer.authorize(new URL(String(headers.location))))
  expect(statusCode).toBe(303)
  return browser
}
const statusFor = async (browser: Browser) => (await browser.get('/oauth2/userinfo')).statusCode

function logoutToken(overrides: JWTPayload = {}, header: Partial<JWTHeaderParameters> = { typ: 'logout+jwt' }) {
  const { issuer, clock } = gateway
  const iat = Math.floor(clock.now() / 1000)
  const claims = { iss: issuer.url, aud: 'slipway', iat, exp: iat + 120, jti: 'a', events: { [event]: {} } }
  return issuer.sign({ ...claims, ...overrides }, header)
}
const post = (payload: string, type = 'application/x-www-form-urlencoded') =>
  gateway.app.inject({ method: 'POST', url: path, headers: { host: gateway.host, 'content-type': type }, payload })
const logOut = async (token: string | Promise<string>) => post(`logout_token=${await token}`)

it('a token with a sid ends the sessions and streams of that session at the provider, and no other', async () => {
  const [mine, other] = [await signIn({ sid: 's-1' }), await signIn({ sid: 's-2' })]
  const open = async (browser: Browser) => {
    const { host, origin } = gateway
    const url = `ws://${host}/wss/k8s/api/v1/namespaces/a/pods?watch=true`
    const socket = new WebSocket(url, { headers: { cookie: browser.header(), origin } })
    await once(socket, 'open')
    return socket
  }
  const [socket, otherSocket] = [await open(mine), await open(other)]
  const closed = once(socket, 'close')
  const response = await logOut(logoutToken({ sub: 'u-1', sid: 's-1' }))
  expect(response.statusCode).toBe(200)
  expect(response.headers['cache-control']).toBe('no-store')
  expect((await closed)[0]).toBe(4401)
  expect(await statusFor(mine)).toBe(401)
  expect(await statusFor(other)).toBe(200)
  expect(otherSocket.readyState).toBe(WebSocket.OPEN)
  otherSocket.terminate()
})

it('a token without a sid ends all sessions of that user, and none of another user', async () => {
  const browsers = [
    await signIn({ sub: 'u-1' }),
    await signIn({ sub: 'u-1', sid: 's-1' }),
    await signIn({ sub: 'u-2' }),
  ]
  expect((await logOut(logoutToken({ sub: 'u-1' }))).statusCode).toBe(200)
  expect(await Promise.all(browsers.map(statusFor))).toEqual([401, 401, 200])
})

it('a session keeps its sid when it is confirmed with an ID token that has none', async () => {
  const browser = await signIn({ sid: 's-1' })
  delete gateway.issuer.claims.sid
  await gateway.clock.advance(5 * 60_000)
  expect(await statusFor(browser)).toBe(200)
  expect(gateway.issuer.counts.refreshes).toBe(1)
  await logOut(logoutToken({ sid: 's-1' }))
  expect(await statusFor(browser)).toBe(401)
})

it('a token that is sent again ends no session that started half a minute later', async () => {
  const token = await logoutToken({ sub: 'u-1' })
  expect((await logOut(token)).statusCode).toBe(200)
  await gateway.clock.advance(31_000)
  const browser = await signIn({ sub: 'u-1' })
  expect((await logOut(token)).statusCode).toBe(200)
  expect(await statusFor(browser)).toBe(200)
})

it('a later token ends later sessions of the same user', async () => {
  await logOut(logoutToken({ sub: 'u-1' }))
  await gateway.clock.advance(60_000)
  const browser = await signIn({ sub: 'u-1' })
  await logOut(logoutToken({ sub: 'u-1' }))
  expect(await statusFor(browser)).toBe(401)
})

it('an ID token as a bearer token is rejected once its session at the provider has ended', async () => {
  const { issuer, app, host, clock } = gateway
  const iat = Math.floor(clock.now() / 1000)
  const token = (sid: string) =>
    issuer.sign({ ...issuer.claims, iss: issuer.url, aud: 'slipway', iat, exp: iat + 3_600, sid })
  const call = async (sid: string) => {
    const headers = { host, authorization: `Bearer ${await token(sid)}` }
    return (await app.inject({ url: '/oauth2/userinfo', headers })).statusCode
  }
  expect(await call('s-1')).toBe(200)
  await logOut(logoutToken({ sid: 's-1' }))
  expect(await call('s-1')).toBe(401)
  expect(await call('s-2')).toBe(200)
})

it.each<[string, Partial<JWTHeaderParameters>]>([
  ['no type', { typ: undefined }],
  ['the type of any JWT', { typ: 'JWT' }],
  ['the full media type', { typ: 'application/logout+jwt' }],
])('a token with %s is accepted', async (_, header) => {
  expect((await logOut(logoutToken({ sid: 's-1' }, header))).statusCode).toBe(200)
})

it('a token whose event has further members is accepted, as Keycloak sends it', async () => {
  const events = { [event]: {}, revoke_offline_access: true }
  expect((await logOut(logoutToken({ sid: 's-1', events }))).statusCode).toBe(200)
})

const now = () => Math.floor(gateway.clock.now() / 1000)
it.each<[string, () => JWTPayload, Partial<JWTHeaderParameters>?]>([
  ['of another issuer', () => ({ iss: 'https://evil.example' })],
  ['for another client', () => ({ aud: 'another' })],
  ['without an audience', () => ({ aud: undefined })],
  ['for several clients, without an authorized party', () => ({ aud: ['slipway', 'another'] })],
  ['without a time of issue', () => ({ iat: undefined })],
  ['from the future', () => ({ iat: now() + 60, exp: now() + 120 })],
  ['that has expired', () => ({ iat: now() - 120, exp: now() - 31 })],
  ['that never expires', () => ({ exp: undefined })],
  ['without an id', () => ({ jti: undefined })],
  ['without a session and a user', () => ({ sub: undefined, sid: undefined })],
  ['with an empty user', () => ({ sub: '', sid: undefined })],
  ['with a session that is not text', () => ({ sid: 1 })],
  ['without events', () => ({ events: undefined })],
  ['about another event', () => ({ events: { 'http://schemas.openid.net/event/other': {} } })],
  ['whose event is not an object', () => ({ events: { [event]: true } })],
  ['whose events are a list', () => ({ events: [event] })],
  ['with a nonce', () => ({ nonce: 'a' })],
  ['that is an access token', () => ({}), { typ: 'at+jwt' }],
  ['signed with an unknown key', () => ({}), { kid: 'unknown' }],
])('a token %s is rejected and ends no session', async (_, overrides, header) => {
  const browser = await signIn({ sub: 'u-1', sid: 's-1' })
  const response = await logOut(logoutToken({ sub: 'u-1', sid: 's-1', ...overrides() }, header))
  expect(response.statusCode).toBe(400)
  expect(response.headers['cache-control']).toBe('no-store')
  expect(await statusFor(browser)).toBe(200)
})

it('an unsigned token and an ID token are rejected', async () => {
  const browser = await signIn({ sub: 'u-1', sid: 's-1' })
  const [, payload] = (await logoutToken({ sub: 'u-1', sid: 's-1' })).split('.')
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  expect((await logOut(`${header}.${payload}.`)).statusCode).toBe(400)
  const { claims, sign, url } = gateway.issuer
  const idToken = sign({ ...claims, iss: url, aud: 'slipway', iat: now(), exp: now() + 60, jti: 'a' })
  expect((await logOut(idToken)).statusCode).toBe(400)
  expect(await statusFor(browser)).toBe(200)
})

it.each([
  ['no token', 'a=b'],
  ['two tokens', 'logout_token=a&logout_token=b'],
  ['nonsense', 'logout_token=nonsense'],
  ['nothing', ''],
])('a request with %s is rejected', async (_, body) => expect((await post(body)).statusCode).toBe(400))

it('only a form is accepted', async () => {
  expect((await post('{}', 'application/json')).statusCode).toBe(415)
  expect((await gateway.app.inject({ url: path, headers: { host: gateway.host } })).statusCode).toBe(404)
})

it('tokens of unknown keys do not make the gateway fetch the keys each time', async () => {
  for (let count = 0; count < 5; count++) await logOut(logoutToken({ sid: 's-1' }, { kid: `unknown-${count}` }))
  expect(gateway.issuer.counts.keys).toBeLessThanOrEqual(2)
})

it('a logout is rejected while the keys of the provider cannot be read, so that the provider knows', async () => {
  const token = await logoutToken({ sid: 's-1' })
  gateway.issuer.isDown = true
  expect((await logOut(token)).statusCode).toBe(400)
})

it('there is nothing to call if the provider does not support it', async () => {
  delete gateway.issuer.metadata.backchannel_logout_supported
  expect((await logOut(logoutToken({ sid: 's-1' }))).statusCode).toBe(404)
})
