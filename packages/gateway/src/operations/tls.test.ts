import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { selfSignedCertificate, type Certificate } from '@slipway/apiserver/certificate'
import { manualClock } from '@slipway/kube/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configFor, startListeningGateway, type ListeningGateway, type Overrides } from '../../test/gateway-under-test'
import { createGateway } from '../app'
import { secureContextOf } from './tls'

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

it('speaks TLS of version 1.2 or later, with https origins and cookies that say so', async () => {
  await start()
  expect(await get('/health')).toMatch(new RegExp(`^HTTP/1\\.1 200 [^]* wss://${gateway?.host}`))
  expect(await get('/oauth2/start')).toMatch(/set-cookie: __Host-[^\r]*; Secure/i)
  await expect(connected({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })).rejects.toThrow()
  // Where this machine's OpenSSL would speak it, too.
  expect(await secureContextOf(files())).toMatchObject({ minVersion: 'TLSv1.2' })
})

it('tells browsers to come by https for ever, but never of loopback', async () => {
  await start()
  expect(await get('/health')).not.toMatch(/strict-transport-security/i)
  await gateway?.close()
  await start({ publicOrigins: ['https://console.example.com'] })
  expect(await get('/health')).toMatch(/strict-transport-security: max-age=31536000/i)
})

describe('a certificate that changes', () => {
  it('is served to new connections without a restart', async () => {
    const { clock } = await start()
    const next = newCertificate('other.example')
    const isServed = async () => {
      // The files are read in the background, by a computer that takes its time.
      await clock.advance(10_000)
      const socket = await connected({ rejectUnauthorized: false })
      const { subjectAltName } = socket.getPeerX509Certificate() ?? {}
      socket.destroy()
      return subjectAltName?.includes('other.example')
    }
    // For a moment the halves do not fit: the old pair goes on.
    await writeFile(certFile(), next.cert)
    await clock.advance(10_000)
    expect(await get('/health')).toMatch(/^HTTP\/1\.1 200 /)
    await writeFile(keyFile(), next.key)
    await expect.poll(isServed).toBe(true)
  })

  it('that goes away or makes no sense leaves the last one in place', async () => {
    const { clock } = await start()
    await writeFile(certFile(), 'nonsense')
    await clock.advance(10_000)
    await rm(keyFile())
    await clock.advance(10_000)
    expect(await get('/health')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

it('lets a proxy in front prove itself by its certificate, and nobody else', async () => {
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

describe('what is refused at the start', () => {
  const refusal = (overrides: Overrides) =>
    createGateway({ ...configFor('http://127.0.0.1:1'), ...overrides } as Parameters<typeof createGateway>[0], {
      clock: manualClock(),
    }).then(
      () => undefined,
      (error: Error) => error.message,
    )

  it('a file that is not there', async () => {
    expect(await refusal({ tls: { ...files(), keyFile: '/nowhere' } })).toBe('/nowhere cannot be read (ENOENT).')
  })
  it('a key of another certificate', async () => {
    await writeFile(keyFile(), newCertificate().key)
    expect(await refusal({ tls: files() })).toMatch(/no certificate with its key/)
  })
  it('origins that are not https', async () => {
    expect(await refusal({ tls: files(), publicOrigins: ['http://127.0.0.1:1'] })).toMatch(/must be https/)
  })
  it('limits of zero', async () => {
    expect(await refusal({ limits: { streamsPerUser: 0 } })).toBe('limits.streamsPerUser must be above zero.')
  })
})
