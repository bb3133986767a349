import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { WebSocket } from 'ws'
import { createBrowser, type Browser } from '../test/browser'
import { ada, configFor, signIn, startGateway, type GatewayUnderTest } from '../test/gateway-under-test'
import { resolveSettings } from './config'

const host = 'console.example.com'
const page = `<!doctype html>
<html lang="en" translate="no"><head><link rel="icon" href="/favicon.svg"><script src="/assets/a.js"></script></head></html>`

let folder: string
let gateway: GatewayUnderTest
let browser: Browser

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-path-'))
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  gateway = await startGateway({ assets: folder, publicOrigins: [`https://${host}/tools/console/`] })
  browser = createBrowser(gateway.app, host)
})
afterEach(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
})

const html = { accept: 'text/html' }

describe('below a path', () => {
  it.each(['/tools/console', '/tools/console/', '/tools/console/index.html', '/tools/console/ns/a?name=x'])(
    'serves the console at %s, with its own URLs below the path',
    async (url) => {
      const response = await browser.get(url, html)
      expect(response.statusCode).toBe(200)
      expect(response.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
      })
      expect(response.body).toContain('<html data-path="/tools/console" lang="en"')
      expect(response.body).toContain('href="/tools/console/favicon.svg"')
      expect(response.body).toContain('src="/tools/console/assets/a.js"')
    },
  )

  it('serves files, health and an error for what is reserved', async () => {
    expect((await browser.get('/tools/console/favicon.svg')).body).toBe('<svg/>')
    expect((await browser.get('/tools/console/health')).json()).toEqual({ status: 'ok' })
    const missing = await browser.get('/tools/console/api/nothing', html)
    expect(missing.statusCode).toBe(404)
    expect(missing.headers['cache-control']).toBe('no-store')
  })

  it('calls reach the cluster, whether the proxy in front keeps the path or strips it', async () => {
    const cookie = await signIn(gateway.app)
    for (const url of ['/tools/console/api/k8s/version', '/api/k8s/version']) {
      expect((await browser.get(url, { cookie })).statusCode).toBe(200)
    }
    expect(gateway.upstream.seen.map(({ target }) => target)).toEqual(['/version', '/version'])
  })

  it('SESS-01, SESS-06 signing in redirects below the path only', async () => {
    const first = await browser.get('/tools/console/oauth2/sign_in?rd=/tools/console/ns/a')
    expect(first.headers.location).toBe('/tools/console/oauth2/start?rd=%2Ftools%2Fconsole%2Fns%2Fa')
    const start = await browser.get(first.headers.location ?? '')
    const authorize = new URL(start.headers.location ?? '')
    expect(authorize.searchParams.get('redirect_uri')).toBe(`https://${host}/tools/console/oauth2/callback`)
    expect(String(start.headers['set-cookie'])).toMatch(/^__Secure-.*; Path=\/tools\/console; HttpOnly; Secure; /)
    const done = await browser.get(`/tools/console${gateway.issuer.authorize(authorize)}`)
    expect(done.statusCode).toBe(303)
    expect(done.headers.location).toBe('/tools/console/ns/a')
    for (const cookie of [done.headers['set-cookie']].flat()) expect(cookie).toContain('; Path=/tools/console;')
    expect((await browser.get('/tools/console/oauth2/userinfo')).json()).toEqual(ada)
  })

  it.each(['/ns/a', '/', '/tools/consolex', '/tools/console/oauth2/sign_out', '/tools/console/../x', ''])(
    'SESS-06 signing in returns to the landing page instead of %j',
    async (rd) => {
      const response = await browser.get(`/tools/console/oauth2/sign_in?rd=${encodeURIComponent(rd)}`)
      expect(response.headers.location).toBe('/tools/console/oauth2/start?rd=%2Ftools%2Fconsole%2F')
    },
  )

  it('the page of a failed sign-in links, and loads its styles, below the path', async () => {
    const { body } = await browser.get('/tools/console/oauth2/callback?state=x')
    expect(body).toContain('href="/tools/console/oauth2/page.css"')
    expect(body).toContain('href="/tools/console/favicon.svg"')
    expect(body).toContain('href="/tools/console/oauth2/start?rd=%2F"')
  })

  it('signing out redirects below the path and removes the cookies there', async () => {
    const same = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', cookie: await signIn(gateway.app) }
    gateway.issuer.metadata.end_session_endpoint = `${gateway.issuer.url}/end`
    const response = await browser.get('/tools/console/oauth2/sign_out', same)
    const url = new URL(response.headers.location ?? '')
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`https://${host}/tools/console/oauth2/sign_in`)
    expect(String(response.headers['set-cookie'])).toContain('; Path=/tools/console;')
  })
})

