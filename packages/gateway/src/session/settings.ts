import { readFileSync } from 'node:fs'
import { isLoopback } from '../origins'
import { identityProblem } from './identity'

export interface SessionConfig {
  /** 32 bytes each. The first encrypts, all decrypt: put a new key first and drop the old one later. */
  keys: Uint8Array[]
  /** A session that makes no call for this long ends; 8 hours by default. */
  idleMs?: number
  /** A session ends this long after sign-in, whatever it does; 24 hours by default. */
  absoluteMs?: number
  /**
   * A session in use is confirmed by the identity provider this often, and goes on without its word for as long again;
   * 5 minutes by default.
   */
  recheckMs?: number
  /** Default `slipway-session`; on https it gets the prefix `__Host-`. */
  cookieName?: string
  /** Tells every replica who has signed out. Without it the others know when they next ask the identity provider. */
  signOuts?: { namespace: string; configMap: string }
}

export type SignInConfig = { oidc: OidcConfig } | { frontProxy: FrontProxyConfig }

/** Sign-in by OpenID Connect: the gateway is a client of the provider. */
export interface OidcConfig {
  /** Exactly as the provider calls itself; https, or http on loopback. */
  issuer: string
  clientId: string
  /** A function is asked each time. Absent for a public client. */
  clientSecret?: string | (() => string)
  /** Default `openid email profile groups offline_access`. */
  scopes?: string[]
  /** Default `login`: the provider asks who it is each time. Empty for none: it may go by its own session. */
  prompt?: string
  /** Claim of the user's name in the cluster; default `email`, which must then be verified. */
  userClaim?: string
  /** Claim of the groups, a list or one name; default `groups`. */
  groupsClaim?: string
  /** Put before every user's name, such as `oidc:`. */
  userPrefix?: string
  groupPrefix?: string
  /** Names beginning with `system:` that may pass nevertheless, one by one. */
  allowedSystemNames?: string[]
  /** Take an e-mail address for a name although the provider does not say that it was verified. */
  allowUnverifiedEmail?: boolean
  /** Certificates to trust for the provider; read again when it changes. */
  caFile?: string
}

/** Sign-in by a proxy in front, such as oauth2-proxy, which must prove itself in exactly one way. */
export interface FrontProxyConfig {
  secret?: { header: string; value: string | (() => string) }
  /** Names of its client certificate, common or alternative; needs `tls.clientCaFile`. */
  clientCertificateNames?: string[]
  /** Which of its headers names the user in the cluster: `X-Auth-Request-Email` (default) or `X-Auth-Request-User`. */
  userFrom?: 'email' | 'user'
}

export interface SessionSettings extends Required<Omit<SessionConfig, 'signOuts'>> {
  signOuts: SessionConfig['signOuts']
  /** An upstream wants the ID token, so that it must not be dropped for space. */
  keepsIdToken: boolean
  allowedSystemNames: ReadonlySet<string>
}

export interface OidcSettings extends Required<Omit<OidcConfig, 'clientSecret' | 'caFile' | 'allowedSystemNames'>> {
  clientSecret: (() => string) | undefined
  /** The scopes were not chosen, so that those a provider does not know may be left out. */
  hasDefaultScopes: boolean
  allowedSystemNames: ReadonlySet<string>
  readCa: (() => string) | undefined
}

export interface FrontProxySettings {
  secret: { header: string; value: () => string } | undefined
  clientCertificateNames: readonly string[]
  userFrom: 'email' | 'user'
}

export type SignInSettings =
  { oidc: OidcSettings; frontProxy?: undefined } | { frontProxy: FrontProxySettings; oidc?: undefined }

const minuteMs = 60_000

