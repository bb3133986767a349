import type { FastifyBaseLogger } from 'fastify'
import { clientAddress, type ClientAddress } from './client-address'
import { checkLimits, metricsSettings, limitDefaults, type MetricsConfig, type TimeLimits } from './operations/settings'
import type { TlsConfig } from './operations/tls'
import type { RequestLimits } from './operations/limits'
import { isLoopback } from './origins'
import type { SignInRates } from './session/sign-in-limits'
import {
  sessionSettings,
  signInSettings,
  type SessionConfig,
  type SessionSettings,
  type SignInConfig,
  type SignInSettings,
} from './session/settings'
import { upstreamSettings, type UpstreamSettings } from './upstreams/settings'

export interface GatewayConfig {
  /** Address to listen on. */
  host: string
  /** 0 takes any free port. */
  port: number
  /** Speaks TLS itself, of version 1.2 or later; without it something before the gateway does, or it is on loopback. */
  tls?: TlsConfig
  /**
   * The exact origins by which browsers reach the gateway: all `https:`, or all `http:` on loopback.
   * Default: those of loopback, `http://127.0.0.1:{port}` and `http://localhost:{port}`, or the same with https.
   */
  publicOrigins?: string[]
  /**
   * How many proxies in front add to `X-Forwarded-For`, each the address that it was called from: it says where a sign-in
   * comes from. Without it that is known only of a gateway that is reached directly.
   */
  forwardedHops?: number
  kubernetes: KubernetesConfig
  /** Answers the list of namespaces; without one it is computed by access reviews. */
  namespaceLister?: ServiceConfig
  tektonResults?: PluginConfig
  kubeArchive?: PluginConfig
  /** Folder of the built console; without it only the API and sign-in are served. */
  assets?: string
  signIn: SignInConfig
  session: SessionConfig
  /** Serves `/metrics` for Prometheus on an address of its own. */
  metrics?: MetricsConfig
  limits?: Partial<Limits>
  log?: FastifyBaseLogger
}

/** Something that is reached by a URL; a path in it is kept. */
export interface ServiceConfig {
  url: string
  /** The only authorities to trust, in PEM; read again when it changes. Default: those of the system. */
  caFile?: string
  /** Trusts any certificate. Refused unless everything, the public origins included, is on loopback. */
  insecureSkipTlsVerify?: boolean
}

export interface KubernetesConfig {
  /** What error messages call it; its address is never told. Default `kubernetes`. */
  name?: string
  /** How it is reached and who the gateway is there. Files are read again when they change. */
  access:
    | (ServiceConfig & { token?: string | (() => string); tokenFile?: string })
    | { kubeconfig: string; context?: string }
    | { inCluster: true }
  /**
   * As whom calls are made: as the signed-in user by impersonation, or by handing on the ID token of the user's
   * session; or with the gateway's own credentials as they are, which is refused unless everything is on loopback.
   */
  as: 'impersonate' | 'id-token' | 'own'
  /**
   * Why the cluster does not respond now, for what supervises it: calls get this as a 503 at once, and do not wait for a
   * time limit. `undefined` while it responds.
   */
  unavailable?: () => string | undefined
  /** Label selector of the namespaces that the namespace list may show, such as `example.com/type=tenant`. */
  namespaceSelector?: string
}

/**
 * A service that is asked as the signed-in user, by impersonation, with a token of its own; `gateway` hands on the
 * gateway's own token, on purpose.
 */
export type PluginConfig = ServiceConfig & { token: 'gateway' | { file: string } | (() => string) }

export interface Limits extends RequestLimits, TimeLimits, SignInRates {
  /** Largest request body. */
  bodyBytes: number
  /** The upstream must begin its answer within this time; afterwards it may take for ever. */
  firstByteMs: number
  /** How often each end of a websocket is pinged; one that misses a ping is cut. */
  pingMs: number
  /**
   * How often a watch that asks for it (`heartbeat=true`) is told, in a way that a page can see, that it lives; Infinity
   * for never.
   */
  heartbeatMs: number
  /** Websockets that may hold a compressor at once, of some 300 kB each; others are sent large events as they are. */
  compressedSockets: number
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
  addressOf: ClientAddress
  tls: TlsConfig | undefined
  isHttps: boolean
  /** Browsers are to come by https for ever; never said of loopback, where other programs have ports too. */
  isStrictlyHttps: boolean
  metrics: { host: string; port: number } | undefined
  upstreams: UpstreamSettings
  assets: string | undefined
  signIn: SignInSettings
  session: SessionSettings
  limits: Limits
}

const defaultLimits: Limits = {
  ...limitDefaults,
  signInsPerMinute: 120,
  allSignInsPerMinute: 1_200,
  bodyBytes: 3 * 1024 * 1024,
  firstByteMs: 60_000,
  pingMs: 30_000,
  heartbeatMs: 5_000,
  compressedSockets: 1_000,
  sweepMs: 1_000,
  namespacesMs: 3_000,
}

/** @throws Error with one sentence that says what to change */
export function settingsOf(config: GatewayConfig): Settings {
  const { host, port, tls, session, assets, forwardedHops } = config
  const publicOrigins = config.publicOrigins?.map(originOf)
  const isHttps = publicOrigins?.some((origin) => origin.startsWith('https:')) ?? tls !== undefined
  checkOrigins(publicOrigins, host)
  if (tls && !isHttps) throw new Error('publicOrigins must be https when the gateway speaks TLS.')
  const isLocal = isLoopback(host) && (publicOrigins ?? []).every(isLoopbackOrigin)
  const signIn = signInSettings(config.signIn, { hasClientCa: tls?.clientCaFile !== undefined })
  const limits = { ...defaultLimits, ...config.limits }
  checkLimits({ ...limits })
  if (forwardedHops !== undefined && !(Number.isInteger(forwardedHops) && forwardedHops > 0)) {
    throw new Error('forwardedHops must be the number of proxies in front, one or more.')
  }
  return {
    host,
    port,
    publicOrigins,
    addressOf: clientAddress({ forwardedHops, isDirect: tls !== undefined || publicOrigins === undefined }),
    tls,
    isHttps,
    isStrictlyHttps: isHttps && !(publicOrigins ?? ['https://127.0.0.1']).some(isLoopbackOrigin),
    metrics: metricsSettings(config.metrics),
    upstreams: upstreamSettings(config, isLocal),
    assets,
    signIn,
    session: sessionSettings(session, {
      isHttps,
      keepsIdToken: config.kubernetes.as === 'id-token',
      allowedSystemNames: signIn.oidc?.allowedSystemNames ?? new Set(),
    }),
    limits,
  }
}

const isLoopbackOrigin = (origin: string): boolean => isLoopback(new URL(origin).hostname)

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
