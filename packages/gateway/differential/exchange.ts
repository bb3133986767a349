import { request as open, type IncomingMessage } from 'node:http'
import type { Seen } from '../test/echo-upstream'
import { hostileMark, type Person, type Request, type Token } from './request'
import type { Upstreams } from './environment'
import { sendBytes } from './wire'

/** One of the two sides between a client and the upstreams: the gateway, or the programs that it is compared with. */
export interface Side {
  origin: string
  issuer: string
  /** The `Cookie` header of each person. */
  cookies: Record<Person, string>
  tokens: Record<Token, string>
  /** The token that it may send upstream as its own. */
  clusterToken: string
  upstreams: Upstreams
}

/** The compared fields. Each is a line of text, empty for nothing. */
export const fieldNames = ['status', 'redirect', 'body', 'setHeaders', 'reached', 'identity', 'smuggled'] as const
export type Field = (typeof fieldNames)[number]
export interface Outcome {
  status: number
  body: string
  fields: Record<Field, string>
}

export interface RawResponse {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** Sends a request unchanged and summarizes the response and what the upstreams received. */
export async function exchange(side: Side, request: Request): Promise<Outcome> {
  const upstreams = Object.entries(side.upstreams)
  const ordinary = upstreams.map(([, { respond }]) => respond)
  for (const [, upstream] of upstreams) {
    upstream.seen.length = 0
    if (request.upstreamResponse) upstream.respond = request.upstreamResponse
  }
  const response = await send(side, request)
  const seen = upstreams.flatMap(([name, upstream]) => upstream.seen.map((each) => ({ name, ...each })))
  for (const [index, [, upstream]] of upstreams.entries()) upstream.respond = ordinary[index] ?? upstream.respond
  const { status, body } = response
  return {
    status,
    body,
    fields: {
      status: classOf(status),
      redirect: status >= 300 && status < 400 ? await endOf(side, response) : '',
      body: status < 300 ? shapeOf(response) : '',
      setHeaders: relevantHeaders(response),
      reached: seen.map(({ name, ...each }) => `${name} ${callOf(each)}`).join(' & '),
      identity: seen.map((each) => identityOf(each, side)).join(' & '),
      smuggled: seen.flatMap(smuggledBy).sort().join(' '),
    },
  }
}

function send(side: Side, request: Request): Promise<RawResponse> {
  const url = new URL(side.origin)
  const { hostname, port, host } = url
  if (request.bytes !== undefined) {
    const cookie = request.as ? side.cookies[request.as] : ''
    return sendBytes(url, request.bytes.replaceAll('{host}', host).replaceAll('{cookie}', cookie))
  }
  const { method = 'GET', target, as, token, body, isSocket } = request
  const given = (request.headers ?? []).map(([name, value]) => [name, value.replace('{origin}', side.origin)] as const)
  const isGiven = (name: string) => given.some(([each]) => each.toLowerCase() === name)
  const headers = [
    ...(isGiven('host') ? [] : [['Host', host]]),
    ...(as ? [['Cookie', side.cookies[as]]] : []),
    ...(token ? [['Authorization', `Bearer ${side.tokens[token]}`]] : []),
    ...(isSocket ? handshake.filter(([name]) => !isGiven(name.toLowerCase())) : []),
    ...(body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))]]),
    ...given,
  ]
  return new Promise((resolve, reject) => {
    const call = open({
      host: hostname,
      port,
      method,
      path: target.replace('{origin}', side.origin),
      headers: headers.flat(),
      agent: false,
    })
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() })
      })
    })
    call.on('upgrade', ({ statusCode = 0, headers }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, headers, body: '' })
    })
    call.on('error', reject)
    call.end(body)
  })
}

const handshake = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const

/** 401 is distinguished, since a page reacts to it with a sign-in. */
const classOf = (status: number): string =>
  status === 401 || status === 101 ? String(status) : `${Math.floor(status / 100)}xx`

/** Follows redirects below `/oauth2/` and returns where a browser ends up. */
async function endOf(side: Side, { headers }: RawResponse): Promise<string> {
  const url = new URL(headers.location ?? '', side.origin)
  if (url.origin === side.origin && url.pathname.startsWith('/oauth2/')) {
    const next = await send(side, { name: '', target: `${url.pathname}${url.search}`, ours: 0 })
    return next.status < 400 && next.headers.location !== undefined ? endOf(side, next) : `${url.pathname}${url.search}`
  }
  if (url.origin === side.origin) return `${url.pathname}${url.search}${url.hash}`
  if (!url.href.startsWith(side.issuer)) return url.href
  const { prompt, redirect_uri: back = '' } = Object.fromEntries(url.searchParams)
  return `the provider (prompt ${prompt}, back to ${back.replace(side.origin, '')})`
}

function shapeOf({ headers, body, status }: RawResponse): string {
  if (status === 101) return headers['sec-websocket-protocol'] ?? 'no subprotocol'
  const type = headers['content-type']?.split(';')[0] ?? ''
  if (body === '') return 'empty'
  if (type !== 'application/json') return type || 'untyped'
  const { kind, ...members } = JSON.parse(body) as Record<string, unknown>
  return kind === undefined ? JSON.stringify(members) : `kind ${String(kind)}`
}

/** Headers that affect a browser or tell a proxy the signed-in user. */
const setHeaders = /^(x-auth-request-.*|access-control-.*|clear-site-data|set-cookie)$/

function relevantHeaders({ headers }: RawResponse): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => {
    if (!setHeaders.test(name) || value === '') return []
    return name === 'set-cookie' ? cookiesIn([value ?? []].flat()) : `${name}: ${String(value)}`
  })
  return [...new Set(lines)].sort().join(' & ')
}

const cookiesIn = (cookies: string[]): string[] =>
  cookies.map((each) => {
    if (each.includes(hostileMark)) return 'sets a cookie of the upstream'
    return /max-age=0|expires=thu, 01 jan 1970/i.test(each) || /^[^=]+=;/.test(each)
      ? 'removes a cookie'
      : 'sets a cookie'
  })

const valuesOf = ({ headers }: Seen, name: string): string[] =>
  headers.flatMap(([each, value]) => (each === name ? value.split(',').map((part) => part.trim()) : []))

function callOf(seen: Seen): string {
  const protocols = valuesOf(seen, 'sec-websocket-protocol')
  return [seen.method, seen.target, ...protocols].join(' ')
}

/** The identity that the upstream sees. */
function identityOf(seen: Seen, { clusterToken, tokens }: Side): string {
  const [authorization] = valuesOf(seen, 'authorization')
  const own = Object.entries(tokens).find(([, token]) => authorization === `Bearer ${token}`)?.[0]
  const bearer = authorization === `Bearer ${clusterToken}` ? 'the proxy' : (own ?? authorization)
  const by = (user: string, group: string, verb: string) => {
    const users = valuesOf(seen, user)
    const groups = valuesOf(seen, group).filter((each) => each !== '')
    return users.length + groups.length > 0
      ? `${verb} ${users.join('|') || 'nobody'} in ${groups.sort().join(' ')}`
      : ''
  }
  return [bearer, by('impersonate-user', 'impersonate-group', 'impersonates'), by('x-user', 'x-group', 'names')]
    .filter(Boolean)
    .join(' ')
}

const smuggledBy = ({ headers }: Seen): string[] =>
  headers.flatMap(([name, value]) => (value.includes(hostileMark) ? [name] : []))
