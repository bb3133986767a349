/** The origins under which browsers know this gateway. */
export interface PublicOrigins {
  /** Whether this is exactly one of the gateway's origins, including scheme and port. */
  isOurs(origin: string | undefined): boolean
  /** Whether the Host header is one of ours. Any other means that another site's name resolves to this server. */
  isOurHost(host: string | undefined): boolean
  /** The gateway's origin with this Host header. */
  originOf(host: string | undefined): string | undefined
  /** The websocket origins for the Content-Security-Policy; the same array while nothing changes. */
  sockets(): readonly string[]
}

/**
 * @param list called on each request, since the port may be known only once the server listens; returns the same array
 * while the origins stay the same
 */
export function publicOrigins(list: () => readonly string[]): PublicOrigins {
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

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
