import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualClock } from '@slipway/kube/testing'
import * as oidc from 'openid-client'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { completeCredentials } from '../credentials'
import { startSignInProvider, type SignInProvider, type SignInProviderOptions } from './provider'
import { openBrowser, type Browser } from './testing'
import { openSignInStore } from './store'

const consoleOrigin = 'http://127.0.0.1:8080'
const redirectUri = `${consoleOrigin}/oauth2/callback`
const users = [
  { name: 'ada', email: 'ada@slipway.test', groups: ['team-a'], description: 'Tests.' },
  { name: 'bob', email: 'bob@slipway.test', groups: [], description: '<b>&' },
]
const { signIn: secrets } = completeCredentials({})

let running: SignInProvider[] = []
afterEach(async () => {
  for (const provider of running.splice(0)) await provider.close()
})

async function start(options: Partial<SignInProviderOptions> = {}) {
  const provider = await startSignInProvider({
    host: '127.0.0.1',
    port: 0,
    users,
    clientId: 'slipway',
    secrets,
    redirectOrigins: () => [consoleOrigin],
    ...options,
  })
  running.push(provider)
  return provider
}

const stop = (provider: SignInProvider) => {
  running = running.filter((one) => one !== provider)
  return provider.close()
}

const clientOf = ({ issuer }: SignInProvider) =>
  oidc.discovery(
    new URL(issuer),
    'slipway',
    { client_secret: secrets.clientSecret },
    oidc.ClientSecretBasic(secrets.clientSecret),
    { execute: [oidc.allowInsecureRequests] },
  )

/** Starts a sign-in. Returns the URL of the page and a function to exchange the resulting code. */
async function beginSignIn(provider: SignInProvider, browser: Browser, parameters: Record<string, string> = {}) {
  const client = await clientOf(provider)
  const checks = { pkceCodeVerifier: oidc.randomPKCECodeVerifier(), expectedNonce: oidc.randomNonce() }
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: 'openid email profile groups offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: checks.expectedNonce,
    state: 'a-state',
    prompt: 'login',
    ...parameters,
  })
  const { location } = await browser(url)
  const exchange = (callback: string) =>
    oidc.authorizationCodeGrant(client, new URL(callback), { ...checks, expectedState: 'a-state' })
  return { client, url, page: location, exchange }
}

/** Completes a sign-in and returns the tokens. */
async function signIn(provider: SignInProvider, email: string, browser = openBrowser()) {
  const { client, page, exchange } = await beginSignIn(provider, browser)
  const chosen = await browser(page, { user: email })
  const callback = await browser(chosen.location)
  return { client, callback: callback.location, exchange, tokens: await exchange(callback.location) }
}

const titleOf = (html: string) => /<title>(.*) · Slipway<\/title>/.exec(html)?.[1]

describe('signing in', () => {
  it('lists the users and issues a token for the chosen one', async () => {
    const provider = await start()
    const browser = openBrowser()
    const { page, exchange } = await beginSignIn(provider, browser)
    expect(page).toMatch(`${provider.issuer}/sign-in/`)
    const { status, text, headers } = await browser(page)
    expect(status).toBe(200)
    expect(titleOf(text)).toBe('Sign in')
    expect(text).toContain('value="ada@slipway.test"')
    expect(text).toContain('&lt;b&gt;&amp;')
    expect(text).not.toMatch(/<script|<b>|style=/)
    expect(text).not.toContain('passcode')
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none';style-src 'self';img-src 'self';form-action 'self' ${consoleOrigin};base-uri 'none';frame-ancestors 'none'`,
    )
    expect(headers.get('cache-control')).toBe('no-store')

    const chosen = await browser(page, { user: 'ada@slipway.test' })
    expect(chosen.status).toBe(303)
    const { location } = await browser(chosen.location)
    expect(location).toMatch(`${redirectUri}?`)
    const tokens = await exchange(location)
    expect(tokens.claims()).toMatchObject({
      iss: provider.issuer,
      aud: 'slipway',
      sub: 'ada@slipway.test',
      email: 'ada@slipway.test',
      email_verified: true,
      name: 'ada',
      preferred_username: 'ada',
      groups: ['team-a'],
    })
    expect(tokens.refresh_token).toBeTruthy()
  })

  it('always shows the page, even to a signed-in user, and accepts another user', async () => {
    const provider = await start()
    const browser = openBrowser()
    const first = await signIn(provider, 'ada@slipway.test', browser)
    const second = await signIn(provider, 'bob@slipway.test', browser)
    expect(second.tokens.claims()?.sub).toBe('bob@slipway.test')
    const again = await beginSignIn(provider, browser)
    expect(titleOf((await browser(again.page)).text)).toBe('Sign in')
    // No user signed out.
    const refreshed = await oidc.refreshTokenGrant(first.client, first.tokens.refresh_token ?? '')
    expect(refreshed.claims()?.sub).toBe('ada@slipway.test')
  })

  it('supports two tabs, the second with another user', async () => {
    const provider = await start()
    const browser = openBrowser()
    const tabs = [await beginSignIn(provider, browser), await beginSignIn(provider, browser)]
    const subjects = []
    for (const [index, { page, exchange }] of tabs.entries()) {
      const chosen = await browser(page, { user: users[index]?.email ?? '' })
      subjects.push((await exchange((await browser(chosen.location)).location)).claims()?.sub)
    }
    expect(subjects).toEqual(['ada@slipway.test', 'bob@slipway.test'])
  })

  it('never asks for consent, even if requested', async () => {
    const provider = await start()
    const browser = openBrowser()
    const { page, exchange } = await beginSignIn(provider, browser, { prompt: 'login consent' })
    let { location } = await browser(page, { user: 'ada@slipway.test' })
    while (location.startsWith(provider.issuer)) location = (await browser(location)).location
    expect((await exchange(location)).refresh_token).toBeTruthy()
  })

  it('redirects back without a page if no prompt is requested', async () => {
    const provider = await start()
    const browser = openBrowser()
    await signIn(provider, 'ada@slipway.test', browser)
    const { page, exchange } = await beginSignIn(provider, browser, { prompt: 'none' })
    expect((await exchange(page)).claims()?.sub).toBe('ada@slipway.test')
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { 'sec-fetch-site': '', origin: 'http://evil.example' }],
  ])('is rejected for a form from %s', async (_, headers) => {
    const browser = openBrowser()
    const { page } = await beginSignIn(await start(), browser)
    const { status, text } = await browser(page, { user: 'ada@slipway.test' }, headers)
    expect([status, titleOf(text)]).toEqual([403, 'Sign-in rejected'])
  })

  test.each<[string, Record<string, string>]>([
    ['an empty form', {}],
    ['an empty user', { user: '' }],
    ['a stranger', { user: 'root@slipway.test' }],
    ['an oversized form', { user: 'ada@slipway.test', more: 'a'.repeat(5_000) }],
  ])('is rejected for %s', async (_, form) => {
    const browser = openBrowser()
    const { page } = await beginSignIn(await start(), browser)
    expect((await browser(page, form)).status).toBe(400)
  })
})

