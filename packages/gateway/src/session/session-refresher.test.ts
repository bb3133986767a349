import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createBrowser, type Browser } from '../../test/browser'
import {
  configFor,
  signIn,
  startGateway,
  startListeningGateway,
  type GatewayUnderTest,
  type Overrides,
} from '../../test/gateway-under-test'
import { createGateway } from '../app'

const minuteMs = 60_000
let gateway: GatewayUnderTest
afterEach(() => gateway.close())

async function signedIn(): Promise<Browser> {
  const browser = createBrowser(gateway.app)
  const { headers } = await browser.get('/oauth2/start')
  const { statusCode } = await browser.get(gateway.issuer.authorize(new URL(String(headers.location))))
  expect(statusCode).toBe(303)
  return browser
}
async function start(overrides?: Overrides): Promise<Browser> {
  gateway = await startGateway(overrides)
  return signedIn()
}
const version = '/api/k8s/version'
const impersonated = () =>
  gateway.upstream.seen.at(-1)?.headers.flatMap(([name, value]) => (name === 'impersonate-group' ? [value] : []))

describe('a session in use', () => {
  it('an active session is confirmed every three minutes, and changes at the provider take effect', async () => {
    const browser = await start()
    await browser.get(version)
    expect(impersonated()).toEqual(['team-a', 'system:authenticated'])
    gateway.issuer.claims.groups = ['team-b', 'system:masters']
    await gateway.clock.advance(3 * minuteMs - 1)
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(0)
    await gateway.clock.advance(1)
    await browser.get(version)
    expect(impersonated()).toEqual(['team-b', 'system:authenticated'])
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(1)
    await gateway.clock.advance(3 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    expect(gateway.issuer.counts.refreshes).toBe(2)
  })

  it('a session is confirmed after the clock was set back, and then regularly again', async () => {
    const browser = await start()
    gateway.clock.jump(-60 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    expect(gateway.issuer.counts.refreshes).toBe(1)
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(1)
    gateway.clock.jump(5 * minuteMs)
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(2)
  })

  it('a session is confirmed soon after the provider is back, even if the clock was set back meanwhile', async () => {
    const browser = await start()
    gateway.clock.jump(5 * minuteMs)
    gateway.issuer.isDown = true
    expect((await browser.get(version)).statusCode).toBe(200)
    gateway.issuer.isDown = false
    gateway.clock.jump(-60 * minuteMs)
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(0)
    gateway.clock.jump(15_000)
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(1)
  })

  it('a session is confirmed once for a hundred concurrent calls and for late calls with the old cookie', async () => {
    const browser = await start()
    const old = browser.header()
    await gateway.clock.advance(5 * minuteMs)
    let open = () => {}
    gateway.issuer.refreshGate = new Promise((resolve) => (open = resolve))
    const calls = Array.from({ length: 100 }, () => createBrowser(gateway.app).get(version, { cookie: old }))
    await expect.poll(() => gateway.issuer.counts.refreshes).toBe(1)
    open()
    const responses = await Promise.all(calls)
    await gateway.clock.advance(29_000)
    responses.push(await createBrowser(gateway.app).get(version, { cookie: old }))
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    // All the same, so that the browser cannot end up with a mixture of two.
    expect(new Set(responses.map(({ headers }) => String(headers['set-cookie']))).size).toBe(1)
    expect(gateway.issuer.counts.refreshes).toBe(1)
  })

  it('a browser that was killed before it stored its new cookie goes on with the session that replaced its old one', async () => {
    const browser = await start()
    const old = browser.header()
    await gateway.clock.advance(5 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    const next = browser.header()
    await gateway.clock.advance(2 * minuteMs)
    const restarted = createBrowser(gateway.app)
    expect((await restarted.get(version, { cookie: old })).statusCode).toBe(200)
    expect(restarted.header()).toBe(next)
    expect(gateway.issuer.counts.refreshes).toBe(1)
    // The session that replaced it has been replaced as well.
    await gateway.clock.advance(2 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    await gateway.clock.advance(minuteMs)
    const again = createBrowser(gateway.app)
    expect((await again.get(version, { cookie: old })).statusCode).toBe(200)
    expect(again.header()).toBe(browser.header())
    expect(again.header()).not.toBe(next)
    expect(gateway.issuer.counts.refreshes).toBe(2)
    // Nothing was sent to the provider twice, and so the session lasts.
    await gateway.clock.advance(3 * minuteMs)
    expect((await again.get(version)).statusCode).toBe(200)
    expect(gateway.issuer.counts.refreshes).toBe(3)
  })

  it('an old cookie does not go on with a session that was signed out', async () => {
    const browser = await start()
    const old = browser.header()
    await gateway.clock.advance(5 * minuteMs)
    await browser.get(version)
    await browser.post('/oauth2/sign_out', { 'sec-fetch-site': 'same-origin' })
    await gateway.clock.advance(2 * minuteMs)
    expect((await createBrowser(gateway.app).get(version, { cookie: old })).statusCode).toBe(401)
  })

  it('a session keeps its tokens and uses the user info if the provider issues no new ID token', async () => {
    const browser = await start()
    gateway.issuer.tokenResponse = { id_token: undefined }
    gateway.issuer.userInfo = { sub: 'u-1', email: 'ada@slipway.test', email_verified: true, groups: ['team-c'] }
    await gateway.clock.advance(5 * minuteMs)
    await browser.get(version)
    expect(impersonated()).toEqual(['team-c', 'system:authenticated'])
    expect(gateway.issuer.counts.userInfo).toBe(1)
  })

  it('the new refresh token is stored even if the keys cannot be read at that moment', async () => {
    const browser = await start()
    await gateway.issuer.rotateKey()
    gateway.issuer.mint = async (claims, sign) => {
      gateway.issuer.isDown = true
      return sign(claims)
    }
    await gateway.clock.advance(5 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    gateway.issuer.isDown = false
    gateway.issuer.mint = (claims, sign) => sign(claims)
    await gateway.clock.advance(31_000)
    expect((await browser.get(version)).statusCode).toBe(200)
    expect(gateway.issuer.counts.refreshes).toBe(2)
    await gateway.clock.advance(2 * minuteMs)
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(2)
  })

  it('a session is confirmed before its ID token expires if an upstream needs the token', async () => {
    const session = { keys: [new Uint8Array(32).fill(1)], recheckMs: 180 * minuteMs }
    const browser = await start({ session, kubernetes: { as: 'id-token' } })
    const sent = async () => {
      expect((await browser.get(version)).statusCode).toBe(200)
      return gateway.upstream.seen.at(-1)?.headers.find(([name]) => name === 'authorization')?.[1]
    }
    const first = await sent()
    expect(first).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
    await gateway.clock.advance(58 * minuteMs)
    expect(await sent()).toBe(first)
    await gateway.clock.advance(minuteMs)
    expect(await sent()).not.toBe(first)
    expect(gateway.issuer.counts.refreshes).toBe(1)
  })

  it('a session without a refresh token is not confirmed, and ends an hour after sign-in, even in use', async () => {
    gateway = await startGateway({ session: { keys: [new Uint8Array(32)] } })
    gateway.issuer.tokenResponse = { refresh_token: undefined }
    const browser = await signedIn()
    gateway.issuer.isDown = true
    await gateway.clock.advance(59 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    expect(gateway.issuer.counts.refreshes).toBe(0)
    await gateway.clock.advance(minuteMs)
    expect((await browser.get(version)).statusCode).toBe(401)
  })
})

it('a session that is signed out during its refresh ends at a replica that shares only the provider too', async () => {
  const browser = await start()
  const oidc = { issuer: gateway.issuer.url, clientId: 'slipway' }
  const replica = await createGateway(configFor(gateway.upstream.url, { signIn: { oidc } }), { clock: gateway.clock })
  const old = browser.header()
  await gateway.clock.advance(5 * minuteMs)
  let open = () => {}
  gateway.issuer.refreshGate = new Promise((resolve) => (open = resolve))
  const refreshing = browser.get(version)
  await expect.poll(() => gateway.issuer.counts.refreshes).toBe(1)
  const headers = { cookie: old, 'sec-fetch-site': 'same-origin' }
  expect((await createBrowser(gateway.app).post('/oauth2/sign_out', headers)).statusCode).toBe(204)
  open()
  const { statusCode, headers: received } = await refreshing
  expect([statusCode, received['www-authenticate']]).toEqual([401, 'Session'])
  // The old refresh token and the one that the refresh has brought.
  expect(new Set(gateway.issuer.revoked).size).toBe(2)
  expect(browser.header()).toBe('')
  expect((await createBrowser(replica).get(version, { cookie: browser.header() })).statusCode).toBe(401)
  await replica.close()
})

it('a call is rejected if its session is signed out before the provider has used its refresh token', async () => {
  const browser = await start()
  const old = browser.header()
  await gateway.clock.advance(5 * minuteMs)
  let open = () => {}
  gateway.issuer.refreshGate = new Promise((resolve) => (open = resolve))
  const refreshing = browser.get(version)
  await expect.poll(() => gateway.issuer.counts.refreshes).toBe(1)
  await createBrowser(gateway.app).post('/oauth2/sign_out', { cookie: old, 'sec-fetch-site': 'same-origin' })
  gateway.issuer.tokenError = { status: 400, error: 'invalid_grant' }
  open()
  expect((await refreshing).statusCode).toBe(401)
})

it('a session that is signed out just after its refresh, with its old cookie, ends at such a replica too', async () => {
  const browser = await start()
  const oidc = { issuer: gateway.issuer.url, clientId: 'slipway' }
  const replica = await createGateway(configFor(gateway.upstream.url, { signIn: { oidc } }), { clock: gateway.clock })
  const old = browser.header()
  await gateway.clock.advance(5 * minuteMs)
  expect((await browser.get(version)).statusCode).toBe(200)
  const refreshed = browser.header()
  expect(refreshed).not.toBe(old)
  const headers = { cookie: old, 'sec-fetch-site': 'same-origin' }
  expect((await createBrowser(gateway.app).post('/oauth2/sign_out', headers)).statusCode).toBe(204)
  // The old refresh token and the one that the refresh has brought.
  await expect.poll(() => new Set(gateway.issuer.revoked).size).toBe(2)
  const statusAt = async (app: FastifyInstance) =>
    (await createBrowser(app).get(version, { cookie: refreshed })).statusCode
  expect(await statusAt(gateway.app)).toBe(401)
  // The first rejection of a token may be due to a replica that has just used it.
  await gateway.clock.advance(5 * minuteMs)
  await statusAt(replica)
  await gateway.clock.advance(minuteMs)
  expect(await statusAt(replica)).toBe(401)
  await replica.close()
})

describe('a session that the provider has ended', () => {
  const ended = { status: 400, error: 'invalid_grant' }

  it('a session ends here once another replica cannot have used its token', async () => {
    const browser = await start()
    const old = browser.header()
    gateway.issuer.tokenError = ended
    await gateway.clock.advance(5 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    await gateway.clock.advance(30_000)
    const response = await browser.get(version)
    expect(response.statusCode).toBe(401)
    expect(response.headers['www-authenticate']).toBe('Session')
    expect(browser.cookies.size).toBe(0)
    gateway.issuer.tokenError = undefined
    expect((await createBrowser(gateway.app).get(version, { cookie: old })).statusCode).toBe(401)
  })

  it('a session continues with the cookie of another replica that used the token', async () => {
    const browser = await start()
    const old = browser.header()
    await gateway.clock.advance(5 * minuteMs)
    // The other replica has the same keys but separate memory.
    const other = await startGateway({ signIn: { oidc: { issuer: gateway.issuer.url, clientId: 'slipway' } } })
    await other.clock.advance(5 * minuteMs)
    const there = createBrowser(other.app)
    expect((await there.get(version, { cookie: old })).statusCode).toBe(200)
    const late = await createBrowser(gateway.app).get(version, { cookie: old })
    expect(late.statusCode).toBe(200)
    expect(late.headers).not.toHaveProperty('set-cookie')
    await gateway.clock.advance(40_000)
    expect((await createBrowser(gateway.app).get(version, { cookie: there.header() })).statusCode).toBe(200)
    await other.close()
  })

  it('after a pause no call is allowed, and the session ends two seconds later', async () => {
    const browser = await start()
    gateway.issuer.tokenError = ended
    await gateway.clock.advance(10 * minuteMs)
    const calls = await Promise.all(Array.from({ length: 10 }, () => browser.get(version)))
    for (const { statusCode, headers } of calls) {
      expect(statusCode).toBe(503)
      expect(headers['retry-after']).toBe('2')
    }
    expect(gateway.upstream.seen).toEqual([])
    expect(gateway.issuer.counts.refreshes).toBe(1)
    await gateway.clock.advance(2_000)
    expect((await browser.get(version)).statusCode).toBe(401)
  })

  it('a session continues after a pause if another replica confirmed it at the same moment', async () => {
    const browser = await start()
    const old = browser.header()
    await gateway.clock.advance(60 * minuteMs)
    const other = await startGateway({ signIn: { oidc: { issuer: gateway.issuer.url, clientId: 'slipway' } } })
    await other.clock.advance(60 * minuteMs)
    const there = createBrowser(other.app)
    expect((await there.get(version, { cookie: old })).statusCode).toBe(200)
    expect((await createBrowser(gateway.app).get(version, { cookie: old })).statusCode).toBe(503)
    await gateway.clock.advance(2_000)
    expect((await createBrowser(gateway.app).get(version, { cookie: there.header() })).statusCode).toBe(200)
    await other.close()
  })

  it.each([
    ['is now another user', { sub: 'u-2' }],
    ['now has an unverified email address', { email_verified: false }],
    ['now has a system name', { email: 'system:admin' }],
  ])('a session ends when its user %s', async (_, claims) => {
    const browser = await start()
    Object.assign(gateway.issuer.claims, claims)
    await gateway.clock.advance(5 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(401)
  })
})

describe('while the provider is unavailable', () => {
  it.each([
    ['unreachable', () => void (gateway.issuer.isDown = true), () => void (gateway.issuer.isDown = false)],
    [
      'failing',
      () => void (gateway.issuer.tokenError = { status: 503, error: 'temporarily_unavailable' }),
      () => void (gateway.issuer.tokenError = undefined),
    ],
    [
      'rejecting this gateway',
      () => void (gateway.issuer.tokenError = { status: 401, error: 'invalid_client' }),
      () => void (gateway.issuer.tokenError = undefined),
    ],
  ])('a session continues for the grace period, then gets a 503 and never a 401: %s', async (_, fail, recover) => {
    const browser = await start()
    fail()
    await gateway.clock.advance(5 * minuteMs)
    expect((await browser.get(version)).statusCode).toBe(200)
    await gateway.clock.advance(5 * minuteMs - 1)
    expect((await browser.get(version)).statusCode).toBe(200)
    await gateway.clock.advance(20_000)
    const rejected = await browser.get(version)
    expect(rejected.statusCode).toBe(503)
    expect(rejected.headers).not.toHaveProperty('www-authenticate')
    expect(browser.cookies.size).toBe(1)
    recover()
    await gateway.clock.advance(2_000)
    expect((await browser.get(version)).statusCode).toBe(200)
  })

  it('calls do not retry an unavailable provider each time', async () => {
    const browser = await start()
    gateway.issuer.tokenError = { status: 503, error: 'temporarily_unavailable' }
    await gateway.clock.advance(5 * minuteMs)
    for (let step = 0; step < 20; step++) await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(1)
    await gateway.clock.advance(15_000)
    await browser.get(version)
    expect(gateway.issuer.counts.refreshes).toBe(2)
  })
})

describe('an open stream', () => {
  async function watching(cookie: string, listening: Awaited<ReturnType<typeof startListeningGateway>>) {
    const headers = { cookie, origin: listening.origin }
    const socket = new WebSocket(`ws://${listening.host}/wss/k8s/api/v1/pods?watch=true`, { headers })
    await once(socket, 'open')
    return socket
  }
  async function startListening() {
    const listening = await startListeningGateway({ limits: { pingMs: 3_600_000 } })
    gateway = listening
    const browser = createBrowser(listening.app, listening.host)
    const { headers } = await browser.get('/oauth2/start')
    await browser.get(listening.issuer.authorize(new URL(String(headers.location))))
    return { listening, browser }
  }

  it('a stream ends when its session is unconfirmed for the grace period, and can be reopened after a call', async () => {
    const { listening, browser } = await startListening()
    const socket = await watching(browser.header(), listening)
    const closed = once(socket, 'close')
    await listening.clock.advance(10 * minuteMs - 2_000)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    await listening.clock.advance(3_000)
    expect((await closed)[0]).toBe(4401)
    const rejected = new WebSocket(`ws://${listening.host}/wss/k8s/api/v1/pods?watch=true`, {
      headers: { cookie: browser.header(), origin: listening.origin },
    })
    expect(String((await once(rejected, 'error'))[0])).toContain('401')
    expect((await browser.get('/oauth2/userinfo')).statusCode).toBe(200)
    ;(await watching(browser.header(), listening)).terminate()
  })

  it('a stream continues while its session is confirmed', async () => {
    const { listening, browser } = await startListening()
    const socket = await watching(browser.header(), listening)
    for (let step = 0; step < 8; step++) {
      await listening.clock.advance(5 * minuteMs)
      await browser.get('/oauth2/userinfo')
    }
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.terminate()
  })

  it('a stream ends with its session when the provider no longer vouches for the user', async () => {
    const { listening, browser } = await startListening()
    const socket = await watching(browser.header(), listening)
    const closed = once(socket, 'close')
    Object.assign(listening.issuer.claims, { email_verified: false })
    await listening.clock.advance(5 * minuteMs)
    expect((await browser.get('/oauth2/userinfo')).statusCode).toBe(401)
    expect((await closed)[0]).toBe(4401)
  })

  it("a program's stream needs no origin and ends with its token", async () => {
    const { listening } = await startListening()
    const now = Math.floor(listening.clock.now() / 1000)
    const { issuer } = listening
    const claims = { iss: issuer.url, aud: 'slipway', iat: now, exp: now + 600, ...issuer.claims }
    const authorization = `Bearer ${await issuer.sign(claims)}`
    const url = `ws://${listening.host}/wss/k8s/api/v1/pods?watch=true`
    const foreign = new WebSocket(url, { headers: { authorization, origin: 'http://evil.example' } })
    expect(String((await once(foreign, 'error'))[0])).toContain('403')
    const cookie = await signIn(listening.app)
    const withoutOrigin = new WebSocket(url, { headers: { cookie } })
    expect(String((await once(withoutOrigin, 'error'))[0])).toContain('403')
    const socket = new WebSocket(url, { headers: { authorization } })
    await once(socket, 'open')
    const closed = once(socket, 'close')
    await listening.clock.advance(600_000)
    expect((await closed)[0]).toBe(4401)
  })
})
