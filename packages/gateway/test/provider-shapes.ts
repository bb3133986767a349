import type { JWTPayload } from 'jose'
import type { Identity } from '../src/session/identity'
import type { OidcConfig } from '../src/session/settings'

/** How a product issues claims and tokens, and what it supports. Its settings are those that docs/deploying.md asks for. */
export interface ProviderShape {
  /** Claims of Ada, who is a member of these groups. */
  claims(groups: string[]): JWTPayload
  /** Whether the ID token has only `sub`, so that the rest must be read from the user info. */
  hasThinIdToken?: boolean
  /** When it issues a refresh token. */
  refreshToken: 'always' | 'offline_access' | 'never'
  /** Whether it names itself in the response of a sign-in (RFC 9207). */
  hasIssuerParameter?: boolean
  /** Whether it has an `end_session_endpoint` and a `revocation_endpoint`. */
  hasLogout: boolean
  /** Whether it ends sessions through the back channel, by session or by user. */
  hasBackChannelLogout?: 'sid' | 'sub'
  scopes: string[]
  /** The gateway's settings. */
  settings: Partial<OidcConfig>
  identity: Omit<Identity, 'groups'>
}

const ada = { email: 'ada@slipway.test', preferred_username: 'ada', name: 'Ada Lovelace' }
const byEmail = { user: ada.email, email: ada.email, preferredUsername: 'ada' }
const standardScopes = ['openid', 'email', 'profile', 'offline_access']

export const plainShape: ProviderShape = {
  claims: (groups) => ({ ...ada, email_verified: true, groups }),
  hasThinIdToken: true,
  refreshToken: 'offline_access',
  hasLogout: true,
  scopes: [...standardScopes, 'groups'],
  settings: {},
  identity: byEmail,
}

const keycloak: ProviderShape = {
  hasIssuerParameter: true,
  claims: (groups) => ({ ...ada, email_verified: true, groups }),
  refreshToken: 'always',
  hasLogout: true,
  hasBackChannelLogout: 'sid',
  scopes: [...standardScopes, 'roles', 'microprofile-jwt'],
  // An offline session would outlive the user's session at Keycloak.
  settings: { scopes: ['openid', 'email', 'profile'] },
  identity: byEmail,
}

/** Its users have no e-mail addresses. */
export const openshift: ProviderShape = {
  claims: (groups) => ({ name: 'ada', preferred_username: 'ada', groups: [...groups, 'system:authenticated:oauth'] }),
  refreshToken: 'offline_access',
  hasLogout: false,
  scopes: [...standardScopes, 'groups'],
  settings: { userClaim: 'preferred_username' },
  identity: { user: 'ada', email: '', preferredUsername: 'ada' },
}

export const providerShapes: Record<string, ProviderShape> = {
  'Keycloak with groups': keycloak,
  'Keycloak with realm roles': {
    ...keycloak,
    claims: (groups) => ({ ...ada, email_verified: true, realm_access: { roles: groups } }),
    hasBackChannelLogout: 'sub',
    settings: { ...keycloak.settings, groupsClaim: 'realm_access.roles' },
  },
  Dex: {
    claims: (groups) => ({ ...ada, email_verified: true, groups }),
    refreshToken: 'offline_access',
    hasLogout: false,
    scopes: [...standardScopes, 'groups'],
    settings: {},
    identity: byEmail,
  },
  'Okta with one group as text': {
    claims: ([group]) => ({ ...ada, email_verified: 'true', groups: group }),
    hasThinIdToken: true,
    refreshToken: 'offline_access',
    hasLogout: true,
    scopes: [...standardScopes, 'groups'],
    settings: {},
    identity: byEmail,
  },
  'Okta without refresh tokens': {
    claims: (groups) => ({ ...ada, email_verified: true, groups }),
    hasThinIdToken: true,
    refreshToken: 'never',
    hasLogout: true,
    scopes: [...standardScopes, 'groups'],
    settings: {},
    identity: byEmail,
  },
  'OpenShift through Dex': openshift,
}
