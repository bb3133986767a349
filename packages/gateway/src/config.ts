import type { FastifyBaseLogger } from 'fastify'
import { identityProblem, type Identity } from './session/identity'

export interface GatewayConfig {
  /** Address to listen on. */
  host: string
  /** 0 takes any free port. */
  port: number
  /**
   * The exact origins by which browsers reach the gateway: all `https:`, or all `http:` on loopback.
   * Default: `http://127.0.0.1:{port}` and `http://localhost:{port}`.
   */
  publicOrigins?: string[]
  upstream: UpstreamConfig
  /** Folder of the built console; without it only the API and sign-in are served. */
  assets?: string
  session: SessionConfig
  /** People who sign in by picking their name. Refused unless `host` is loopback. */
  localUsers?: LocalUser[]
  limits?: Partial<Limits>
  log?: FastifyBaseLogger
}

export interface UpstreamConfig {
  /** What error messages call it; its address is never told. Default `kubernetes`. */
  name?: string
  /** Of the Kubernetes API; a path before `/api` is kept. */
  url: string
  /** The gateway's own bearer token; a function is asked at each call, so that a rotated token takes effect. */
  token: string | (() => string)
  /** Calls are made as the signed-in user, by impersonation: the only way there is. */
  impersonate: true
  /** Label selector of the namespaces that the namespace list may show, such as `example.com/type=tenant`. */
  namespaceSelector?: string
}

export interface SessionConfig {
  /** 32 bytes each. The first encrypts, all decrypt: put a new key first and drop the old one later. */
  keys: Uint8Array[]
  /** A session that makes no call for this long ends; 8 hours by default. */
  idleMs?: number
  /** A session ends this long after sign-in, whatever it does; 24 hours by default. */
  absoluteMs?: number
  /** Default `slipway-session`; on https it gets the prefix `__Host-`. */
  cookieName?: string
}

export interface LocalUser {
  name: string
  /** The user's name in the cluster. */
  email: string
  groups: readonly string[]
  /** What the sign-in page tells about this user. */
  description: string
}

export interface Limits {
  /** Largest request body. */
  bodyBytes: number
  /** The upstream must begin its answer within this time; afterwards it may take for ever. */
  firstByteMs: number
  /** How often each end of a websocket is pinged; one that misses a ping is cut. */
  pingMs: number
  /** How often open streams are compared with the end of their session. */
  sweepMs: number
  /** How long a computed namespace list is kept. */
  namespacesMs: number
}

/** A configuration that was checked, with every default in its place. */
export interface Settings {
  host: string
  port: number
  publicOrigins: string[] | undefined
  isHttps: boolean
  upstream: Required<Omit<UpstreamConfig, 'url' | 'token'>> & { url: URL; token: () => string }
  assets: string | undefined
  session: Required<SessionConfig>
  users: LocalUser[]
  limits: Limits
}

const hourMs = 3_600_000
const defaultLimits: Limits = {
  bodyBytes: 3 * 1024 * 1024,
  firstByteMs: 60_000,
  pingMs: 30_000,
  sweepMs: 1_000,
  namespacesMs: 3_000,
}

/** @throws Error with one sentence that says what to change */
export function settingsOf(config: GatewayConfig): Settings {
  const { host, port, upstream, session, assets, localUsers = [] } = config
  const publicOrigins = config.publicOrigins?.map(originOf)
  const isHttps = publicOrigins?.some((origin) => origin.startsWith('https:')) ?? false
  checkOrigins(publicOrigins, host)
  checkUsers(localUsers, host)
  return {
    host,
    port,
    publicOrigins,
    isHttps,
    upstream: {
      name: upstream.name ?? 'kubernetes',
      url: upstreamUrl(upstream.url),
      token: tokenOf(upstream.token),
      impersonate: upstream.impersonate,
      namespaceSelector: upstream.namespaceSelector ?? '',
    },
    assets,
    session: {
      keys: checkedKeys(session.keys),
      idleMs: session.idleMs ?? 8 * hourMs,
      absoluteMs: session.absoluteMs ?? 24 * hourMs,
      cookieName: `${isHttps ? '__Host-' : ''}${session.cookieName ?? 'slipway-session'}`,
    },
    users: localUsers,
    limits: { ...defaultLimits, ...config.limits },
  }
}

/** A local user's identity: the cluster knows people by their e-mail address. */
export const identityOf = ({ name, email, groups }: LocalUser): Identity => ({
  user: email,
  email,
  preferredUsername: name,
  groups: [...groups],
})

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.origin !== text.replace(/\/$/, '') || !/^https?:$/.test(url.protocol)) {
    throw new Error(`The public origin ${JSON.stringify(text)} is no origin, such as https://console.example.com.`)
  }
  return url.origin
}

function checkOrigins(origins: string[] | undefined, host: string) {
  if (!origins) {
    if (isLoopback(host)) return
    throw new Error(`publicOrigins must be given, since ${host} is not a loopback address.`)
  }
  const plain = origins.filter((origin) => origin.startsWith('http:'))
  const isPlainLoopback =
    plain.length === origins.length && plain.every((origin) => isLoopback(new URL(origin).hostname))
  if (origins.length === 0 || (plain.length > 0 && !isPlainLoopback)) {
    throw new Error('publicOrigins must be all https, or all http on loopback: session cookies need one or the other.')
  }
}

function checkUsers(users: LocalUser[], host: string) {
  if (users.length === 0) throw new Error('Nobody could sign in: localUsers is empty.')
  if (!isLoopback(host)) {
    throw new Error(`Local users sign in without a password: they are refused on ${host}, which is not loopback.`)
  }
  for (const user of users) {
    const problem = identityProblem(identityOf(user))
    if (problem) throw new Error(`The local user ${JSON.stringify(user.name)} is refused: ${problem}.`)
  }
  if (new Set(users.map(({ email }) => email)).size < users.length) {
    throw new Error('Two local users have the same e-mail address.')
  }
}

function upstreamUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error('The upstream URL must be http or https, without credentials and without a query.')
  }
  return url
}

function tokenOf(token: string | (() => string)): () => string {
  if (typeof token === 'function') return token
  if (!token) throw new Error('The upstream token is empty.')
  return () => token
}

function checkedKeys(keys: Uint8Array[]): Uint8Array[] {
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) {
    throw new Error('Session keys must be one or more, of 32 bytes each.')
  }
  return keys
}
