import type { JSONWebKeySet } from 'jose'
import * as openid from 'openid-client'
import type { FastifyBaseLogger } from 'fastify'
import { steady, type Clock } from '@slipway/kube/clock'
import { identityOf, isIncomplete, type Claims } from './claims'
import { createIdTokenVerifier } from './id-token'
import type { Identity } from './identity'
import { ProviderFailure } from './provider-failure'
import { providerFetch } from './provider-fetch'
import type { Confirmation, Tokens } from './sessions'
import type { OidcSettings } from './settings'

/** One attempt to sign in, as it is remembered in the browser until the provider sends the user back. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
  /** Where to go afterwards: a path of the console. */
  returnTo: string
  startedAt: number
}

/** The identity provider. Every method rejects with `ProviderFailure`. */
export interface Provider {
  /** Rejects unless the provider is known and its keys are loaded. */
  ready(): Promise<void>
  /** Where to send the browser. */
  authorizationUrl(attempt: Attempt, redirectUri: string): Promise<URL>
  /** @param callback the address to which the provider sent the browser */
  finish(callback: URL, attempt: Attempt): Promise<Confirmation>
  /** Asks again who the user is. @throws ProviderFailure `ended` when the provider no longer vouches for the session */
  refresh(session: Tokens & { identity: Identity }): Promise<Confirmation>
  /** Who calls with this token, and until when, in ms since 1970. */
  bearer(token: string): Promise<{ identity: Identity; issuedAt: number; expiresAt: number }>
  /** Tells the provider that nobody will use the token again; a failure is only logged. */
  revoke(refreshToken: string): Promise<void>
  /** Where the browser ends its session at the provider, if there is such a place. */
  endSessionUrl(idToken: string | undefined, returnTo: string): Promise<URL | undefined>
  close(): Promise<void>
}

const timeoutSeconds = 10
const metadataMs = 60 * 60_000
/** How soon a provider that could not be reached is asked again. */
const retryMs = 2_000

