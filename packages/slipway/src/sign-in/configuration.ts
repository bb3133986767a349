import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { SignInSecrets } from '../credentials'
import { failureOf, failurePage, signOutPage, type SignInUser } from './pages'
import type { SignInStore } from './store'

export const signInPath = '/sign-in'

export interface ConfigurationParts {
  users: readonly SignInUser[]
  clientId: string
  secrets: SignInSecrets
  /** Called for each request, since the gateway may not listen yet when the provider starts. */
  redirectOrigins: () => string[]
  store: SignInStore
}

const minute = 60
const hour = 60 * minute
/** Slightly longer than the gateway's longest session. */
const signedIn = 25 * hour

/** Configuration of the library: one client, authorization code with PKCE, rotating refresh tokens. */
export function configurationFor(parts: ConfigurationParts): Configuration {
  const { users, clientId, secrets, redirectOrigins, store } = parts
  const client = () => ({
    client_id: clientId,
    client_secret: secrets.clientSecret,
    client_name: 'Slipway',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    redirect_uris: redirectOrigins().map((origin) => `${origin}/oauth2/callback`),
    post_logout_redirect_uris: redirectOrigins().map((origin) => `${origin}/oauth2/sign_in`),
    token_endpoint_auth_method: 'client_secret_basic' as const,
    id_token_signed_response_alg: 'ES256' as const,
  })
  return {
    // The client is looked up like any other record, since its URLs are known late. No other client can register.
    adapter: (kind) => {
      const records = store.records(kind)
      if (kind !== 'Client') return records
      return { ...records, find: async (id) => (id === clientId ? client() : undefined), upsert: async () => {} }
    },
    jwks: { keys: [{ ...secrets.signingKey, alg: 'ES256', use: 'sig' }] },
    cookies: {
      keys: [secrets.cookieKey],
      // Cookies ignore ports, so these names must differ from those of the gateway and other programs on this machine.
      names: {
        session: 'slipway-sign-in-session',
        interaction: 'slipway-sign-in',
        resume: 'slipway-sign-in-resume',
      },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: async (_context, asking, token) => token.clientId === asking.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => show(context, signOutPage(form)),
        postLogoutSuccessSource: (context) =>
          show(context, failurePage({ title: 'You are signed out', text: 'You can close this page.' }, consoleUrl())),
      },
    },
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    // All claims are in the ID token, as with other identity providers for clusters.
    conformIdTokenClaims: false,
    async findAccount(_context, id) {
      const user = users.find(({ email }) => email === id)
      if (!user) return undefined
      const { name, email, groups } = user
      const claims = { sub: id, email, email_verified: true, name, preferred_username: name, groups: [...groups] }
      return { accountId: id, claims: async () => claims }
    },
    interactions: { url: (_context, { uid }) => `${signInPath}/${uid}` },
    loadExistingGrant: grantOf,
    // Issued without the consent prompt that the standard requires: the only client is our own.
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: 5 * minute,
      AuthorizationCode: minute,
      IdToken: hour,
      Interaction: 10 * minute, // as long as the gateway remembers its request
      RefreshToken: signedIn,
      Grant: signedIn,
      Session: signedIn,
    },
    renderError: (context, _response, error) => show(context, failurePage(failureOf(error), consoleUrl())),
  }

  function consoleUrl() {
    const [origin] = redirectOrigins()
    return origin === undefined ? undefined : `${origin}/`
  }
}

/** There is no consent prompt. Each sign-in has a separate grant, so that ending it does not affect others. */
async function grantOf({ oidc }: KoaContextWithOIDC) {
  const { account, client, provider, result, session } = oidc
  if (!account || !client) return undefined
  const known = result?.login ? undefined : session?.grantIdFor(client.clientId)
  const grant = known === undefined ? undefined : await provider.Grant.find(known)
  if (grant) return grant
  const next = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
  next.addOIDCScope('openid email profile groups offline_access')
  await next.save()
  return next
}

function show(context: KoaContextWithOIDC, html: string): void {
  context.type = 'html'
  context.body = html
}
