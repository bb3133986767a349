import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { selfSignedCertificate, type Certificate } from '@slipway/apiserver/certificate'
import { manualClock } from '@slipway/kube/testing'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  configFor,
  startGateway,
  startListeningGateway,
  type ListeningGateway,
  type Overrides,
} from '../../test/gateway-under-test'
import { createGateway } from '../app'
import { loadSecureContext } from './tls'

const newCertificate = (...hosts: string[]) => selfSignedCertificate(['127.0.0.1', ...hosts], new Date())

let folder = ''
let certificate: Certificate
let gateway: ListeningGateway | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-tls-'))
  certificate = newCertificate()
  await write(certificate)
})
afterEach(async () => {
  await gateway?.close()
  gateway = undefined
  await rm(folder, { recursive: true })
})

const certFile = () => join(folder, 'tls.crt')
const keyFile = () => join(folder, 'tls.key')
async function write({ cert, key }: Certificate) {
  await writeFile(certFile(), cert)
  await writeFile(keyFile(), key)
}
const files = () => ({ certFile: certFile(), keyFile: keyFile() })
const start = async (overrides: Overrides = {}) =>
  (gateway = await startListeningGateway({ tls: files(), ...overrides }))

async function connected(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { port = 0 } = gateway ?? {}
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca: certificate.cert, ...options }, () => resolve(socket))
    socket.on('error', reject)
  })
}

async function get(path: string, options: ConnectionOptions = {}, headers = ''): Promise<string> {
  const socket = await connected(options)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${gateway?.host}\r\nConnection: close\r\n${headers}\r\n`)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

it('serves TLS 1.2 or later, with https origins and Secure cookies', async () => {
  await start()
  expect(await get('/health')).toMatch(new RegExp(`^HTTP/1\\.1 200 [^]* wss://${gateway?.host}`))
  expect(await get('/oauth2/start')).toMatch(/set-cookie: __Host-[^\r]*; Secure/i)
  await expect(connected({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })).rejects.toThrow()
  // Also where this machine's OpenSSL would support TLS 1.1.
  expect(await loadSecureContext(files())).toMatchObject({ minVersion: 'TLSv1.2' })
})

it('behind a service mesh, serves plain HTTP to the network, with https origins, Secure cookies and a warning', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  const mesh = { host: '0.0.0.0', plainHttp: true, publicOrigins: ['https://console.example.com'] }
  // Nothing listens in this test: its requests are injected.
  const { app, close } = await startGateway({ ...mesh, log })
  try {
    const response = await app.inject({ url: '/oauth2/start', headers: { host: 'console.example.com' } })
    expect(response.statusCode).toBe(303)
    expect(String(response.headers['set-cookie'])).toMatch(/^__Host-.*; Secure/i)
    expect(response.headers['strict-transport-security']).toMatch(/^max-age=31536000/)
    expect(String(response.headers['content-security-policy'])).toContain('wss://console.example.com')
    const location = new URL(String(response.headers.location))
    expect(location.searchParams.get('redirect_uri')).toBe('https://console.example.com/oauth2/callback')
    const warnings = lines.filter(({ level }) => level === pino.levels.values.warn)
    expect(warnings).toEqual([expect.objectContaining({ host: '0.0.0.0', msg: expect.stringContaining('plain HTTP') })])
  } finally {
    await close()
  }
})

it('a request with an upgrade to HTTP/2 is served as HTTP/1.1', async () => {
  await start()
  const headers = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
  expect(await get('/health', {}, headers)).toMatch(/^HTTP\/1\.1 200 /)
})

it('sends Strict-Transport-Security, but never on loopback', async () => {
  await start()
  expect(await get('/health')).not.toMatch(/strict-transport-security/i)
  await gateway?.close()
  await start({ publicOrigins: ['https://console.example.com'] })
  expect(await get('/health')).toMatch(/strict-transport-security: max-age=31536000/i)
})

describe('a changed certificate', () => {
  it('a changed certificate is served to new connections without a restart', async () => {
    const { clock } = await start()
    const next = newCertificate('other.example')
    const isServed = async () => {
      // The files are read in the background, which takes real time.
      await clock.advance(10_000)
      const socket = await connected({ rejectUnauthorized: false })
      const { subjectAltName } = socket.getPeerX509Certificate() ?? {}
      socket.destroy()
      return subjectAltName?.includes('other.example')
    }
    // For a moment the halves do not match: the old pair stays in use.
    await writeFile(certFile(), next.cert)
    await clock.advance(10_000)
    expect(await get('/health')).toMatch(/^HTTP\/1\.1 200 /)
    await writeFile(keyFile(), next.key)
    await expect.poll(isServed).toBe(true)
  })

  it('the previous certificate stays in use when the files are invalid or deleted', async () => {
    const { clock } = await start()
    await writeFile(certFile(), 'nonsense')
    await clock.advance(10_000)
    await rm(keyFile())
    await clock.advance(10_000)
    expect(await get('/health')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

it('a proxy in front can authenticate with its client certificate, and no other client can', async () => {
  const proxy = newCertificate('proxy.example')
  const clientCaFile = join(folder, 'ca.crt')
  await writeFile(clientCaFile, proxy.cert)
  await start({
    tls: { ...files(), clientCaFile },
    signIn: { frontProxy: { clientCertificateNames: ['proxy.example'] } },
  })
  const who = 'X-Auth-Request-Email: ada@slipway.test\r\n'
  expect(await get('/oauth2/userinfo', proxy, who)).toMatch(/^HTTP\/1\.1 200 [^]*"ada@slipway.test"/)
  expect(await get('/oauth2/userinfo', {}, who)).toMatch(/^HTTP\/1\.1 401 /)
  expect(await get('/oauth2/userinfo', newCertificate('proxy.example'), who)).toMatch(/^HTTP\/1\.1 401 /)
})

describe('rejected configurations', () => {
  const rejection = (overrides: Overrides) =>
    createGateway({ ...configFor('http://127.0.0.1:1'), ...overrides } as Parameters<typeof createGateway>[0], {
      clock: manualClock(),
    }).then(
      () => undefined,
      (error: Error) => error.message,
    )

  it('the start fails for a missing file', async () => {
    expect(await rejection({ tls: { ...files(), keyFile: '/nowhere' } })).toBe('/nowhere cannot be read (ENOENT).')
  })
  it('the start fails for a key that belongs to another certificate', async () => {
    await writeFile(keyFile(), newCertificate().key)
    expect(await rejection({ tls: files() })).toMatch(/not a certificate and its key/)
  })
  it('the start fails for origins that are not https', async () => {
    expect(await rejection({ tls: files(), publicOrigins: ['http://127.0.0.1:1'] })).toMatch(/must be https/)
  })
  it('the start fails for a limit of zero', async () => {
    expect(await rejection({ limits: { streamsPerUser: 0 } })).toBe('limits.streamsPerUser must be greater than zero.')
  })
})