describe('the protocol', () => {
  test.each<[string, Record<string, string>]>([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['with plain PKCE', { code_challenge_method: 'plain' }],
    ['with another flow', { response_type: 'id_token' }],
  ])('rejects a request %s', async (_, parameters) => {
    const { page } = await beginSignIn(await start(), openBrowser(), parameters)
    expect(page).toMatch(redirectUri)
    expect(page).toContain('error=invalid_request')
  })

  it('exchanges a code only once, and revokes its tokens when it is used again', async () => {
    const { client, callback, exchange, tokens } = await signIn(await start(), 'ada@slipway.test')
    await expect(exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('rotates refresh tokens, and revokes all of them when a used one is sent again', async () => {
    const { client, tokens } = await signIn(await start(), 'ada@slipway.test')
    const first = tokens.refresh_token ?? ''
    const second = await oidc.refreshTokenGrant(client, first)
    expect(second.claims()?.groups).toEqual(['team-a'])
    expect(second.refresh_token).not.toBe(first)
    await expect(oidc.refreshTokenGrant(client, first)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(oidc.refreshTokenGrant(client, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('revokes a refresh token', async () => {
    const { client, tokens } = await signIn(await start(), 'ada@slipway.test')
    await oidc.tokenRevocation(client, tokens.refresh_token ?? '')
    await expect(oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('issues no tokens without the client secret', async () => {
    const provider = await start()
    const { tokens } = await signIn(provider, 'ada@slipway.test')
    const stranger = await oidc.discovery(new URL(provider.issuer), 'slipway', {}, oidc.ClientSecretBasic('guess'), {
      execute: [oidc.allowInsecureRequests],
    })
    await expect(oidc.refreshTokenGrant(stranger, tokens.refresh_token ?? '')).rejects.toThrow()
  })
})

describe('signing out at the provider', () => {
  const signOutUrl = async (browser: Browser, parameters: Record<string, string>) => {
    const provider = await start()
    const { client, tokens } = await signIn(provider, 'ada@slipway.test', browser)
    const url = oidc.buildEndSessionUrl(client, {
      post_logout_redirect_uri: `${consoleOrigin}/oauth2/sign_in`,
      ...(parameters.id_token_hint === '' ? {} : { id_token_hint: tokens.id_token ?? '' }),
    })
    return { provider, client, tokens, url }
  }

  it('redirects to the console without confirmation, and ends the session and its tokens', async () => {
    const browser = openBrowser()
    const { provider, client, tokens, url } = await signOutUrl(browser, {})
    const { status, location, headers } = await browser(url)
    expect([status, location]).toEqual([303, `${consoleOrigin}/oauth2/sign_in`])
    expect(headers.getSetCookie()).toContainEqual(expect.stringMatching(/^slipway-sign-in-session=;/))
    await expect(oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const { page } = await beginSignIn(provider, browser, { prompt: 'none' })
    expect(new URL(page).searchParams.get('error')).toBe('login_required')
    expect((await browser(url)).location).toBe(`${consoleOrigin}/oauth2/sign_in`)
  })

  it('asks for confirmation if the request may not come from the console', async () => {
    const browser = openBrowser()
    const { provider, url } = await signOutUrl(browser, { id_token_hint: '' })
    const { status, text } = await browser(url)
    expect([status, titleOf(text)]).toEqual([200, 'Sign out?'])
    expect(text).not.toMatch(/<script/)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    const { location } = await browser(`${provider.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
    expect(location).toBe(`${consoleOrigin}/oauth2/sign_in`)
  })
})

describe('failures have clear messages', () => {
  const cases: [string, (issuer: string) => string, number, string][] = [
    ['no page', (issuer) => `${issuer}/nothing`, 404, 'Page not found'],
    ['an expired sign-in', (issuer) => `${issuer}/sign-in/gone`, 400, 'This sign-in has expired'],
    ['an expired redirect', (issuer) => `${issuer}/auth/gone`, 400, 'This sign-in has expired'],
    ['no parameters', (issuer) => `${issuer}/auth`, 400, 'Sign-in is not possible'],
    ['another client', (issuer) => `${issuer}/auth?client_id=x`, 400, 'Unknown application'],
    [
      'a redirect to a foreign address',
      (issuer) => `${issuer}/auth?client_id=slipway&response_type=code&scope=openid&redirect_uri=http://evil.example`,
      400,
      'Invalid return address',
    ],
  ]
  test.each(cases)('%s', async (_, urlOf, status, title) => {
    const provider = await start()
    const answer = await openBrowser()(urlOf(provider.issuer))
    expect([answer.status, titleOf(answer.text)]).toEqual([status, title])
    expect(answer.text).toContain(`href="${consoleOrigin}/"`)
    expect(answer.text).not.toMatch(/<script|\bat .*\.js/)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('a full disk, without further details on the page', async () => {
    const faults: unknown[] = []
    const full = new Error('ENOSPC at /a/secret/path')
    const memory = await openSignInStore()
    let isFull = false
    const provider = await start({
      report: (error) => faults.push(error),
      store: {
        ...memory,
        records: (kind) => {
          const records = memory.records(kind)
          return { ...records, upsert: async (...args) => (isFull ? Promise.reject(full) : records.upsert(...args)) }
        },
      },
    })
    const browser = openBrowser()
    const { page, url } = await beginSignIn(provider, browser)
    isFull = true
    const answers = [await browser(url), await browser(page, { user: 'ada@slipway.test' })]
    expect(answers.map(({ text }) => titleOf(text))).toEqual(['Something went wrong', 'Something went wrong'])
    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    expect(JSON.stringify(answers)).not.toContain('secret')
    expect(faults).toEqual([full, full])
  })

  it('is not available under the host name of another site', async () => {
    const provider = await start()
    const { port } = new URL(provider.issuer)
    const { status, text } = await openBrowser()(`http://localhost:${port}/.well-known/openid-configuration`)
    expect([status, titleOf(text)]).toEqual([400, 'Wrong address'])
  })
})

describe('with a passcode', () => {
  it('requires it, and delays guessing', async () => {
    const clock = manualClock()
    const browser = openBrowser()
    const { page } = await beginSignIn(await start({ passcode: 'open-sesame', clock }), browser)
    expect((await browser(page)).text).toContain('<label for="passcode">Passcode</label>')
    const type = (passcode: string) => browser(page, { user: 'ada@slipway.test', passcode })
    for (const guess of ['', 'a', 'b', 'c']) {
      const { status, text } = await type(guess)
      expect(status).toBe(403)
      expect(text).toContain('Wrong passcode.')
    }
    expect((await type('d')).status).toBe(429)
    expect((await type('open-sesame')).text).toContain('Wait a minute, then try again.')
    clock.jump(60_000)
    expect((await type('open-sesame')).status).toBe(303)
  })
})

describe('a restart', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('preserves refresh tokens in a data folder', async () => {
    const path = join(folder, 'sign-in.json')
    const first = await start({ store: await openSignInStore({ path }) })
    const { tokens } = await signIn(first, 'ada@slipway.test')
    const port = Number(new URL(first.issuer).port)
    await stop(first)

    const second = await start({ port, store: await openSignInStore({ path }) })
    const refreshed = await oidc.refreshTokenGrant(await clientOf(second), tokens.refresh_token ?? '')
    expect(refreshed.claims()?.sub).toBe('ada@slipway.test')
    await stop(second)
  })

  it('discards all of them in memory', async () => {
    const first = await start()
    const { tokens } = await signIn(first, 'ada@slipway.test')
    await stop(first)
    await expect(oidc.refreshTokenGrant(await clientOf(await start()), tokens.refresh_token ?? '')).rejects.toThrow()
  })
})

test.each(['0.0.0.0', '192.0.2.1', '::'])('is not allowed on %s', async (host) => {
  await expect(start({ host })).rejects.toThrow('not loopback')
})

it('rejects HTTP/2 without TLS', async () => {
  const { host, port } = new URL((await start()).issuer)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  socket.write(`GET /.well-known/openid-configuration HTTP/2.0\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket as AsyncIterable<string>) answer += chunk
  expect(answer).toMatch(/^HTTP\/1\.1 505 /)
})
