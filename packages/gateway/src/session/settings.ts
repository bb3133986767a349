import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { configError } from '@slipway/connect/config-error'
import { isLoopback } from '@slipway/connect/loopback'
import { identityError } from './identity'
import { setting } from '../setting'

export interface SessionConfig {
  /** 32 bytes each. The first encrypts, all decrypt: to rotate, put a new key first and drop the old one later. */
  keys: Uint8Array[]
  /** A session ends after this long without a call; 8 hours by default. */
  idleMs?: number
  /** A session ends this long after sign-in, even if it is active; 24 hours by default. */
  absoluteMs?: number
  /**
   * How soon a user who is blocked at the identity provider is signed out, for which an active session is confirmed there
   * more often, and how much longer it continues if the provider cannot be reached; 5 minutes by default.
   */
  recheckMs?: number
  /**
   * A session that cannot be confirmed, since the identity provider has issued no refresh token, ends this long after
   * sign-in; one hour by default.
   */
  unconfirmedMs?: number
  /**
   * Default `slipway-session`, followed by the ports and the path of the gateway if it has any: browsers do not separate
   * cookies by port, and two gateways of one host must not take each other's. On https it has the prefix `__Host-`, or
   * `__Secure-` below a path.
   */
  cookieName?: string
  /** Shares sign-outs between replicas. Without it, the others notice when they next confirm the session. */
  signOuts?: { namespace: string; configMap: string }
}

export type SignInConfig = { oidc: OidcConfig } | { frontProxy: FrontProxyConfig }

/** Sign-in by OpenID Connect: the gateway is a client of the provider. */
export interface OidcConfig {
  /** Exactly the provider's issuer; https, or http on loopback. */
  issuer: string
  clientId: string
  /** A function is called each time. Absent for a public client. */
  clientSecret?: string | (() => string)
  /** Default `openid email profile groups offline_access`. */
  scopes?: string[]
  /**
   * Default `login`: the provider authenticates the user each time. It is `login consent` if `offline_access` is
   * requested, without which providers must not issue a refresh token (OpenID Connect Core 1.0, section 11). If empty,
   * the provider may reuse its own session.
   */
  prompt?: string
  /** Claim with the user's name in the cluster; default `email`, which must be verified. `a.b` is the member `b` of `a`. */
  userClaim?: string
  /** Claim with the groups, a list or a single name; default `groups`. It may be a member of another, as above. */
  groupsClaim?: string
  /**
   * The only groups that count, without `groupPrefix`: names, or beginnings of names followed by `*`. Default: all. A
   * session must fit into cookies, which hundreds of groups do not.
   */
  keptGroups?: string[]
  /** Prefix for all user names, such as `oidc:`. */
  userPrefix?: string
  groupPrefix?: string
  /** Names starting with `system:` that are allowed nevertheless. */
  allowedSystemNames?: string[]
  /** Accepts an email address as a name even if the provider does not say that it is verified. */
  allowUnverifiedEmail?: boolean
  /** Certificates to trust for the provider; reread when the file changes. */
  caFile?: string
}

/** Sign-in by a proxy in front, such as oauth2-proxy, which must authenticate itself in exactly one way. */
export interface FrontProxyConfig {
  secret?: { header: string; value: string | (() => string) }
  /** Allowed names in its client certificate, common or alternative; needs `tls.clientCaFile`. */
  clientCertificateNames?: string[]
  /** The header with the user's name in the cluster: `X-Auth-Request-Email` (default) or `X-Auth-Request-User`. */
  userFrom?: 'email' | 'user'
}

export interface SessionSettings extends Required<Omit<SessionConfig, 'signOuts'>> {
  signOuts: SessionConfig['signOuts']
  /** Path of the cookies, below which the gateway is served; empty at the root. */
  path: string
  /** Whether an upstream needs the ID token, so that it must not be dropped to save space. */
  needsIdToken: boolean
  allowedSystemNames: ReadonlySet<string>
}

export interface OidcSettings extends Required<
  Omit<OidcConfig, 'clientSecret' | 'caFile' | 'allowedSystemNames' | 'prompt' | 'keptGroups'>
