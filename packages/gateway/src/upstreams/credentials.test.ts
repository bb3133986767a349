import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { UnsecuredJWT } from 'jose'
import { WebSocket } from 'ws'
import { selfSignedCertificate } from '@slipway/apiserver/certificate'
import { startEchoUpstream, type EchoUpstream } from '@slipway/connect/testing'
import { manualClock } from '@slipway/kube/testing'
import { stringify } from 'yaml'
import { ada, configFor, cookieOf, sessionsFor } from '../../test/gateway-under-test'
import { createGateway } from '../app'
import type { KubernetesConfig } from './settings'

const now = new Date()
const server = selfSignedCertificate(['127.0.0.1'], now)
const client = selfSignedCertificate(['a'], now)
const base64 = (pem: string) => Buffer.from(pem).toString('base64')
const idToken = new UnsecuredJWT({}).encode()

let folder: string
let echo: EchoUpstream
let app: FastifyInstance
let cookie: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-access-'))
  echo = await startEchoUpstream({ ...server, requestCert: true })
})
afterEach(async () => {
  await app?.close() // Undefined in tests of rejected configurations.
  await echo.close()
  await rm(folder, { recursive: true })
})

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}
const kubeconfig = (user: object) =>
  file(
    'config',
    stringify({
      'current-context': 'main',
      clusters: [{ name: 'c', cluster: { server: echo.url, 'certificate-authority-data': base64(server.cert) } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
    }),
  )

async function start(access: KubernetesConfig['access'], as: KubernetesConfig['as'] = 'impersonate'): Promise<void> {
  const clock = manualClock(now.getTime())
  const config = configFor(echo.url, { port: 0, kubernetes: { access, as } })
  app = await createGateway(config, { clock })
  cookie = cookieOf(await sessionsFor(config, clock).start(ada, { idToken }))
}

it('websockets use the same certificates and credentials', async () => {
  await start({ url: echo.url, token: 'one', caFile: await file('ca.crt', server.cert) })
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const headers = { cookie: cookie, origin: url.origin }
  const socket = new WebSocket(`ws://${url.host}/wss/k8s/api/v1/pods?watch=true`, { headers })
  await once(socket, 'open')
  socket.terminate()
  expect(echo.seen.at(-1)?.headers).toContainEqual(['authorization', 'Bearer one'])
})

it("the gateway's client certificate is not used for calls with a user's ID token, since it would take precedence", async () => {
  const path = await kubeconfig({
    'client-certificate-data': base64(client.cert),
    'client-key-data': base64(client.key),
  })
  await start({ kubeconfig: path }, 'id-token')
  const headers = { host: '127.0.0.1:0', cookie }
  expect((await app.inject({ url: '/api/k8s/version', headers })).statusCode).toBe(200)
  const seen = echo.seen.at(-1)
  expect(seen?.headers).toContainEqual(['authorization', `Bearer ${idToken}`])
  expect(seen?.certificate).toBeUndefined()
  // The gateway's own calls use it.
  await app.inject({ url: '/ready', headers: { host: '127.0.0.1:0' } })
  const { fingerprint256 } = new X509Certificate(client.cert)
  expect(echo.seen.at(-1)).toMatchObject({ target: '/version', certificate: fingerprint256 })
})

it('a kubeconfig without credentials cannot impersonate users', async () => {
  await expect(start({ kubeconfig: await kubeconfig({}) })).rejects.toThrow(/has no credentials/)
})
