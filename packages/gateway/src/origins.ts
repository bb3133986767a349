/** The origins under which browsers know this gateway. */
export interface PublicOrigins {
  /** Exactly one of ours, scheme and port included. */
  isOurs(origin: string | undefined): boolean
  /** Is this Host header one of ours? Any other means that another site's name resolves to this server. */
  isOurHost(host: string | undefined): boolean
  /** The one of ours that has this Host header. */
  originOf(host: string | undefined): string | undefined
  /** The same origins for websockets, for the Content-Security-Policy; the same array while nothing changes. */
  sockets(): readonly string[]
}

/**
 * @param list asked at each request, since the port may be known only once the server listens; the same array for as
 * long as it says the same
 */
export function publicOrigins(list: () => readonly string[]): PublicOrigins {
  let read: { origins: readonly string[]; hosts: string[]; sockets: string[] } | undefined
  const current = () => {
    const origins = list()
    if (read?.origins === origins) return read
    const hosts = origins.map((origin) => new URL(origin).host)
    return (read = { origins, hosts, sockets: origins.map((origin) => origin.replace(/^http/, 'ws')) })
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
 * Did a page of ours, or the user's own hand, make this request? Browsers say so in `Sec-Fetch-Site`; where it is
 * missing, only an Origin of ours counts.
 */
export function isSameOrigin(headers: Headers, origins: PublicOrigins): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined) return origins.isOurs(headers.origin)
  return site === 'same-origin' || site === 'none'
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
