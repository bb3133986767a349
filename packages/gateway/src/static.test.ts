import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { host, startGateway, type GatewayUnderTest } from '../test/gateway-under-test'

const script = 'export const answer = 42\n'.repeat(50)
const page = '<!doctype html><title>Console</title>'
let folder: string
let gateway: GatewayUnderTest

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-site-'))
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, 'api'))
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(page))
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, '.secret'), 'x')
  writeFileSync(join(folder, 'api/file'), 'x')
  writeFileSync(join(folder, 'assets/app-1a2b3c.js'), script)
  writeFileSync(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'assets/app-1a2b3c.js.gz'), gzipSync(script))
  gateway = await startGateway({ assets: folder })
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({ url, headers: { host, ...headers } })

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])('sends a script in an encoding that the browser accepts: %s', async (accepted, encoding) => {
  const response = await get('/assets/app-1a2b3c.js', { 'accept-encoding': accepted })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-encoding']).toBe(encoding)
  expect(response.headers['content-type']).toMatch(/^(text|application)\/javascript/)
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(response.headers.vary).toMatch(/accept-encoding/i)
  const expected = { br: brotliCompressSync(script), gzip: gzipSync(script) }[encoding ?? ''] ?? Buffer.from(script)
  expect(response.rawPayload).toEqual(expected)
})

test.each(['/', '/index.html', '/ns/a/applications', '/ns/a/applications?name=x', '/assets'])(
  'serves the console at %s, to be revalidated each time',
  async (url) => {
    for (const encoding of ['br', 'identity']) {
      const response = await get(url, { accept: 'text/html,*/*;q=0.8', 'accept-encoding': encoding })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toMatch(/^text\/html/)
      expect(response.headers['cache-control']).toBe('no-cache')
      expect(response.rawPayload).toEqual(encoding === 'br' ? brotliCompressSync(page) : Buffer.from(page))
    }
  },
)

it('responds with 304 when a file has not changed', async () => {
  const { etag } = (await get('/favicon.svg')).headers
  expect((await get('/favicon.svg', { 'if-none-match': String(etag) })).statusCode).toBe(304)
})

test.each([
  '/assets/missing-1a2b.js',
  '/missing.png',
  '/api/file',
  '/api/k8sx',
  '/.secret',
  '/oauth2/x',
  '/oauth2?x',
  '/wss/x',
])('responds with 404 instead of a page at %s', async (url) => {
  const accept = url.startsWith('/assets') || /^\/(api|oauth2|wss)/.test(url) ? 'text/html' : 'image/*'
  const response = await get(url, { accept })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ kind: 'Status', code: 404 })
})

describe('security headers', () => {
  test.each(['/', '/assets/missing.js', '/oauth2/userinfo', '/oauth2/sign_in', '/health', '/a%2fb', '/%zz'])(
    'are set on every response, including errors: %s',
    async (url) => {
      const { headers } = await get(url)
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none';script-src 'self';worker-src 'self';style-src 'self';font-src 'self';img-src 'self' data:;" +
          "connect-src 'self' ws://127.0.0.1:8080 ws://localhost:8080;" +
          "base-uri 'none';form-action 'self';frame-ancestors 'none';" +
          "require-trusted-types-for 'script';trusted-types dompurify slipway-worker",
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-request-id': expect.any(String),
      })
      expect(headers).not.toHaveProperty('strict-transport-security')
      expect(headers).not.toHaveProperty('server')
    },
  )

  it('tell browsers to use only https where the public origin is https', async () => {
    const other = await startGateway({ publicOrigins: ['https://console.example.com'] })
    const { headers } = await other.app.inject({ url: '/oauth2/sign_in', headers: { host: 'console.example.com' } })
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/)
    expect(headers['content-security-policy']).toContain("connect-src 'self' wss://console.example.com;")
    await other.close()
  })
})