it('websockets open below the path', async () => {
  await gateway.close()
  const port = 18_473
  const origin = `http://127.0.0.1:${port}`
  gateway = await startGateway({ port, publicOrigins: [`${origin}/console`] })
  const cookie = await signIn(gateway.app)
  const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const socket = new WebSocket(`${url.replace('http', 'ws')}/console/wss/k8s/api/v1/pods?watch=true`, {
    headers: { cookie, host: `127.0.0.1:${port}` },
    origin,
  })
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  socket.terminate()
  expect(gateway.upstream.seen.map(({ target }) => target)).toEqual(['/api/v1/pods?watch=true'])
})

const settingsOf = (...publicOrigins: string[]) =>
  resolveSettings({ ...configFor('http://127.0.0.1:1'), publicOrigins })

test('public origins may have one path in common', () => {
  expect(settingsOf('https://a.example/console', 'https://b.example:8443/console/')).toMatchObject({
    publicOrigins: ['https://a.example', 'https://b.example:8443'],
    publicPath: '/console',
  })
  expect(settingsOf('https://a.example/')).toMatchObject({ publicOrigins: ['https://a.example'], publicPath: '' })
})

test.each([
  ['two paths', /the same path/, ['https://a.example/x', 'https://b.example']],
  ['a query', /is not a valid origin/, ['https://a.example/x?y']],
  ['a user', /is not a valid origin/, ['https://me@a.example/x']],
  ['an empty segment', /is not a valid origin/, ['https://a.example//x']],
  ['a dot segment', /is not a valid origin/, ['https://a.example/x/../y']],
  ['an escape', /is not a valid origin/, ['https://a.example/%22']],
  ['the path of an API', /already mean something/, ['https://a.example/api']],
  ['the path of the sign-in', /already mean something/, ['https://a.example/oauth2/x']],
])('rejects public origins with %s', (_, message, origins) => {
  expect(() => settingsOf(...origins)).toThrow(message)
})

test.each([
  ['https on the default port', ['https://a.example'], '__Host-slipway-session'],
  ['another port', ['https://a.example:8443'], '__Host-slipway-session-8443'],
  ['two ports', ['https://a.example:8443', 'https://b.example'], '__Host-slipway-session-default-8443'],
  ['a path', ['https://a.example/tools/console'], '__Secure-slipway-session_tools_console'],
  ['a port and a path', ['http://127.0.0.1:9000/console'], 'slipway-session-9000_console'],
])('gateways of one host have cookies of their own: %s', (_, origins, name) => {
  expect(settingsOf(...origins).session.cookieName).toBe(name)
})

test('two gateways on ports of loopback do not take or remove the cookies of each other', async () => {
  const other = await startGateway({ port: 9090 })
  await gateway.close()
  gateway = await startGateway()
  const cookies = [await signIn(gateway.app), await signIn(other.app, { user: 'bob@slipway.test' })]
  const userAt = async ({ app }: GatewayUnderTest, host: string) => {
    const response = await app.inject({ url: '/oauth2/userinfo', headers: { host, cookie: cookies.join('; ') } })
    return response.json<{ user: string }>().user
  }
  expect(await userAt(gateway, '127.0.0.1:8080')).toBe('ada@slipway.test')
  expect(await userAt(other, '127.0.0.1:9090')).toBe('bob@slipway.test')
  expect(new Set(cookies.map((cookie) => cookie.split('=', 1)[0])).size).toBe(2)
  await other.close()
})

test('gateways on any free port have different cookies if they have different keys', () => {
  const nameOf = (byte: number) =>
    resolveSettings({ ...configFor('http://127.0.0.1:1'), port: 0, session: { keys: [new Uint8Array(32).fill(byte)] } })
      .session.cookieName
  expect(nameOf(1)).toMatch(/^slipway-session-[0-9a-f]{8}$/)
  expect(nameOf(1)).toBe(nameOf(1))
  expect(nameOf(1)).not.toBe(nameOf(2))
})
