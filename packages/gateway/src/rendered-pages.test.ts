import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest'
import {
  ada,
  gatewayToken,
  host,
  signIn,
  startGateway,
  type GatewayUnderTest,
  type Overrides,
} from '../test/gateway-under-test'

const before = '<!doctype html><html><body><a href="/x">layout</a>'
const after = '<script src="/a.js"></script></body></html>'

/** Renders what the page of the test says, as the console's own script would. */
const thread = `
import { parentPort } from 'node:worker_threads'
let order
parentPort.on('message', (message) => {
  if ('id' in message) return parentPort.postMessage({ html: message.status + ' ' + message.body })
  order = message
  const url = new URL(order.url, 'http://console')
  const request = JSON.parse(url.searchParams.get('call') ?? 'null')
  if (url.pathname === '/crash') throw new Error('It failed.')
  if (url.pathname === '/hang') return
  if (request) return parentPort.postMessage({ call: { id: 1, headers: {}, ...request } })
  parentPort.postMessage({ html: '<a nonce="' + order.nonce + '" href="/y">content</a>' })
})
parentPort.postMessage('ready')
`

let site: string
let gateway: GatewayUnderTest | undefined
beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'slipway-rendered-'))
  for (const folder of ['frames', 'server']) mkdirSync(join(site, folder))
  writeFileSync(join(site, 'index.html'), '<!doctype html>')
  writeFileSync(join(site, 'frames/a.html'), `${before}<!-- content -->${after}`)
  writeFileSync(join(site, 'frames/pages.json'), JSON.stringify([['^/.*$', 'a.html']]))
  writeFileSync(join(site, 'server/page-thread.mjs'), thread)
})
afterAll(() => rmSync(site, { recursive: true }))
afterEach(async () => {
  await gateway?.close()
  gateway = undefined
})

async function start(overrides: Overrides = {}) {
  const own = await startGateway({ assets: site, renderMs: 200, ...overrides })
  gateway = own
  const cookie = await signIn(own.app, ada)
  const get = (url: string, headers: Record<string, string> = {}) =>
    own.app.inject({ url, headers: { host, accept: 'text/html', 'accept-encoding': 'identity', cookie, ...headers } })
  return { ...own, get }
}

type Started = Awaited<ReturnType<typeof start>>

/** A page for which a thread was ready. Threads start while the gateway does. */
async function rendered({ get, clock }: Started, url: string, headers: Record<string, string> = {}) {
  let response = await get(url, headers)
  await expect
    .poll(async () => {
      if (response.headers['cache-control'] === 'no-store') return true
      await clock.advance(1_000)
      response = await get(url, headers)
      return false
    })
    .toBe(true)
  return response
}

/** The content of a page. */
const contentOf = async (started: Started, url: string): Promise<string> =>
  (await rendered(started, url)).body.slice(before.length, -after.length)

it('a page has the content that its user sees, between its layout and its scripts, and nothing stores or delays it', async () => {
  const started = await start()
  const content = await contentOf(started, '/')
  expect(content).toMatch(/^<a nonce="[\w+/]{22}==" href="\/y">content<\/a>$/)
  const { headers } = await rendered(started, '/')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-accel-buffering']).toBe('no')
  expect(headers).not.toHaveProperty('etag')
})

it('its policy allows what has the nonce of this response, and no other', async () => {
  const started = await start()
  const policies = new Set<string>()
  for (let count = 0; count < 2; count++) {
    const { headers } = await rendered(started, '/')
    const [, script, style] =
      /script-src 'self' ('nonce-[^']+');.*style-src 'self' ('nonce-[^']+');/.exec(
        String(headers['content-security-policy']),
      ) ?? []
    expect(script).toBe(style)
    policies.add(script ?? '')
  }
  expect(policies.size).toBe(2)
})

it('its content is read as its user, by the routes of the gateway', async () => {
  const started = await start()
  const call = { method: 'GET', path: '/api/k8s/api/v1/pods' }
  const content = await contentOf(started, `/?call=${encodeURIComponent(JSON.stringify(call))}`)
  expect(content).toMatch(/^200 /)
  expect(JSON.parse(content.slice(4))).toMatchObject({
    target: '/api/v1/pods',
    headers: expect.arrayContaining([
      ['impersonate-user', ada.user],
      ['authorization', `Bearer ${gatewayToken}`],
    ]) as unknown,
  })
})

test.each([
  { method: 'DELETE', path: '/api/k8s/api/v1/namespaces/a/pods/b' },
  { method: 'POST', path: '/api/k8s/api/v1/namespaces' },
  { method: 'GET', path: '/api/k8s/api/v1/pods?watch=true' },
  { method: 'GET', path: '/oauth2/sign_out' },
])('it sends nothing but reads: $method $path', async (call) => {
  const started = await start()
  const { seen } = started.upstream
  const count = seen.length
  const { body } = await rendered(started, `/?call=${encodeURIComponent(JSON.stringify(call))}`)
  expect(body).toBe(before + after)
  expect(seen.length).toBe(count)
})

test.each(['authorization.k8s.io/v1/selfsubjectaccessreviews', 'authentication.k8s.io/v1/selfsubjectreviews'])(
  'it sends reviews of its user: %s',
  async (review) => {
    const started = await start()
    const headers = { 'x-requested-with': 'slipway', 'content-type': 'application/json' }
    const call = { method: 'POST', path: `/api/k8s/apis/${review}`, headers, body: '{}' }
    expect(await contentOf(started, `/?call=${encodeURIComponent(JSON.stringify(call))}`)).toMatch(/^200 /)
  },
)

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
])('it is compressed: %s', async (encoding, decompress) => {
  const started = await start()
  const response = await rendered(started, '/', { 'accept-encoding': encoding })
  expect(response.headers['content-encoding']).toBe(encoding)
  expect(decompress(response.rawPayload).toString()).toMatch(/layout.*a\.js/s)
})

it('names files below the path of the site', async () => {
  const started = await start({ publicOrigins: [`http://${host}/console`] })
  const { body } = await rendered(started, '/console/')
  expect(body).toMatch(/ href="\/console\/x".* href="\/console\/y".* src="\/console\/a\.js"/s)
})

it('without a session, and for another method, there is the layout alone', async () => {
  const started = await start()
  await contentOf(started, '/')
  for (const cookie of ['', 'other=1']) {
    const response = await started.get('/', { cookie })
    expect(response.headers['cache-control']).toBe('no-cache')
    expect(response.body).toBe(`${before}<!-- content -->${after}`)
  }
})

it('it can be turned off', async () => {
  const started = await start({ renderMs: 0 })
  expect((await started.get('/')).headers['cache-control']).toBe('no-cache')
})

it('a page whose content takes too long ends without it', async () => {
  const started = await start()
  let body: string | undefined
  void rendered(started, '/hang').then((response) => (body = response.body))
  await expect
    .poll(async () => {
      await started.clock.advance(300)
      return body
    })
    .toBe(before + after)
})

it('after a thread that failed, others render', async () => {
  const started = await start()
  await contentOf(started, '/')
  expect((await rendered(started, '/crash')).body).toBe(before + after)
  await contentOf(started, '/')
})

it('the script that renders pages is not sent', async () => {
  const { get } = await start()
  expect((await get('/server/page-thread.mjs', { accept: '*/*' })).statusCode).toBe(404)
})
