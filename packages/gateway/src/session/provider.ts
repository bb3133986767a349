import type { JSONWebKeySet } from 'jose'
import * as openid from 'openid-client'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '@slipway/kube/clock'
import { identityFromClaims, isIncomplete, type Claims } from './claims'
import { createDiscovery } from './discovery'
import { createIdTokenVerifier, type LogoutToken } from './id-token'
import type { Identity } from './identity'
import { causeChain, ProviderFailure, toProviderFailure } from './provider-failure'
import { providerFetch } from './provider-fetch'
import type { Confirmation, Tokens } from './sessions'
import type { OidcSettings } from './settings'

/** An attempt to sign in, stored in the browser until the provider sends the user back. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
  /** Where to go afterwards: a path of the console. */
  returnTo: string
  startedAt: number
}

export interface BearerToken {
  identity: Identity
  issuedAt: number
  expiresAt: number
  subject: string
  sid: string | undefined
}

/** The identity provider. Every method rejects with `ProviderFailure`. */
export interface Provider {
  /** Rejects unless the provider has been discovered and its keys are loaded. */
  ready(): Promise<void>
  /** The URL to send the browser to. */
  authorizationUrl(attempt: Attempt, redirectUri: string): Promise<URL>
  /** @param callback the URL that the provider sent the browser to */
  finishSignIn(callback: URL, attempt: Attempt): Promise<Confirmation>
  /** Fetches the user's identity again. @throws ProviderFailure `ended` if the provider no longer vouches for the session */
  refresh(session: Tokens & { identity: Identity }): Promise<Confirmation>
  /** The identity in this token and the times it is valid between, in ms since 1970. */
  verifyBearerToken(token: string): Promise<BearerToken>
  /** Whether the provider ends sessions through the back channel. */
  hasBackChannelLogout(): Promise<boolean>
  verifyLogoutToken(token: string): Promise<LogoutToken>
  /** Revokes the token at the provider; a failure is only logged. */
  revoke(refreshToken: string): Promise<void>
  /** The URL that ends the browser's session at the provider, if there is one. */
  endSessionUrl(idToken: string | undefined, returnTo: string): Promise<URL | undefined>
  close(): Promise<void>
}

const timeoutSeconds = 10

const sidOf = ({ sid }: Claims): string | undefined => (typeof sid === 'string' && sid !== '' ? sid : undefined)

/** The scope of refresh tokens. */
const offlineAccess = 'offline_access'

