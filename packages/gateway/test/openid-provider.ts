import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { fastifyCookie } from '@fastify/cookie'
import { origin } from './gateway-under-test'

/** A real OpenID provider, in real time, that signs in Ada without authentication. */
export interface OpenidProvider {
  issuer: string
  /** Ada's groups. */
  groups: string[]
  /** Number of refresh tokens that were issued and neither revoked nor used. */
  liveRefreshTokens(): Promise<number>
  /** Opens the URL that the gateway sent a browser to, and follows the provider until it redirects back. */
  visit(location: string): Promise<string>
  close(): Promise<void>
}

/** @param at the gateway's origin */
export async function startOpenidProvider(at = origin): Promise<OpenidProvider> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port, so the address is an object.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const live = new Set<string>()

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'slipway',
        client_secret: 'a secret: with, odd & signs',
        redirect_uris: [`${at}/oauth2/callback`],
        post_logout_redirect_uris: [`${at}/oauth2/sign_in`],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['key of the test'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
      groups: ['groups'],
    },
    features: {
      devInteractions: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: true },
      userinfo: { enabled: true },
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 300, Grant: 3_600, IdToken: 3_600, Interaction: 600, RefreshToken: 3_600, Session: 3_600 },
    rotateRefreshToken: true,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({
        sub: accountId,
        email: 'ada@slipway.test',
        email_verified: true,
        preferred_username: 'ada',
        groups: openid.groups,
      }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: 'u-ada', clientId: 'slipway' })
      grant.addOIDCScope('openid email profile groups offline_access')
      await grant.save()
      return grant
    },
  })
  provider.on('refresh_token.saved', ({ jti }) => live.add(jti))
  provider.on('refresh_token.consumed', ({ jti }) => live.delete(jti))
  provider.on('refresh_token.destroyed', ({ jti }) => live.delete(jti))
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
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
    liveRefreshTokens: async () => live.size,
    async visit(location) {
      const cookies = new Map<string, string>()
      for (let url = location, step = 0; step < 10; step++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
        for (const each of response.headers.getSetCookie()) {
          for (const [name, value = ''] of Object.entries(fastifyCookie.parse(each.split(';', 1)[0] ?? ''))) {
            cookies.set(name, value)
          }
        }
        const next = response.headers.get('location')
        if (next === null) throw new Error(`the provider responded with ${response.status}: ${await response.text()}`)
        url = new URL(next, url).href
        if (!url.startsWith(issuer)) return url.slice(new URL(url).origin.length)
      }
      throw new Error('the provider redirected too many times')
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return openid
}
