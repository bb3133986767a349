import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTHeaderParameters, type JWTPayload } from 'jose'
import type { Clock } from '@slipway/kube/clock'

type Mint = (
  claims: JWTPayload,
  sign: (claims: JWTPayload, header?: Partial<JWTHeaderParameters>) => Promise<string>,
) => Promise<string>

/** An identity provider that can also misbehave. It signs in the user in `claims` without authentication. */
export interface FakeIssuer {
  readonly url: string
  /** Claims of the user. */
  claims: JWTPayload
  /** Creates the next ID tokens. */
  mint: Mint
  /** Members to set in the next responses of the token endpoint. */
  tokenResponse: Record<string, unknown>
  /** OAuth error for every request to the token endpoint. */
  tokenError: { status: number; error: string } | undefined
  /** Whether every connection is destroyed. */
  isDown: boolean
  metadata: Record<string, unknown>
  userInfo: Record<string, unknown>
  /** Requests so far. */
  counts: { discovery: number; keys: number; codes: number; refreshes: number; userInfo: number }
  revoked: string[]
  /** Refresh tokens can be used once; the response waits until this is settled. */
  refreshGate: Promise<void>
  /** Signs with the current private key, for tokens outside a sign-in. */
  sign: Parameters<Mint>[1]
  publicKey(): JWK
  rotateKey(alg?: string): Promise<void>
  /** The callback URL that the browser is sent back to from this URL. */
  authorize(location: URL, answer?: Record<string, string | undefined>): string
  close(): Promise<void>
}

/** @param tls its certificate; without it plain http */
export async function startFakeIssuer(clock: Clock, tls?: { key: string; cert: string }): Promise<FakeIssuer> {
  const codes = new Map<string, { challenge: string; nonce: string }>()
  const refreshTokens = new Set<string>()
  let key = await newKey('ES256')

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (issuer.isDown) return void request.socket.destroy()
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port, so the address is an object.
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`

  const sign: FakeIssuer['sign'] = (claims, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey)

  const issuer: FakeIssuer = {
    url,
    claims: {
      sub: 'u-1',
      email: 'ada@slipway.test',
      email_verified: true,
      preferred_username: 'ada',
      groups: ['team-a'],
    },
    mint: (claims, sign) => sign(claims),
    tokenResponse: {},
    tokenError: undefined,
    isDown: false,
    metadata: {
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      userinfo_endpoint: `${url}/me`,
      revocation_endpoint: `${url}/revoke`,
      end_session_endpoint: `${url}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
    },
    userInfo: { sub: 'u-1' },
    counts: { discovery: 0, keys: 0, codes: 0, refreshes: 0, userInfo: 0 },
    revoked: [],
    refreshGate: Promise.resolve(),
    sign,
    publicKey: () => key.publicJwk,
    async rotateKey(alg = 'ES256') {
      key = await newKey(alg)
    },
    authorize(location, overrides = {}) {
      const asked = location.searchParams
      const code = randomUUID()
      codes.set(code, { challenge: asked.get('code_challenge') ?? '', nonce: asked.get('nonce') ?? '' })
      const answer = { code, state: asked.get('state') ?? '', iss: url, ...overrides }
      const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined)
      return `/oauth2/callback?${new URLSearchParams(given)}`
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', url)
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (pathname) {
      case '/.well-known/openid-configuration':
        issuer.counts.discovery++
        return void send(200, issuer.metadata)
      case '/keys':
        issuer.counts.keys++
        return void send(200, { keys: [key.publicJwk] })
      case '/me':
        issuer.counts.userInfo++
        return void send(200, issuer.userInfo)
      case '/revoke':
        issuer.revoked.push(form.get('token') ?? '')
        refreshTokens.delete(form.get('token') ?? '')
        return void response.writeHead(200).end()
      case '/token':
        return void (await answerTokens(form, send))
      default:
        return void send(404, {})
    }
  }

  async function answerTokens(form: URLSearchParams, send: (status: number, body: unknown) => void): Promise<void> {
    const isRefresh = form.get('grant_type') === 'refresh_token'
    if (isRefresh) {
      issuer.counts.refreshes++
    } else issuer.counts.codes++
    const used = form.get(isRefresh ? 'refresh_token' : 'code') ?? ''
    // A token that is revoked while its response waits has been used already.
    const isKnown = refreshTokens.has(used)
    if (isRefresh) await issuer.refreshGate
    if (issuer.tokenError) return send(issuer.tokenError.status, { error: issuer.tokenError.error })
    const code = codes.get(used)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGood = isRefresh ? isKnown : code?.challenge === challenge
    if (!isGood) return send(400, { error: 'invalid_grant', error_description: 'secret words of the provider' })
    codes.delete(used)
    refreshTokens.delete(used)
    const refreshToken = `refresh-${randomUUID()}`
    refreshTokens.add(refreshToken)
    const now = Math.floor(clock.now() / 1000)
    const claims: JWTPayload = {
      iss: url,
      aud: form.get('client_id') ?? '',
      iat: now,
      exp: now + 3_600,
      ...(code && { nonce: code.nonce }),
      ...issuer.claims,
    }
    send(200, {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 300,
      refresh_token: refreshToken,
      id_token: await issuer.mint(claims, sign),
      ...issuer.tokenResponse,
    })
  }
  return issuer
}

async function newKey(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid = randomUUID()
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}
