import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../../simulator/test/platform/program'
import { createGateway } from '../../src/app'
import { namespace, startCluster, type Cluster } from '../cluster'
import { configFor, fromOurPage } from '../gateway-under-test'
import { clientSecret, startOpenidProvider, type OpenidProvider } from '../openid-provider'
import { plainShape } from '../provider-shapes'
import { startOauth2Proxy, type Oauth2ProxyOptions, type RealOauth2Proxy } from './oauth2-proxy'

/** The gateway behind the real oauth2-proxy, which signs users in with a certified OpenID provider. */

const frontProxySecret = 'sentinel-secret-of-the-front-proxy'
const configMaps = `api/v1/namespaces/${namespace}/configmaps`

let cluster: Cluster
let gateway: FastifyInstance
let gatewayUrl: string
let provider: OpenidProvider
let proxy: RealOauth2Proxy
/** Of the proxy. */
let origin: string
let options: Oauth2ProxyOptions
/** A proxy with other settings, for a browser that has a session of the first. */
let otherPort: number
let emailVerified: boolean | undefined = true
let hasThinIdToken = false

beforeAll(async () => {
  cluster = await startCluster()
  const port = await freePort()
  otherPort = await freePort()
  const gatewayPort = await freePort()
  gatewayUrl = `http://127.0.0.1:${gatewayPort}`
  origin = `http://127.0.0.1:${port}`
  gateway = await createGateway(
    configFor(cluster.url, {
      port: gatewayPort,
      publicOrigins: [origin, `http://127.0.0.1:${otherPort}`, gatewayUrl],
      signIn: { frontProxy: { secret: { header: 'X-Front-Proxy-Secret', value: frontProxySecret } } },
    }),
  )
  await gateway.listen({ host: '127.0.0.1', port: gatewayPort })
  provider = await startOpenidProvider(origin, {
    ...plainShape,
    get hasThinIdToken() {
      return hasThinIdToken
    },
    claims: (groups) => ({ ...plainShape.claims(groups), email_verified: emailVerified }),
  })
  options = { port, origin, gatewayUrl, issuer: provider.issuer, clientSecret, frontProxySecret }
  proxy = await startOauth2Proxy(options)
})
afterAll(async () => {
  await proxy.close()
  await provider.close()
  await gateway.close()
  await cluster.close()
})

let browser: ReturnType<typeof createBrowser>
beforeEach(() => {
  browser = createBrowser()
  provider.groups = ['team-a', 'soakers']
})
afterEach(() => {
  provider.isBlocked = false
  emailVerified = true
})

/** Stores the proxy's cookies, and does not follow redirects. */
function createBrowser() {
  const cookies = new Map<string, string>()
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function open(path: string, init: RequestInit = {}, at = origin) {
    const headers = { cookie: header(), ...init.headers }
    const response = await fetch(`${at}${path}`, { redirect: 'manual', ...init, headers })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return { header, open }
}

const locationOf = (response: Response) => response.headers.get('location') ?? `${response.status}: no location`

/** Starts at the address that the console goes to for signing in. @returns the response to what the provider sends */
async function signIn(): Promise<Response> {
  const page = await browser.open('/oauth2/sign_in?rd=%2Fns%2Fsoak')
  expect(await page.text()).toContain('action="/oauth2/start"')
  const start = await browser.open('/oauth2/start?rd=%2Fns%2Fsoak')
  return browser.open(await provider.visit(locationOf(start)))
}

/** Who the cluster takes the browser's user for. */
async function clusterUser(headers: Record<string, string> = {}): Promise<unknown> {
  const response = await browser.open('/api/k8s/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...fromOurPage, ...headers },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
  })
  // The type of the embedded API server's response.
  const { status } = (await response.json()) as { status: { userInfo?: { username: string; groups: string[] } } }
  return status.userInfo ? { user: status.userInfo.username, groups: status.userInfo.groups } : response.status
}