export function createProvider(settings: OidcSettings, clock: Clock, log: FastifyBaseLogger): Provider {
  const { issuer, clientId } = settings
  const isPlain = issuer.startsWith('http:')
  const fetch = providerFetch(settings.readCa)
  const metadata = createDiscovery({
    issuer,
    discover: () =>
      openid.discovery(new URL(issuer), clientId, undefined, undefined, {
        timeout: timeoutSeconds,
        [openid.customFetch]: fetch,
        ...(isPlain && { execute: [openid.allowInsecureRequests] }),
      }),
    clock,
    log,
  })
  const verifier = createIdTokenVerifier({ issuer, clientId, readKeys, clock })

  /** Created for each use, since the secret and the clock skew may have changed. */
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
      throw new ProviderFailure('unreachable', 'the provider has no secure URL for its keys')
    }
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(timeoutSeconds * 1000) })
      if (!response.ok) throw new Error(`the URL of its keys responded with ${response.status}`)
      // The caller rejects it if it is not a key set.
      return (await response.json()) as JSONWebKeySet
    } catch (error) {
      throw toProviderFailure(error)
    }
  }

  async function withConfiguration<A>(run: (configuration: openid.Configuration) => Promise<A>): Promise<A> {
    try {
      return await run(await configuration())
    } catch (error) {
      throw toProviderFailure(error)
    }
  }

  /** Reads the identity from the ID token's claims, completed by the user info endpoint if necessary. */
  async function identityFrom(
    configuration: openid.Configuration,
    claims: Claims & { sub: string },
    accessToken: string,
  ): Promise<Identity> {
    const needsUserInfo =
      isIncomplete(claims, settings) && configuration.serverMetadata().userinfo_endpoint !== undefined
    const userInfo = needsUserInfo ? await openid.fetchUserInfo(configuration, accessToken, claims.sub) : {}
    const { identity, droppedGroups } = identityFromClaims({ ...userInfo, ...claims }, settings)
    if (droppedGroups.length > 0) log.info({ who: identity.user, droppedGroups }, 'dropped groups that are not allowed')
    return identity
  }

  async function refreshedIdentity(
    configuration: openid.Configuration,
    { id_token: idToken, access_token: accessToken }: openid.TokenEndpointResponse,
    { subject, identity }: Tokens & { identity: Identity },
  ): Promise<Identity> {
    if (idToken !== undefined) {
      const claims = await verifier.verify(idToken)
      if (claims.sub !== subject)
        throw new ProviderFailure('untrusted', 'the refreshed ID token belongs to another user')
      return identityFrom(configuration, claims, accessToken)
    }
    // Providers need not issue a new ID token; then only the user info is up to date.
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    return subject !== undefined && hasUserInfo ? identityFrom(configuration, { sub: subject }, accessToken) : identity
  }

  const requestedScopes = (server: openid.ServerMetadata) => {
    // A provider may reject a sign-in with an unknown scope.
    const supported = settings.hasDefaultScopes ? server.scopes_supported : undefined
    return settings.scopes.filter((scope) => scope === 'openid' || !supported || supported.includes(scope))
  }

  return {
    async ready() {
      await metadata()
      await verifier.ready()
    },

    authorizationUrl: ({ state, nonce, verifier: codeVerifier }, redirectUri) =>
      withConfiguration(async (configuration) => {
        const scopes = requestedScopes(configuration.serverMetadata())
        // Without consent, providers ignore `offline_access`. OpenID Connect Core 1.0, section 11.
        const { prompt = scopes.includes(offlineAccess) ? 'login consent' : 'login' } = settings
        return openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(prompt && { prompt }),
        })
      }),

    finishSignIn: (callback, { state, nonce, verifier: pkceCodeVerifier }) =>
      withConfiguration(async (configuration) => {
        const response = await openid.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier,
          idTokenExpected: true,
        })
        if (response.refresh_token === undefined) {
          const isRequested = requestedScopes(configuration.serverMetadata()).includes(offlineAccess)
          log.warn({ issuer, isRequested }, 'the provider issued no refresh token, so the session cannot be confirmed')
        }
        // Present, since idTokenExpected is set.
        const idToken = response.id_token ?? ''
        const claims = await verifier.verify(idToken)
        const identity = await identityFrom(configuration, claims, response.access_token)
        const tokens: Tokens = {
          subject: claims.sub,
          sid: sidOf(claims),
          idToken,
          refreshToken: response.refresh_token,
        }
        return { identity, tokens }
      }),

    refresh: (session) =>
      withConfiguration(async (configuration) => {
        const { identity, subject, sid, refreshToken = '', idToken } = session
        const response = await openid.refreshTokenGrant(configuration, refreshToken).catch((error: unknown) => {
          const { message, error: code, kind } = toProviderFailure(error)
          // Any other error concerns the gateway or the provider, not this user.
          const isAboutUser = code === 'invalid_grant' ? 'ended' : kind === 'untrusted' && kind
          throw new ProviderFailure(isAboutUser || 'unreachable', message, { error: code, cause: error })
        })
        const tokens: Tokens = {
          subject,
          sid,
          idToken: response.id_token ?? idToken,
          refreshToken: response.refresh_token ?? refreshToken,
        }
        try {
          return { identity: await refreshedIdentity(configuration, response, session), tokens }
        } catch (error) {
          const failure = toProviderFailure(error)
          // The old refresh token may be invalid by now, so the new one must not be lost.
          if (failure.kind === 'unreachable') return { identity, tokens, isUnconfirmed: true }
          throw failure
        }
      }),

    async verifyBearerToken(token) {
      const claims = await verifier.verify(token, { isFromClient: true })
      const { identity } = identityFromClaims(claims, settings)
      const { sub: subject, iat, exp } = claims
      return { identity, issuedAt: iat * 1000, expiresAt: exp * 1000, subject, sid: sidOf(claims) }
    },

    hasBackChannelLogout: async () => (await metadata()).backchannel_logout_supported === true,

    verifyLogoutToken: (token) => verifier.verifyLogoutToken(token),

    async revoke(refreshToken) {
      try {
        const server = await metadata()
        if (server.revocation_endpoint === undefined) return
        await withConfiguration((configuration) => openid.tokenRevocation(configuration, refreshToken))
      } catch (error) {
        log.warn({ issuer, cause: causeChain(error) }, 'could not revoke a refresh token')
      }
    },

    async endSessionUrl(idToken, returnTo) {
      const server = await metadata()
      if (server.end_session_endpoint === undefined) return undefined
      return withConfiguration(async (configuration) =>
        openid.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: returnTo,
          ...(idToken !== undefined && { id_token_hint: idToken }),
        }),
      )
    },

    close: () => fetch.close(),
  }
}
