import type { RequestHandler } from '@slipway/connect/testing'

/** Groups: Ada has none, Bea has two, and those that the provider adds for Cyd must not be trusted. */
export const people = {
  ada: [],
  bea: ['team-a', 'team-b'],
  cyd: ['team-a', 'system:masters', 'team-b,system:nodes'],
} satisfies Record<string, string[]>
export type Person = keyof typeof people
/** An ID token of Ada for our client, one for another client, and a forged one. */
export type Token = 'ada' | 'other' | 'forged'

export const mailOf = (person: Person): string => `${person}@slipway.test`

/** Part of every header value with which a client claims another identity. */
export const hostileMark = 'hostile'

export interface Request {
  name: string
  /** The person whose cookie it carries. */
  as?: Person
  /** The bearer token. */
  token?: Token
  method?: string
  /** Sent byte for byte. */
  target: string
  /** Sent unchanged, including repeated ones; `{origin}` is that of the gateway. */
  headers?: [name: string, value: string][]
  body?: string
  isSocket?: boolean
  /** The complete request on the wire, with `{host}` and `{cookie}`. */
  bytes?: string
  /** The upstreams' response instead of an echo. */
  upstreamResponse?: RequestHandler
  status: number
  /** The upstream call that it causes, if any. */
  reached?: string
}

/** Headers that the console sends with each call, which a write needs. */
export const fromOurPage: [string, string][] = [
  ['Sec-Fetch-Site', 'same-origin'],
  ['X-Requested-With', 'slipway'],
]
export const jsonType: [string, string] = ['Content-Type', 'application/json']