describe.each([
  ['the ID token', false],
  ['the user info of the provider', true],
])('with claims in %s', (_, isThin) => {
  beforeEach(() => {
    hasThinIdToken = isThin
  })

  it('a user signs in, returns to the page that was asked for, and is known with name and groups', async () => {
    expect(locationOf(await signIn())).toBe('/ns/soak')
    expect(await (await browser.open('/oauth2/userinfo')).json()).toMatchObject({
      email: 'ada@slipway.test',
      preferredUsername: 'ada',
      groups: ['team-a', 'soakers'],
    })
    expect(await clusterUser()).toEqual({
      user: 'ada@slipway.test',
      groups: ['team-a', 'soakers', 'system:authenticated'],
    })
  })

  it('a user whose e-mail address is not verified is not signed in', async () => {
    emailVerified = false
    const response = await signIn()
    expect(response.status).toBe(500)
    expect((await browser.open('/oauth2/userinfo')).status).toBe(401)
    expect((await browser.open(`/api/k8s/${configMaps}`)).status).toBe(401)
  })

  it('an e-mail address of which the provider does not say whether it is verified is accepted', async () => {
    emailVerified = undefined
    expect(locationOf(await signIn())).toBe('/ns/soak')
  })
})

it("groups of the provider that start with system: don't reach the cluster", async () => {
  provider.groups = ['system:masters', 'team-a']
  await signIn()
  expect(await clusterUser()).toEqual({ user: 'ada@slipway.test', groups: ['team-a', 'system:authenticated'] })
  expect((await browser.open(`/api/k8s/${configMaps}`)).status).toBe(403)
})

it.each([
  ['a browser with a session', ['team-a']],
  ['a browser with a session of a user without groups', []],
])('identity headers sent by %s are replaced', async (_, groups) => {
  provider.groups = groups
  await signIn()
  const forged = {
    'x-auth-request-user': 'eve',
    'X-Auth-Request-Email': 'eve@slipway.test',
    'x-auth-request-groups': 'soakers',
    x_auth_request_groups: 'soakers',
    'x-auth-request-preferred-username': 'eve',
    'impersonate-user': 'eve',
    'impersonate-group': 'soakers',
    'x-front-proxy-secret': 'another secret of the front proxy',
  }
  expect(await clusterUser(forged)).toEqual({ user: 'ada@slipway.test', groups: [...groups, 'system:authenticated'] })
})

it('without a session, API calls get a 401 and pages the sign-in page, whatever headers are sent', async () => {
  const forged = { 'x-auth-request-email': 'ada@slipway.test', 'x-front-proxy-secret': frontProxySecret }
  for (const path of [`/api/k8s/${configMaps}`, `/wss/k8s/${configMaps}?watch=true`, '/oauth2/userinfo']) {
    const { status, headers } = await browser.open(path, { headers: forged })
    expect([path, status, headers.get('location')]).toEqual([path, 401, null])
  }
  const page = await browser.open('/ns/soak', { headers: { accept: 'text/html', ...forged } })
  expect(page.status).toBe(403)
  expect(await page.text()).toContain('action="/oauth2/start"')
})

it('the gateway itself rejects a browser that reaches it without the proxy', async () => {
  await signIn()
  const headers = { cookie: browser.header(), 'x-auth-request-email': 'ada@slipway.test' }
  expect((await browser.open(`/api/k8s/${configMaps}`, { headers }, gatewayUrl)).status).toBe(401)
})

