import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'
import { fastifyCookie } from '@fastify/cookie'
import { origin } from './gateway-under-test'
import { plainShape, type ProviderShape } from './provider-shapes'

/** Of the client `slipway`. */
export const clientSecret = 'a secret: with, odd & signs'

/** A real OpenID provider, in real time, that signs in Ada without authentication. */
export interface OpenidProvider {
  issuer: string
  /** Ada's groups. */
  groups: string[]
  /** Whether Ada is blocked. */
  isBlocked: boolean
  /** Delivers logout tokens, since the gateway listens on no port. @returns the status of the response */
  deliver: ((form: string) => Promise<number>) | undefined
  /** Statuses of the responses to logout tokens. */
  delivered: number[]
  /** Starts to sign with a new key, and publishes no other. */
  rotateKey(): Promise<void>
  /** Confirms on the page at this URL that Ada logs out. @returns where her browser is sent to */
  logOut(url: string): Promise<string>
  /** Number of refresh tokens that were issued and neither revoked nor used. */
  liveRefreshTokens(): Promise<number>
  /** Opens the URL that the gateway sent Ada's browser to, and follows the provider until it redirects back. */
  visit(location: string): Promise<string>
  close(): Promise<void>
}

/** @param at the gateway's origin */
export async function startOpenidProvider(at = origin, shape: ProviderShape = plainShape): Promise<OpenidProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port, so the address is an object.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const live = new Set<string>()
  /** Of Ada's browser. */
  const cookies = new Map<string, string>()

  // An instance cannot change its keys. Sessions and tokens are in records that all instances share.
  const records = memoryRecords()
  function createProvider(key: JWK): Provider {
    const created = new Provider(issuer, configuration(key))
    created.use(async (context, next) => {
      await next()
      if (shape.hasIssuerParameter) return
      // This library always sends it, unlike most products. RFC 9207.
      if (context.oidc?.route === 'discovery') delete context.body.authorization_response_iss_parameter_supported
      const location: string | undefined = context.response.get('location')
      if (!location?.startsWith(at)) return
      const url = new URL(location)
      url.searchParams.delete('iss')
      context.set('location', url.href)
    })
    created.on('refresh_token.saved', ({ jti }) => live.add(jti))
    created.on('refresh_token.consumed', ({ jti }) => live.delete(jti))
    created.on('refresh_token.destroyed', ({ jti }) => live.delete(jti))
    return created
  }

  const configuration = (key: JWK): Configuration => ({
    adapter: records,
    clients: [
      {
        client_id: 'slipway',
        client_secret: clientSecret,
        redirect_uris: [`${at}/oauth2/callback`],
        post_logout_redirect_uris: [`${at}/oauth2/sign_in`],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
        ...(shape.hasBackChannelLogout && {
          backchannel_logout_uri: `${at}/oauth2/backchannel_logout`,
          backchannel_logout_session_required: shape.hasBackChannelLogout === 'sid',
        }),
      },
    ],
    jwks: { keys: [key] },
    scopes: shape.scopes,
    conformIdTokenClaims: shape.hasThinIdToken === true,
    issueRefreshToken: async (_context, _client, code) =>
      shape.refreshToken === 'always' || (shape.refreshToken !== 'never' && code.scopes.has('offline_access')),
    fetch: async (_url, init) => {
      const status = (await openid.deliver?.(String(init?.body))) ?? 500
      openid.delivered.push(status)
      return new Response(null, { status })
    },
    cookies: { keys: ['key of the test'] },
    claims: {
      openid: ['sub', 'realm_access', ...(shape.scopes.includes('groups') ? [] : ['groups'])],
      email: ['email', 'email_verified'],
      profile: ['preferred_username', 'name'],
      ...(shape.scopes.includes('groups') && { groups: ['groups'] }),
    },
    features: {
      devInteractions: { enabled: false },
      revocation: {
        enabled: shape.hasLogout,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: shape.hasLogout },
      backchannelLogout: { enabled: shape.hasBackChannelLogout !== undefined },
      userinfo: { enabled: true },
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 300, Grant: 3_600, IdToken: 3_600, Interaction: 600, RefreshToken: 3_600, Session: 3_600 },
    rotateRefreshToken: true,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) =>
      openid.isBlocked
        ? undefined
        : { accountId, claims: async () => ({ sub: accountId, ...shape.claims(openid.groups) }) },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: 'u-ada', clientId: 'slipway' })
      grant.addOIDCScope('openid email profile groups offline_access')
      await grant.save()
      return grant
    },
  })

  let provider = createProvider(await newKey())
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response)
    provider
      .interactionDetails(request, response)
      .then(({ prompt }) =>
        provider.interactionFinished(
          request,
          response,
          prompt.name === 'consent' ? { consent: {} } : { login: { accountId: 'u-ada' } },
        ),
      )
      .catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
  })

  const openid: OpenidProvider = {
    issuer,
    groups: ['team-a'],
    isBlocked: false,
    deliver: undefined,
    delivered: [],
    async rotateKey() {
      provider = createProvider(await newKey())
    },
    liveRefreshTokens: async () => live.size,
    async visit(location) {
      let url = location
      for (let step = 0; step < 10; step++) {
        const response = await open(url)
        const next = response.headers.get('location')
        if (next === null) throw new Error(`the provider responded with ${response.status}: ${await response.text()}`)
        url = new URL(next, url).href
        if (!url.startsWith(issuer)) return url.slice(new URL(url).origin.length)
      }
      throw new Error('the provider redirected too many times')
    },
    async logOut(url) {
      const page = await (await open(url)).text()
      const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(page) ?? []
      const body = new URLSearchParams({ xsrf, logout: 'yes' })
      const response = await open(`${issuer}/session/end/confirm`, { method: 'POST', body })
      return response.headers.get('location') ?? `${response.status}: ${page}`
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function open(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      for (const [name, value = ''] of Object.entries(fastifyCookie.parse(each.split(';', 1)[0] ?? ''))) {
        cookies.set(name, value)
      }
    }
    return response
  }
  return openid
}

/** Sessions and tokens by kind; nothing expires during a test. */
function memoryRecords(): (kind: string) => Adapter {
  const kinds = new Map<string, Map<string, AdapterPayload>>()
  return (kind) => {
    const byId = kinds.get(kind) ?? new Map<string, AdapterPayload>()
    kinds.set(kind, byId)
    return {
      upsert: async (id, payload) => void byId.set(id, payload),
      find: async (id) => byId.get(id),
      findByUid: async (uid) => [...byId.values()].find((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = byId.get(id)
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void byId.delete(id),
      async revokeByGrantId(grantId) {
        for (const [id, payload] of byId) if (payload.grantId === grantId) byId.delete(id)
      },
    }
  }
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' }
}
