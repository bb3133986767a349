import type { FastifyBaseLogger } from 'fastify'
import { configError } from '@slipway/connect/config-error'
import { isLoopback } from '@slipway/connect/loopback'
import { clientAddress, type ClientAddress } from './client-address'
import { checkLimits, metricsSettings, limitDefaults, type MetricsConfig, type TimeLimits } from './operations/settings'
import type { TlsConfig } from './operations/tls'
import type { RequestLimits } from './operations/limits'
import { parsePublicUrl } from './origins'
import type { SignInRates } from './session/sign-in-limits'
import {
  sessionSettings,
  signInSettings,
  type SessionConfig,
  type SessionSettings,
  type SignInConfig,
  type SignInSettings,
} from './session/settings'
import { upstreamSettings, type UpstreamsConfig, type UpstreamSettings } from './upstreams/settings'
import { setting } from './setting'

export interface GatewayConfig extends UpstreamsConfig {
  /** Version of the product, which signed-in users may report with a problem. */
  version?: string
  /** Address to listen on. */
  host: string
  /** 0 picks any free port. */
  port: number
  /** Serves TLS 1.2 or later. Without it, the gateway listens on loopback only, unless `plainHttp` is set. */
  tls?: TlsConfig
  /**
   * Allows plain HTTP on a `host` that is not loopback. What the gateway receives there includes session cookies and
   * tokens, so something in front, such as a service mesh, must encrypt these connections.
   */
  plainHttp?: boolean
  /**
   * The exact origins under which browsers reach the gateway: all `https:`, or all `http:` on loopback. All of them may
   * have the same path, such as `https://example.com/console`: everything is then served below it, by default at the root.
   * Default: those of loopback, `http://127.0.0.1:{port}` and `http://localhost:{port}`, or the same with https.
   */
  publicOrigins?: string[]
  /**
   * How many proxies in front append the address of their caller to `X-Forwarded-For`, which identifies where a sign-in
   * comes from. Without it, only a gateway that clients reach directly knows.
   */
  forwardedHops?: number
  /** Folder with the built console; without it only the API and sign-in are served. */
  assets?: string
  /**
   * How long the response with a page may wait for the content that its user sees, if the built console can render it;
   * default 0: pages are sent without it.
   */
  renderMs?: number
  signIn: SignInConfig
  session: SessionConfig
  /** Serves `/metrics` for Prometheus on a separate address. */
  metrics?: MetricsConfig
  limits?: Partial<Limits>
  log?: FastifyBaseLogger
}

export interface Limits extends RequestLimits, TimeLimits, SignInRates {
  /** Largest request body. */
  bodyBytes: number
  /** The upstream must start its response within this time; the response itself may take forever. */
  firstByteMs: number
  /** How often each end of a websocket is pinged; one that misses a ping is cut. */
  pingMs: number
  /**
   * How often a watch that requests it (`heartbeat=true`) gets a heartbeat that a page can see; Infinity for never.
   */
  heartbeatMs: number
  /** Websockets that may hold a compressor at once, about 300 kB each; the others get large events uncompressed. */
  compressedSockets: number
  /** How long the client of a response may read nothing of what is ready for it. */
  unreadMs: number
  /** How often open streams are checked for the end of their session. */
  sweepMs: number
  /** How often open watches and followed logs are reviewed: whether their users may still read them. */
  reviewMs: number
  /** How long a computed namespace list is cached. */
  namespacesMs: number
}

/** The validated configuration with defaults applied. */
export interface Settings {
  host: string
  port: number
  publicOrigins: string[] | undefined
  /** Path below which browsers reach the gateway, such as `/console`; empty at the root of its origins. */
  publicPath: string
  addressOf: ClientAddress
  tls: TlsConfig | undefined
  /** Whether other machines can connect without TLS. */
  isPlainToNetwork: boolean
  /** Whether browsers use https. */
  isHttps: boolean
  /** Instructs browsers to use only https (HSTS); never on loopback, where other programs have ports too. */
  isStrictlyHttps: boolean
  metrics: { host: string; port: number } | undefined
  upstreams: UpstreamSettings
  assets: string | undefined
  renderMs: number
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
  unreadMs: 60_000,
  sweepMs: 1_000,
  reviewMs: 20_000,
  namespacesMs: 3_000,
}

/** @throws ConfigError that says what to change */
export function resolveSettings(config: GatewayConfig): Settings {
  const { host, port, tls, plainHttp = false, session, assets, renderMs = 0, forwardedHops } = config
  const urls = config.publicOrigins?.map(parsePublicUrl)
  const publicOrigins = urls?.map(({ origin }) => origin)
  const publicPath = urls?.[0]?.path ?? ''
  const isHttps = publicOrigins?.some((origin) => origin.startsWith('https:')) ?? tls !== undefined
  checkOrigins(publicOrigins, host)
  if (urls?.some(({ path }) => path !== publicPath)) {
    throw configError`${setting('publicOrigins')} must all have the same path.`
  }
  if (tls && !isHttps) throw configError`${setting('publicOrigins')} must be https when the gateway speaks TLS.`
  const isLocal = isLoopback(host) && (publicOrigins ?? []).every(isLoopbackOrigin)
  const upstreams = upstreamSettings(config, isLocal)
  const isPlainToNetwork = !tls && !isLoopback(host)
  if (isPlainToNetwork && !plainHttp) {
    throw configError`${setting('tls')} must be given, since ${host} is not a loopback address. Set ${setting('plainHttp')} instead if something in front, such as a service mesh, encrypts the connections.`
  }
  if (tls && plainHttp) throw configError`${setting('tls')} and ${setting('plainHttp')} exclude each other.`
  const signIn = signInSettings(config.signIn, { hasClientCa: tls?.clientCaFile !== undefined })
  const limits = { ...defaultLimits, ...config.limits }
  checkLimits(limits)
  if (forwardedHops !== undefined && !(Number.isInteger(forwardedHops) && forwardedHops > 0)) {
    throw configError`${setting('forwardedHops')} must be the number of proxies in front, one or more.`
  }
  return {
    host,
    port,
    publicOrigins,
    publicPath,
    addressOf: clientAddress({ forwardedHops, isDirect: tls !== undefined || publicOrigins === undefined }),
    tls,
    isPlainToNetwork,
    isHttps,
    isStrictlyHttps: isHttps && !(publicOrigins ?? ['https://127.0.0.1']).some(isLoopbackOrigin),
    metrics: metricsSettings(config.metrics),
    upstreams,
    assets,
    renderMs,
    signIn,
    session: sessionSettings(session, {
      isHttps,
      path: publicPath,
      ports: [...new Set(publicOrigins?.map((each) => new URL(each).port) ?? [String(port)])].sort(),
      needsIdToken: config.kubernetes.as === 'id-token',
      allowedSystemNames: signIn.oidc?.allowedSystemNames ?? new Set(),
    }),
    limits,
  }
}

const isLoopbackOrigin = (origin: string): boolean => isLoopback(new URL(origin).hostname)

function checkOrigins(origins: string[] | undefined, host: string) {
  if (!origins) {
    if (isLoopback(host)) return
    throw configError`${setting('publicOrigins')} must be given, since ${host} is not a loopback address.`
  }
  const plain = origins.filter((origin) => origin.startsWith('http:'))
  const isPlainLoopback =
    plain.length === origins.length && plain.every((origin) => isLoopback(new URL(origin).hostname))
  if (origins.length === 0 || (plain.length > 0 && !isPlainLoopback)) {
    throw configError`${setting('publicOrigins')} must be all https, or all http on loopback: session cookies need one or the other.`
  }
}