it('lists and live websockets pass through the proxy', async () => {
  await signIn()
  await cluster.publish('listed')
  const response = await browser.open(`/api/k8s/${configMaps}`)
  // The type of the embedded API server's response.
  const { metadata, items } = (await response.json()) as {
    metadata: { resourceVersion: string }
    items: { data: { text: string } }[]
  }
  expect(items.map(({ data }) => data.text)).toContain('listed')

  const query = `watch=true&resourceVersion=${metadata.resourceVersion}`
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/wss/k8s/${configMaps}?${query}`, {
    headers: { cookie: browser.header(), origin },
  })
  onTestFinished(() => socket.terminate())
  const received: unknown[] = []
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  await once(socket, 'open')
  for (const text of ['first', 'second']) {
    await cluster.publish(text)
    await expect.poll(() => received.at(-1)).toMatchObject({ type: 'MODIFIED', object: { data: { text } } })
  }
})

it('followed logs pass through the proxy as they are written', async () => {
  await signIn()
  const response = await browser.open(`/api/k8s/api/v1/namespaces/${namespace}/pods/published/log?follow=true`)
  expect(response.status).toBe(200)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader.cancel())
  let log = ''
  for (const text of ['a line', 'another line']) {
    await cluster.publish(text)
    while (!log.endsWith(`${text}\n`)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`the log ended: ${log}`)
      log += value
    }
  }
  expect(log).toContain('a line\nanother line\n')
})

it('logging out ends the session of the proxy, shows its sign-in page, and makes the provider ask again', async () => {
  await signIn()
  const response = await browser.open('/oauth2/sign_out', { headers: fromOurPage })
  // The console follows no redirect, and takes anything below 400 for a success.
  expect(response.status).toBe(302)
  expect((await browser.open('/oauth2/userinfo')).status).toBe(401)
  const page = await browser.open('/oauth2/sign_in?rd=%2Fns%2Fsoak')
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('action="/oauth2/start"')])
  const start = await browser.open('/oauth2/start?rd=%2Fns%2Fsoak')
  expect(new URL(locationOf(start)).searchParams.get('prompt')).toBe('login')
})

/** Starts another proxy, whose sessions are encrypted with the same secret. @returns its origin */
async function startOtherProxy(changes: Partial<Oauth2ProxyOptions>): Promise<string> {
  const other = await startOauth2Proxy({ ...options, port: otherPort, ...changes })
  onTestFinished(() => other.close())
  return `http://127.0.0.1:${otherPort}`
}

it('logging out calls the address of backendLogoutURL with the ID token', async () => {
  const opened: string[] = []
  const server = createServer((request, response) => {
    opened.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const setting = `backendLogoutURL: http://127.0.0.1:${port}/end?id_token_hint={id_token}`
  const at = await startOtherProxy({ adapt: (file) => file.replace(/(?<= )scope:/, `${setting}\n    scope:`) })
  await signIn()
  await browser.open('/oauth2/sign_out', { headers: fromOurPage }, at)
  const [url = '', ...others] = opened
  expect(others).toEqual([])
  const { searchParams } = new URL(url, at)
  expect(decodeJwt(searchParams.get('id_token_hint') ?? '').sub).toBe('u-ada')
})

it('with cookie_refresh and a refresh token, groups follow the provider and a blocked user is signed out', async () => {
  const adapt = (file: string) =>
    file
      .replace('profile groups', 'profile groups offline_access')
      .replace('default: [login]', 'default: [login consent]')
      .replace(/^cookie_secret_file/m, 'cookie_refresh = "1s"\n$&')
  // The provider sends the browser back to the first proxy, so this one takes its place.
  await proxy.close()
  proxy = await startOauth2Proxy({ ...options, adapt })
  onTestFinished(async () => {
    await proxy.close()
    proxy = await startOauth2Proxy(options)
  })
  await signIn()
  const status = async () => (await browser.open(`/api/k8s/${configMaps}`)).status
  expect(await status()).toBe(200)
  provider.groups = ['team-a']
  await expect.poll(status).toBe(403)
  provider.isBlocked = true
  await expect.poll(status).toBe(401)
})

it.each([
  ['the gateway rejects a proxy with another secret', 'another secret of the front proxy', [401, 'Session']],
  // Its upstream connection refuses to send the header.
  ['a proxy cannot send a secret that ends with a line break', `${frontProxySecret}\n`, [502, null]],
])('%s', async (_, secret, expected) => {
  await signIn()
  const at = await startOtherProxy({ frontProxySecret: secret })
  expect((await browser.open('/oauth2/userinfo', {}, at)).status).toBe(200)
  const response = await browser.open(`/api/k8s/${configMaps}`, {}, at)
  expect([response.status, response.headers.get('www-authenticate')]).toEqual(expected)
})
