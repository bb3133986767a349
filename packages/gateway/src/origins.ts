/** The origins under which browsers know this gateway. */
export interface PublicOrigins {
  /** Exactly one of ours, scheme and port included. */
  isOurs(origin: string | undefined): boolean
  /** Is this Host header one of ours? Any other means that another site's name resolves to this server. */
  isOurHost(host: string | undefined): boolean
  /** The one of ours that has this Host header. */
  originOf(host: string | undefined): string | undefined
  /** The same origins for websockets, for the Content-Security-Policy. */
  sockets(): string[]
}

/** @param list asked at each request, since the port may be known only once the server listens */
export function publicOrigins(list: () => string[]): PublicOrigins {
  const originOf = (host: string | undefined) =>
    host === undefined ? undefined : list().find((origin) => new URL(origin).host === host.toLowerCase())
  return {
    originOf,
    isOurs: (origin) => origin !== undefined && list().includes(origin),
    isOurHost: (host) => originOf(host) !== undefined,
    sockets: () => list().map((origin) => origin.replace(/^http/, 'ws')),
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