/** @throws Error with one sentence that says what to change */
export function sessionSettings(
  config: SessionConfig,
  { isHttps, ...rest }: Pick<SessionSettings, 'keepsIdToken' | 'allowedSystemNames'> & { isHttps: boolean },
): SessionSettings {
  const settings = {
    keys: checkedKeys(config.keys),
    idleMs: config.idleMs ?? 8 * 60 * minuteMs,
    absoluteMs: config.absoluteMs ?? 24 * 60 * minuteMs,
    recheckMs: config.recheckMs ?? 5 * minuteMs,
    cookieName: `${isHttps ? '__Host-' : ''}${config.cookieName ?? 'slipway-session'}`,
    signOuts: config.signOuts,
    ...rest,
  }
  if (!/^[\w-]+$/.test(settings.cookieName)) throw new Error('session.cookieName has a character that no name has.')
  for (const name of ['idleMs', 'absoluteMs', 'recheckMs'] as const) {
    if (!(settings[name] >= 1_000)) throw new Error(`session.${name} must be a second or more.`)
  }
  return settings
}

/** @throws Error with one sentence that says what to change */
export function signInSettings(config: SignInConfig, { hasClientCa = false } = {}): SignInSettings {
  if ('oidc' in config) return { oidc: oidcSettings(config.oidc) }
  return { frontProxy: frontProxySettings(config.frontProxy, hasClientCa) }
}

function oidcSettings(config: OidcConfig): OidcSettings {
  const { clientSecret, caFile, allowedSystemNames = [], ...rest } = config
  const userPrefix = config.userPrefix ?? ''
  const groupPrefix = config.groupPrefix ?? ''
  if (!isSafeAddress(config.issuer)) throw new Error('signIn.oidc.issuer must be an https URL, or http on loopback.')
  if (!config.clientId) throw new Error('signIn.oidc.clientId is empty.')
  if (clientSecret === '') throw new Error('signIn.oidc.clientSecret is empty: leave it out for a public client.')
  for (const prefix of [userPrefix, groupPrefix]) {
    const problem = prefix && identityProblem({ user: `${prefix}x` })
    if (problem) throw new Error(`The prefix ${JSON.stringify(prefix)} is refused: ${problem}.`)
  }
  const scopes = config.scopes ?? ['openid', 'email', 'profile', 'groups', 'offline_access']
  if (!scopes.includes('openid')) throw new Error('signIn.oidc.scopes must have openid.')
  return {
    prompt: 'login',
    userClaim: 'email',
    groupsClaim: 'groups',
    allowUnverifiedEmail: false,
    ...rest,
    userPrefix,
    groupPrefix,
    scopes,
    hasDefaultScopes: config.scopes === undefined,
    clientSecret: typeof clientSecret === 'string' ? () => clientSecret : clientSecret,
    allowedSystemNames: new Set(allowedSystemNames),
    readCa: caFile === undefined ? undefined : () => readFileSync(caFile, 'utf8'),
  }
}

function frontProxySettings(config: FrontProxyConfig, hasClientCa: boolean): FrontProxySettings {
  const { secret, clientCertificateNames = [], userFrom = 'email' } = config
  if ((secret === undefined) === (clientCertificateNames.length === 0)) {
    throw new Error('signIn.frontProxy needs exactly one proof: a secret, or names of client certificates.')
  }
  if (secret && !/^[a-z0-9-]+$/i.test(secret.header)) throw new Error('signIn.frontProxy.secret.header is no header.')
  const { value } = secret ?? {}
  if (typeof value === 'string' && value.length < 16) {
    throw new Error('signIn.frontProxy.secret.value must have 16 characters or more.')
  }
  if (!secret && !hasClientCa) throw new Error('signIn.frontProxy.clientCertificateNames needs tls.clientCaFile.')
  return {
    secret: secret && {
      header: secret.header.toLowerCase(),
      value: typeof secret.value === 'string' ? () => String(value) : secret.value,
    },
    clientCertificateNames,
    userFrom,
  }
}

function isSafeAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username || url.password || url.search || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

function checkedKeys(keys: Uint8Array[]): Uint8Array[] {
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) {
    throw new Error('Session keys must be one or more, of 32 bytes each.')
  }
  return keys
}