export function createProvider(settings: OidcSettings, clock: Clock, log: FastifyBaseLogger): Provider {
  const { issuer, clientId } = settings
  const isPlain = issuer.startsWith('http:')
  const fetch = providerFetch(settings.readCa)
  const { now: steadyNow } = steady(clock)
  let known: { metadata: openid.ServerMetadata; readAt: number } | undefined
  let failed: { failure: ProviderFailure; at: number } | undefined
  let discovering: Promise<openid.ServerMetadata> | undefined

  const verifier = createIdTokenVerifier({ issuer, clientId, readKeys, clock })

  async function discover(): Promise<openid.ServerMetadata> {
    try {
      const found = await openid.discovery(new URL(issuer), clientId, undefined, undefined, {
        timeout: timeoutSeconds,
        [openid.customFetch]: fetch,
        ...(isPlain && { execute: [openid.allowInsecureRequests] }),
      })
      const metadata = found.serverMetadata()
      if (metadata.issuer !== issuer) {
        throw new ProviderFailure('unreachable', `the provider calls itself ${metadata.issuer}, not ${issuer}`)
      }
      known = { metadata, readAt: steadyNow() }
      failed = undefined
      return metadata
    } catch (error) {
      const failure = failureOf(error)
      failed = { failure, at: steadyNow() }
      log.warn({ issuer, cause: causeOf(failure) }, 'the identity provider was not found')
      throw failure
    }
  }

  /** Found when it is first needed, so that a provider that is down does not keep the gateway from starting. */
  async function metadata(): Promise<openid.ServerMetadata> {
    if (known && steadyNow() - known.readAt < metadataMs) return known.metadata
    if (failed && steadyNow() - failed.at < retryMs) {
      if (known) return known.metadata
      throw failed.failure
    }
    discovering ??= discover().finally(() => (discovering = undefined))
    const before = known?.metadata
    // What was known an hour ago is still worth more than nothing.
    return before ? discovering.catch(() => before) : discovering
  }

  /** Made for each use: the secret may have changed, and the clock is ours. */
  async function configuration(): Promise<openid.Configuration> {
    const server = await metadata()
    const secret = settings.clientSecret?.()
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authentication =
      secret === undefined
        ? openid.None()
        : methods.includes('client_secret_basic')
          ? openid.ClientSecretBasic(secret)
          : openid.ClientSecretPost(secret)
    const skew = { [openid.clockSkew]: Math.round((clock.now() - Date.now()) / 1000) }
    const configuration = new openid.Configuration(server, clientId, skew, authentication)
    configuration[openid.customFetch] = fetch
    configuration.timeout = timeoutSeconds
    if (isPlain) openid.allowInsecureRequests(configuration)
    return configuration
  }

  async function readKeys(): Promise<JSONWebKeySet> {
    const { jwks_uri: address } = await metadata()
    if (!address || !(address.startsWith('https:') || isPlain)) {
      throw new ProviderFailure('unreachable', 'the provider names no safe address of its keys')
    }
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(timeoutSeconds * 1000) })
      if (!response.ok) throw new Error(`its keys answered ${response.status}`)
      // Whoever reads it refuses what is none.
      return (await response.json()) as JSONWebKeySet
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function guarded<A>(run: (configuration: openid.Configuration) => Promise<A>): Promise<A> {
    try {
      return await run(await configuration())
    } catch (error) {
      throw failureOf(error)
    }
  }

  /** The claims of the ID token, and what only the user info endpoint tells. */
  async function identityFrom(
    configuration: openid.Configuration,
    claims: Claims & { sub: string },
    accessToken: string,
  ): Promise<Identity> {
    const isMore = isIncomplete(claims, settings) && configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = isMore ? await openid.fetchUserInfo(configuration, accessToken, claims.sub) : {}
    const { identity, droppedGroups } = identityOf({ ...more, ...claims }, settings)
    if (droppedGroups.length > 0) log.info({ who: identity.user, droppedGroups }, 'groups were dropped')
    return identity
  }

  async function refreshedIdentity(
    configuration: openid.Configuration,
    { id_token: idToken, access_token: accessToken }: openid.TokenEndpointResponse,
    { subject, identity }: Tokens & { identity: Identity },
  ): Promise<Identity> {
    if (idToken !== undefined) {
      const claims = await verifier.verify(idToken)
      if (claims.sub !== subject) throw new ProviderFailure('untrusted', 'the refreshed ID token is of another user')
      return identityFrom(configuration, claims, accessToken)
    }
    // Providers need not issue another ID token; the user info is then what is new.
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    return subject !== undefined && hasUserInfo ? identityFrom(configuration, { sub: subject }, accessToken) : identity
  }

  const requestedScopes = (server: openid.ServerMetadata) => {
    // A provider may refuse a sign-in for a scope that it does not know.
    const supported = settings.hasDefaultScopes ? server.scopes_supported : undefined
    return settings.scopes.filter((scope) => scope === 'openid' || !supported || supported.includes(scope)).join(' ')
  }

  return {
    async ready() {
      await metadata()
      await verifier.ready()
    },

    authorizationUrl: ({ state, nonce, verifier: codeVerifier }, redirectUri) =>
      guarded(async (configuration) =>
        openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: requestedScopes(configuration.serverMetadata()),
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(settings.prompt && { prompt: settings.prompt }),
        }),
      ),

    finish: (callback, { state, nonce, verifier: pkceCodeVerifier }) =>
      guarded(async (configuration) => {
        const answer = await openid.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier,
          idTokenExpected: true,
        })
        // It was expected, so it is there.
        const idToken = answer.id_token ?? ''
        const claims = await verifier.verify(idToken)
        const identity = await identityFrom(configuration, claims, answer.access_token)
        return { identity, tokens: { subject: claims.sub, idToken, refreshToken: answer.refresh_token } }
      }),

    refresh: (session) =>
      guarded(async (configuration) => {
        const { identity, subject, refreshToken = '', idToken } = session
        const answer = await openid.refreshTokenGrant(configuration, refreshToken).catch((error: unknown) => {
          const { message, error: code, kind } = failureOf(error)
          // Any other refusal is about the gateway or the provider, not about this user.
          const isAboutUser = code === 'invalid_grant' ? 'ended' : kind === 'untrusted' && kind
          throw new ProviderFailure(isAboutUser || 'unreachable', message, { error: code, cause: error })
        })
        const tokens: Tokens = {
          subject,
          idToken: answer.id_token ?? idToken,
          refreshToken: answer.refresh_token ?? refreshToken,
        }
        try {
          return { identity: await refreshedIdentity(configuration, answer, session), tokens }
        } catch (error) {
          const failure = failureOf(error)
          // The old refresh token may be worth nothing by now, so that the new one must not be lost.
          if (failure.kind === 'unreachable') return { identity, tokens, isUnconfirmed: true }
          throw failure
        }
      }),

    async bearer(token) {
      const claims = await verifier.verify(token, { isFromClient: true })
      const { identity } = identityOf(claims, settings)
      return { identity, issuedAt: claims.iat * 1000, expiresAt: claims.exp * 1000 }
    },

    async revoke(refreshToken) {
      try {
        const server = await metadata()
        if (server.revocation_endpoint === undefined) return
        await guarded((configuration) => openid.tokenRevocation(configuration, refreshToken))
      } catch (error) {
        log.warn({ issuer, cause: causeOf(error) }, 'a refresh token could not be revoked')
      }
    },

    async endSessionUrl(idToken, returnTo) {
      const server = await metadata()
      if (server.end_session_endpoint === undefined) return undefined
      return guarded(async (configuration) =>
        openid.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: returnTo,
          ...(idToken !== undefined && { id_token_hint: idToken }),
        }),
      )
    },

    close: () => fetch.close(),
  }
}

/** What to make of an error of `openid-client`, or of the connection. */
function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  if (error instanceof openid.AuthorizationResponseError) {
    return new ProviderFailure('refused', 'the provider refused the sign-in', { error: error.error, cause: error })
  }
  if (error instanceof openid.ResponseBodyError) {
    const kind = error.status >= 500 || error.status === 429 ? 'unreachable' : 'refused'
    return new ProviderFailure(kind, 'the provider refused a request', { error: error.error, cause: error })
  }
  if (error instanceof openid.WWWAuthenticateChallengeError && error.status === 401) {
    return new ProviderFailure('refused', 'the provider does not accept the client', {
      error: 'invalid_client',
      cause: error,
    })
  }
  if (error instanceof openid.ClientError && isAboutContent(error.code)) {
    return new ProviderFailure('untrusted', error.message, { cause: error })
  }
  return new ProviderFailure('unreachable', 'the provider cannot be reached', { cause: error })
}

const contentCodes = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_UNSUPPORTED_OPERATION',
])
const isAboutContent = (code: string | undefined): boolean => code !== undefined && contentCodes.has(code)

/** The chain of messages, for the log: no token is ever part of one. */
export function causeOf(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each instanceof Error && messages.length < 5; each = each.cause) messages.push(each.message)
  return messages.join(': ')
}
