import { request as open } from 'node:http'
import type { Seen } from '@slipway/connect/testing'
import { hostileMark, type Person, type Request, type Token } from './request'
import type { Upstreams } from './environment'
import { type RawResponse, sendBytes } from './send-bytes'

/** The gateway under test and what is around it. */
export interface Side {
  origin: string
  /** The `Cookie` header of each person. */
  cookies: Record<Person, string>
  tokens: Record<Token, string>
  /** The token that it may send upstream as its own. */
  clusterToken: string
  upstreams: Upstreams
}

export interface Outcome {
  status: number
  body: string
  /** Headers of the response that affect a browser or tell a proxy the signed-in user. */
  setHeaders: string
  /** The calls that reached an upstream, under which identity, and headers of the client among theirs. */
  reached: string
  identity: string
  smuggled: string
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
    setHeaders: relevantHeaders(response),
    reached: seen.map(({ name, ...each }) => `${name} ${callOf(each)}`).join(' & '),
    identity: seen.map((each) => identityOf(each, side)).join(' & '),
    smuggled: seen.flatMap(smuggledBy).sort().join(' '),
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
