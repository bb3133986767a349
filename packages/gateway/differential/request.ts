import type { Answer } from '../test/echo-upstream'
import type { Field } from './exchange'
import type { Reason } from './reasons'

/** Ada is in no groups, Bea in two, and what the provider says of Cyd's should not be believed. */
export const people = {
  ada: [],
  bea: ['team-a', 'team-b'],
  cyd: ['team-a', 'system:masters', 'team-b,system:nodes'],
} satisfies Record<string, string[]>
export type Person = keyof typeof people
/** An ID token of Ada for our client, one for another client, and something else. */
export type Token = 'ada' | 'other' | 'forged'

export const mailOf = (person: Person): string => `${person}@slipway.test`

/** A part of every header value by which a client claims to be somebody else. */
export const hostileMark = 'hostile'

export interface Request {
  name: string
  /** Whose cookie it carries. */
  as?: Person
  /** Which bearer token. */
  token?: Token
  method?: string
  /** Sent byte for byte. */
  target: string
  /** Sent as they are, repeated ones too; `{origin}` is that of the side. */
  headers?: [name: string, value: string][]
  body?: string
  isSocket?: boolean
  /** The whole of it, as it is on the wire, with `{host}` and `{cookie}`. */
  bytes?: string
  /** What the upstreams say to it, instead of an echo. */
  upstreamAnswers?: Answer
  /** What the gateway answers. */
  ours: number
  /** Where it leads, and what it reaches, when that is not nothing. */
  reached?: string
  /** In what it differs from oauth2-proxy and Caddy, and why. */
  differs?: Partial<Record<Field, Reason>>
}

/** What the console sends with each call, and what makes a write of ours. */
export const fromOurPage: [string, string][] = [
  ['Sec-Fetch-Site', 'same-origin'],
  ['X-Requested-With', 'slipway'],
]
export const jsonType: [string, string] = ['Content-Type', 'application/json']