> {
  /** `undefined` for the default, which depends on the scopes that the provider supports. */
  prompt: string | undefined
  keptGroups: readonly string[] | undefined
  clientSecret: (() => string) | undefined
  /** Whether the scopes were not configured, so that those unknown to the provider may be omitted. */
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

/** @throws ConfigError that says what to change */
export function sessionSettings(
  config: SessionConfig,
  {
    isHttps,
    ports,
    ...rest
  }: Pick<SessionSettings, 'path' | 'needsIdToken' | 'allowedSystemNames'> & {
    isHttps: boolean
    /** As for `cookieSuffix`. */
    ports: readonly string[]
  },
): SessionSettings {
  const keys = checkedKeys(config.keys)
  const settings = {
    keys,
    idleMs: config.idleMs ?? 8 * 60 * minuteMs,
    absoluteMs: config.absoluteMs ?? 24 * 60 * minuteMs,
    recheckMs: config.recheckMs ?? 5 * minuteMs,
    unconfirmedMs: config.unconfirmedMs ?? 60 * minuteMs,
    cookieName: `${cookiePrefix(isHttps, rest.path)}${config.cookieName ?? `slipway-session${cookieSuffix(ports, rest.path, keys)}`}`,
    signOuts: config.signOuts,
    ...rest,
  }
  if (!/^[\w-]+$/.test(settings.cookieName))
    throw configError`${setting('session.cookieName')} may only contain letters, digits, underscores and hyphens.`
  for (const name of ['idleMs', 'absoluteMs', 'recheckMs', 'unconfirmedMs'] as const) {
    if (!(settings[name] >= 1_000)) throw configError`${setting(`session.${name}`)} must be at least one second.`
  }
  return settings
}

/** Browsers enforce what these prefixes say, and `__Host-` says that the cookie is for the whole host. */
const cookiePrefix = (isHttps: boolean, path: string): string => (!isHttps ? '' : path ? '__Secure-' : '__Host-')

/**
 * Tells apart the gateways of one host.
 * @param ports of all public origins; empty texts for default ports, and `0` for one that is not known yet
 */
function cookieSuffix(ports: readonly string[], path: string, [key = new Uint8Array()]: readonly Uint8Array[]): string {
  const isDefault = ports.every((port) => port === '')
  // A gateway on any free port has another one after each start, but it may keep its key.
  const keyName = () => createHash('sha256').update(key).digest('hex').slice(0, 8)
  const names = ports.map((port) => `-${port === '0' ? keyName() : port || 'default'}`)
  return `${isDefault ? '' : names.join('')}${path.replace(/\W/g, '_')}`
}

/** @throws ConfigError that says what to change */
export function signInSettings(config: SignInConfig, { hasClientCa = false } = {}): SignInSettings {
  if ('oidc' in config) return { oidc: oidcSettings(config.oidc) }
  return { frontProxy: frontProxySettings(config.frontProxy, hasClientCa) }
}

function oidcSettings(config: OidcConfig): OidcSettings {
  const { clientSecret, caFile, allowedSystemNames = [], ...rest } = config
  const userPrefix = config.userPrefix ?? ''
  const groupPrefix = config.groupPrefix ?? ''
  if (!isSafeAddress(config.issuer))
    throw configError`${setting('signIn.oidc.issuer')} must be an https URL, or http on loopback.`
  if (!config.clientId) throw configError`${setting('signIn.oidc.clientId')} is empty.`
  if (clientSecret === '')
    throw configError`${setting('signIn.oidc.clientSecret')} is empty. Omit it for a public client.`
  for (const prefix of [userPrefix, groupPrefix]) {
    const error = prefix && identityError({ user: `${prefix}x` })
    if (error) throw configError`The prefix ${JSON.stringify(prefix)} is not allowed: ${error}.`
  }
  if (config.keptGroups?.some((pattern) => !/^[^*]+\*?$/.test(pattern))) {
    throw configError`${setting('signIn.oidc.keptGroups')} must be names, or beginnings of names followed by *.`
  }
  const scopes = config.scopes ?? ['openid', 'email', 'profile', 'groups', 'offline_access']
  if (!scopes.includes('openid')) throw configError`${setting('signIn.oidc.scopes')} must include openid.`
  return {
    prompt: undefined,
    userClaim: 'email',
    groupsClaim: 'groups',
    allowUnverifiedEmail: false,
    keptGroups: undefined,
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
    throw configError`${setting('signIn.frontProxy')} needs exactly one way to authenticate the proxy: a secret, or names of client certificates.`
  }
  if (secret && !/^[a-z0-9-]+$/i.test(secret.header))
    throw configError`${setting('signIn.frontProxy.secret.header')} is not a valid header name.`
  const { value } = secret ?? {}
  if (typeof value === 'string' && value.length < 16) {
    throw configError`${setting('signIn.frontProxy.secret.value')} must have at least 16 characters.`
  }
  if (!secret && !hasClientCa)
    throw configError`${setting('signIn.frontProxy.clientCertificateNames')} needs ${setting('tls.clientCaFile')}.`
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
    throw configError`There must be at least one session key, of 32 bytes each.`
  }
  return keys
}
