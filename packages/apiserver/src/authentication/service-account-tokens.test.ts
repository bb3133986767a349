import { manualClock } from '@slipway/kube/testing'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../api-server'
import { memoryStorage } from '../storage/memory'
import type { Storage } from '../storage/storage'

const clock = manualClock()
const root = 'http://cluster.test'

const serverOver = (storage: Storage) =>
  createApiServer({
    storage,
    clock,
    authenticate: (token) => (token === 'root' ? { name: 'root', groups: ['system:masters'] } : undefined),
  })

const send = (server: ApiServer, token: string, path: string, body?: unknown) =>
  server.fetch(
    new Request(`${root}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )

const tokens = '/api/v1/namespaces/default/serviceaccounts/default/token'
async function aToken(server: ApiServer, spec: object = {}): Promise<string> {
  const response = await send(server, 'root', tokens, { spec })
  const { status } = (await response.json()) as { status: { token: string } } // Tested elsewhere.
  return status.token
}
const isAccepted = async (server: ApiServer, token: string) => (await send(server, token, '/apis')).status === 200
const errorFor = async (server: ApiServer, token: string) => {
  const response = await send(server, 'root', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })
  return ((await response.json()) as { status: { error?: string } }).status.error
}

describe('a service account token', () => {
  let storage: Storage
  let server: ApiServer
  beforeEach(async () => {
    storage = memoryStorage()
    server = await serverOver(storage)
  })

  it('expires', async () => {
    const token = await aToken(server, { expirationSeconds: 600 })
    await clock.advance(599_000)
    expect(await isAccepted(server, token)).toBe(true)
    await clock.advance(1_000)
    expect(await isAccepted(server, token)).toBe(false)
    expect(await errorFor(server, token)).toBe('[invalid bearer token, service account token has expired]')
  })

  it('lasts one hour by default', async () => {
    const token = await aToken(server)
    await clock.advance(3_599_000)
    expect(await isAccepted(server, token)).toBe(true)
    await clock.advance(1_000)
    expect(await isAccepted(server, token)).toBe(false)
  })

  it('stays valid after a restart, but not with another storage', async () => {
    const token = await aToken(server)
    expect(await isAccepted(await serverOver(storage), token)).toBe(true)
    const elsewhere = await serverOver(memoryStorage())
    expect(await isAccepted(elsewhere, token)).toBe(false)
    expect(await errorFor(elsewhere, token)).toBe('[invalid bearer token, service account token could not be verified]')
  })

  it('is signed with the same key even if many are requested at once', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => aToken(server)))
    expect(await Promise.all(many.map((token) => isAccepted(server, token)))).not.toContain(false)
  })

  it('cannot be read through the API, nor can its key', async () => {
    await aToken(server)
    const paths = ['/api/v1/secrets', '/api/v1/token-signing-keys', '/apis/token-signing-keys/v1/current']
    const texts = await Promise.all(paths.map(async (path) => (await send(server, 'root', path)).text()))
    expect(texts.join('')).not.toContain('"d"')
  })

  it('is accepted by an OpenID Connect client', async () => {
    const token = await aToken(server, { audiences: ['registry'] })
    const response = await send(server, 'root', '/.well-known/openid-configuration')
    const { issuer, jwks_uri } = (await response.json()) as { issuer: string; jwks_uri: string }
    expect(new URL(jwks_uri).host).toBe('cluster.test')
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      [customFetch]: (url) => send(server, 'root', new URL(url).pathname),
    })
    const currentDate = new Date(clock.now())
    const { payload } = await jwtVerify(token, keys, { issuer, audience: 'registry', currentDate })
    expect(payload.sub).toBe('system:serviceaccount:default:default')
  })
})
