import { configError } from '@slipway/connect/config-error'

/** The origins under which browsers know this gateway. */
export interface PublicOrigins {
  /** Path below which everything is served, such as `/console`; empty at the root. */
  readonly path: string
  /** Whether this is exactly one of the gateway's origins, including scheme and port. */
  isOurs(origin: string | undefined): boolean
  /** Whether the Host header is one of ours. Any other means that another site's name resolves to this server. */
  isOurHost(host: string | undefined): boolean
  /** The gateway's origin with this Host header. */
  originOf(host: string | undefined): string | undefined
  /** The websocket origins for the Content-Security-Policy; the same array while nothing changes. */
  sockets(): readonly string[]
}

/** First segments of the gateway's own paths: below one of them, it would be unclear whether a proxy has removed it. */
const ownSegments = /^\/(?:api|assets|health|oauth2|ready|wss)(?:\/|$)/

/**
 * Parses a URL under which browsers reach a gateway, with or without a slash at its end.
 * @throws ConfigError for anything but an origin that plain path segments may follow
 */
export function parsePublicUrl(text: string): { origin: string; path: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const path = url?.pathname.replace(/\/$/, '') ?? ''
  if (
    !url ||
    `${url.origin}${path}` !== text.replace(/\/$/, '') ||
    !/^https?:$/.test(url.protocol) ||
    !/^(?:\/[\w.~-]+)*$/.test(path)
  ) {
    throw configError`The public origin ${JSON.stringify(text)} is not a valid origin. Use one such as https://console.example.com, or https://example.com/console to serve below a path.`
  }
  if (ownSegments.test(path)) throw configError`The public path ${path} would already mean something to the gateway.`
  return { origin: url.origin, path }
}

/** The same URL as one text, without a slash at its end. @throws ConfigError as above */
export function normalizePublicUrl(text: string): string {
  const { origin, path } = parsePublicUrl(text)
  return `${origin}${path}`
}

/**
 * A request target as the gateway's routes spell it: without the public path, which a proxy in front may have removed
 * already.
 */
export function localTarget(target: string, path: string): string {
  if (path === '' || !target.startsWith(path)) return target
  const rest = target.slice(path.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : target
}

/**
 * @param path below which everything is served; empty at the root
 * @param list called on each request, since the port may be known only once the server listens; returns the same array
 * while the origins stay the same
 */
export function publicOrigins(list: () => readonly string[], path: string): PublicOrigins {
  let cached: { origins: readonly string[]; hosts: string[]; sockets: string[] } | undefined
  const current = () => {
    const origins = list()
    if (cached?.origins === origins) return cached
    const hosts = origins.map((origin) => new URL(origin).host)
    return (cached = { origins, hosts, sockets: origins.map((origin) => origin.replace(/^http/, 'ws')) })
  }
  const originOf = (host: string | undefined) => {
    const { origins, hosts } = current()
    return host === undefined ? undefined : origins[hosts.indexOf(host.toLowerCase())]
  }
  return {
    path,
    originOf,
    isOurs: (origin) => origin !== undefined && current().origins.includes(origin),
    isOurHost: (host) => originOf(host) !== undefined,
    sockets: () => current().sockets,
  }
}

interface Headers {
  origin?: string | undefined
  'sec-fetch-site'?: string | string[] | undefined
}

/**
 * Whether one of our pages or the user directly made this request. Browsers say so in `Sec-Fetch-Site`; without that
 * header, only one of our origins in `Origin` counts.
 */
export function isSameOrigin(headers: Headers, origins: PublicOrigins): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined) return origins.isOurs(headers.origin)
  return site === 'same-origin' || site === 'none'
}