describe('prepared documents', () => {
  const script = "document.title = 'x'"
  const style = 'a { color: red }'
  const prepared = `<!doctype html><html><head><script>${script}</script><style id="s">${style}</style><script src="/a.js"></script></head><a href="/x">x</a></html>`
  const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  let site: string
  beforeAll(() => {
    site = mkdtempSync(join(tmpdir(), 'slipway-site-'))
    mkdirSync(join(site, 'frames'))
    writeFileSync(join(site, 'index.html'), page)
    writeFileSync(join(site, 'frames/a1-_.html'), prepared)
    writeFileSync(join(site, 'frames/a1-_.html.br'), brotliCompressSync(prepared))
    const pages = [
      ['^/?$', 'a1-_.html'],
      ['^/ns/(?<namespace>[a-z0-9.-]+)/secrets/?$', 'a1-_.html'],
      ['^/rebuilt$', 'gone.html'],
    ]
    writeFileSync(join(site, 'frames/pages.json'), JSON.stringify(pages))
  })
  afterAll(() => rmSync(site, { recursive: true }))

  const getPage = async (url: string, config: Parameters<typeof startGateway>[0] = {}, encoding = 'identity') => {
    const other = await startGateway({ assets: site, ...config })
    const headers = { host, accept: 'text/html', 'accept-encoding': encoding }
    const response = await other.app.inject({ url, headers })
    await other.close()
    return response
  }

  test.each(['/', '/ns/a.b-1/secrets', '/ns/a/secrets/?name=x'])(
    'are sent at the paths that they are for, with a policy that allows what is inline in them: %s',
    async (url) => {
      const response = await getPage(url)
      expect(response.body).toBe(prepared)
      expect(response.headers['cache-control']).toBe('no-cache')
      expect(response.headers['content-security-policy']).toContain(
        `script-src 'self' ${sha(script)};worker-src 'self';style-src 'self' ${sha(style)};`,
      )
    },
  )

  it('are sent compressed', async () => {
    expect((await getPage('/', {}, 'br')).rawPayload).toEqual(brotliCompressSync(prepared))
  })

  test.each(['/ns/A%20B/secrets', '/ns/a/other', '/rebuilt', '/index.html'])(
    'leave all other paths to the document that pages have in common: %s',
    async (url) => {
      const response = await getPage(url)
      expect(response.statusCode).toBe(200)
      expect(response.body).toBe(page)
      expect(response.headers['content-security-policy']).toContain("script-src 'self';worker-src")
    },
  )

  it('name files below the path of the site', async () => {
    const response = await getPage('/console/ns/a/secrets', { publicOrigins: ['http://127.0.0.1:8080/console'] })
    expect(response.body).toContain('<html data-path="/console">')
    expect(response.body).toContain('src="/console/a.js"')
    expect(response.body).toContain('href="/console/x"')
    expect(response.headers['content-security-policy']).toContain(sha(script))
  })

  it('are compressed and revalidated below a path too', async () => {
    const publicOrigins = ['http://127.0.0.1:8080/console']
    const other = await startGateway({ assets: site, publicOrigins })
    const fetchPage = (headers: Record<string, string>) =>
      other.app.inject({ url: '/console/ns/a/secrets', headers: { host, accept: 'text/html', ...headers } })
    const first = await fetchPage({ 'accept-encoding': 'br' })
    expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'br' })
    expect(brotliDecompressSync(first.rawPayload).toString()).toContain('src="/console/a.js"')
    const again = await fetchPage({ 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await fetchPage({ 'if-none-match': 'W/"other"' })).statusCode).toBe(200)
    await other.close()
  })

  test.each([
    ['an object', {}],
    ['another folder', [['^/$', '../secret.html']]],
    ['a number', [[1, 2]]],
  ])('fail the start if their list is damaged: %s', async (_, list) => {
    const damaged = mkdtempSync(join(tmpdir(), 'slipway-site-'))
    mkdirSync(join(damaged, 'frames'))
    writeFileSync(join(damaged, 'frames/pages.json'), JSON.stringify(list))
    await expect(startGateway({ assets: damaged })).rejects.toThrow('frames/pages.json')
    rmSync(damaged, { recursive: true })
  })
})

it('without a folder there is no page', async () => {
  const other = await startGateway()
  const response = await other.app.inject({ url: '/', headers: { host, accept: 'text/html' } })
  expect(response.json()).toMatchObject({ kind: 'Status', code: 404 })
  await other.close()
})
