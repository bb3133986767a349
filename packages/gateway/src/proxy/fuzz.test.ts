import { connect } from 'node:net'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { json, startEchoUpstream, type EchoUpstream, type RequestHandler, type Seen } from '@slipway/connect/testing'
import { ada, gatewayToken, signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'

const resultsToken = 'sentinel-results-token'
const archiveToken = 'sentinel-archive-token'
const viewsToken = 'sentinel-views-token'
const cases = 10_000
const concurrency = 24

let gateway: ListeningGateway
let results: EchoUpstream
let archive: EchoUpstream
let lister: EchoUpstream
let views: EchoUpstream
let cookie: string
beforeEach(async () => {
  ;[results, archive, lister, views] = await Promise.all([
    startEchoUpstream(),
    startEchoUpstream(),
    startEchoUpstream(),
    startEchoUpstream(),
  ])
  lister.respond = json({ items: [] })
  gateway = await startListeningGateway({
    namespaceLister: { url: lister.url },
    tektonResults: { url: results.url, token: () => resultsToken },
    kubeArchive: { url: archive.url, token: () => archiveToken },
    views: { url: views.url, token: () => viewsToken },
    limits: { callsPerSecond: cases, callBurst: cases, callsPerUser: cases, streamsPerUser: cases, streams: cases },
  })
  cookie = await signIn(gateway.app)
  return async () => {
    await gateway.close()
    await Promise.all([results, archive, lister, views].map((each) => each.close()))
  }
})

const prefixes = [
  '/api/k8s',
  '/wss/k8s',
  '/api/k8s/plugins/tekton-results',
  '/api/k8s/plugins/kubearchive',
  '/api/k8s/plugins/views',
  '/wss/k8s/plugins/views',
  '/api/k8s/plugins/other',
  '/api',
  '',
]
const paths = [
  '/api/v1/namespaces',
  '/api/v1/namespaces/a/pods',
  '/api/v1/namespaces/a/pods/b/log',
  '/api/v1/namespaces/a/services/b/proxy/c',
  '/apis/tekton.dev/v1/namespaces/a/pipelineruns',
  '/apis/results.tekton.dev/v1alpha2/parents/a/results',
  '/openapi/v3',
  '/version',
  '/livez',
  '/metrics',
]
/** Pieces that different programs interpret differently. */
const pieces = [
  ...['/', '//', '/.', '/..', '/./', '/../', '/...', '\\', '/..\\', ';', ';a=b', '?', '#', '@', ':', '%', '%2', '%zz'],
  ...['%2e', '%2E%2e', '%2f', '%2F', '%5c', '%00', '%0a', '%0d%0a', '%20', '%25', '%252e%252e', '%3b', '%3f', '%23'],
  ...['%61', '%70lugins', '%c0%ae', '%c0%af', '%ff', '%e2%80%ae', '\u00e9', ' ', '\t', '\u0000', '|', '{}', '"', '<'],
  ...[
    '/proxy',
    '/exec',
    '/watch',
    '/plugins',
    '/kubearchive',
    '/tekton-results',
    '/api',
    '/k8s',
    '/secrets',
    '?watch=1',
  ],
  ...[
    '?fieldMask=metadata.name',
    '?fieldMask=data',
    '&watch=true',
    '?labelSelector=a%3Db',
    '?fieldSelector=%00',
    '*',
    '$',
    ',',
    '=',
    '~',
  ],
]
const targetOn = (bases: readonly string[], from: readonly string[]) =>
  fc
    .record({
      origin: fc.oneof(
        { weight: 30, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom('http://127.0.0.1', 'http://evil.example', '//evil.example', 'a') },
      ),
      prefix: fc.constantFrom(...from),
      path: fc.constantFrom(...bases),
      edits: fc.array(
        fc.record({
          at: fc.nat({ max: 1_000 }),
          cut: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 4 }) }),
          piece: fc.constantFrom(...pieces),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ origin, prefix, path, edits }) =>
      edits.reduce((text, { at, cut, piece }) => {
        const start = at % (text.length + 1)
        return text.slice(0, start) + piece + text.slice(start + cut)
      }, `${origin}${prefix}${path}`),
    )

const names = [
  ...['Impersonate-User', 'Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-Scopes', 'X-Remote-User'],
  ...['X-Remote-Group', 'X-User', 'X-Group', 'X-Auth-Request-User', 'X-Auth-Request-Groups', 'X-Forwarded-User'],
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Original-Url', 'X-Rewrite-Url', 'X-Http-Method-Override', 'Forwarded'],
  ...['Proxy-Authorization', 'Audit-Id', 'Accept', 'Accept-Encoding', 'If-None-Match', 'Content-Length', 'Origin'],
  ...['Content-Type', 'Transfer-Encoding', 'Upgrade', 'Expect', 'Te', 'Trailer', 'Range', 'Host', 'Sec-Fetch-Site'],
  ...['X-Requested-With', 'Sec-WebSocket-Protocol'],
]
const values = [
  ...['root', 'system:masters', 'a,b', '0', '5', 'chunked', 'identity', 'websocket', 'h2c', '*/*', 'text/plain', ''],
  ...['http://evil.example', 'evil.example', 'same-origin', 'slipway', '\u00e9', 'a\tb', 'application/json', '/admin'],
  'base64url.bearer.authorization.k8s.io.bWluZQ',
]
const header = fc
  .record({
    name: fc.constantFrom(...names),
    value: fc.constantFrom(...values),
    spell: fc.oneof(
      { weight: 6, arbitrary: fc.constant((name: string) => name) },
      { weight: 2, arbitrary: fc.constant((name: string) => name.toUpperCase()) },
      { weight: 1, arbitrary: fc.constant((name: string) => name.replaceAll('-', '_')) },
    ),
  })
  .map(({ name, value, spell }): [string, string] => [spell(name), value])
const requestOn = (bases: readonly string[], from: readonly string[] = prefixes) =>
  fc.record({
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant('GET') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('POST', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'get', 'PROPFIND'),
      },
    ),
    target: targetOn(bases, from),
    headers: fc.array(header, { maxLength: 4 }),
    connection: fc.constantFrom<string>(
      'close',
      'close',
      'close',
      'close, impersonate-user, authorization, cookie',
      'close, upgrade',
    ),
  })
type Request = ReturnType<typeof requestOn> extends fc.Arbitrary<infer R> ? R : never

/** Sends a request until the response, as far as it has been received, is enough; an interrupted one counts too. */
function exchange(
  { method, target, headers, connection }: Request,
  index: number,
  isEnough: (response: string) => boolean,
): Promise<string> {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${gateway.host}`,
    `Cookie: ${cookie}`,
    `User-Agent: fuzz-${index}`,
    `Connection: ${connection}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (isEnough(text)) socket.destroy()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve(text) : reject(error)))
  })
}

/** The status of the response, if it has arrived. */
function statusOf(response: string): number | undefined {
  const code = /^(?:HTTP\/1\.1 100 [^\r]*\r\n\r\n)?HTTP\/1\.1 ([2-5]\d\d)/.exec(response)?.[1]
  return code === undefined ? undefined : Number(code)
}

/** Sends the requests, some of them at a time. */
async function exchangeAll(requests: readonly Request[], isEnough: (response: string) => boolean): Promise<string[]> {
  const responses: string[] = []
  const queue = requests.entries()
  const worker = async () => {
    for (const [index, each] of queue) responses[index] = await exchange(each, index, isEnough)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return responses
}

/** Headers allowed next to the identity, since the browser may choose them. */
const free = new Set([
  ...['host', 'connection', 'accept', 'accept-encoding', 'user-agent', 'if-none-match', 'content-type'],
  ...['content-length', 'transfer-encoding'],
])
const identityOf = ({ headers }: Seen) =>
  headers.filter(([name]) => !free.has(name)).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
const impersonating = (token: string) => [
  ['audit-id', expect.any(String)],
  ['authorization', `Bearer ${token}`],
  ['impersonate-group', 'team-a'],
  ['impersonate-group', 'system:authenticated'],
  ['impersonate-user', ada.user],
]

/** Guarantees for each upstream: the paths and the token that it gets, and the prefix that routes to it. */
const promises = () => [
  { echo: gateway.upstream, prefix: '/api/k8s', path: /^\/(api|apis|openapi|version)(\/|\?|$)/, token: gatewayToken },
  {
    echo: results,
    prefix: '/api/k8s/plugins/tekton-results',
    path: /^\/apis\/results\.tekton\.dev\/v1alpha2\/parents\//,
    token: resultsToken,
  },
  { echo: archive, prefix: '/api/k8s/plugins/kubearchive', path: /^\/(livez|api|apis)(\/|\?|$)/, token: archiveToken },
  { echo: views, prefix: '/api/k8s/plugins/views', path: /^\/livez\/?(\?|$)/, token: viewsToken },
]
const indexOf = ({ headers }: Seen) => {
  const agent = headers.find(([name]) => name === 'user-agent')?.[1] ?? ''
  return agent.startsWith('fuzz-') ? Number(agent.slice('fuzz-'.length)) : undefined
}
const hasDotSegment = (path: string) =>
  (path.split('?', 1)[0] ?? '').split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
/** The target as parsed: any number of spaces around a target count as one. */
const targetOf = ({ target }: { target: string }): string => target.replace(/^ +| +$/g, '')
/** The gateway removes the mask; the rest of the query stays unchanged. */
function withoutMask(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0) return target
  const pairs = target.slice(mark + 1).split('&')
  const others = pairs.filter((pair) => !pair.startsWith('fieldMask='))
  if (others.length === pairs.length) return target
  return target.slice(0, mark) + (others.length > 0 ? `?${others.join('&')}` : '')
}

it(`rejects each of ${cases} odd requests, or forwards it unchanged with only the session's identity`, async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 15)
  const requests = fc.sample(requestOn(paths), { numRuns: cases, seed })
  const responses = await exchangeAll(requests, (response) => statusOf(response) !== undefined)
  const codes = responses.map(statusOf)

  const passed = new Set<number>()
  const wrong: unknown[] = []
  for (const { echo, prefix, path, token } of promises()) {
    for (const seen of echo.seen) {
      const index = indexOf(seen)
      if (index === undefined) continue // The gateway's own probe of a plugin.
      const sent = requests[index]
      const isKept = withoutMask(`${prefix}${seen.target}`) === withoutMask(sent ? targetOf(sent) : '')
      if (passed.has(index) || !isKept || !path.test(seen.target) || hasDotSegment(seen.target))
        wrong.push([sent, seen])
      expect(identityOf(seen), `seed ${seed}, request ${index}`).toEqual(impersonating(token))
      passed.add(index)
    }
  }
  for (const seen of lister.seen) {
    if (seen.target !== '/api/v1/namespaces' || seen.method !== 'GET') wrong.push(seen)
    expect(identityOf(seen), `seed ${seed}`).toEqual([
      ['audit-id', expect.any(String)],
      ['x-group', 'team-a'],
      ['x-group', 'system:authenticated'],
      ['x-user', ada.user],
    ])
  }
  // Requests that no upstream saw were rejected, unless the gateway responds to them itself.
  for (const [index, sent] of requests.entries()) {
    const code = codes[index]
    if (passed.has(index) || code === undefined || code >= 400) continue
    const target = targetOf(sent)
    if (!/^\/api\/k8s\/api\/v1\/namespaces\/?(\?|$)/.test(target) && /k8s/.test(target)) wrong.push([sent, code])
  }
  expect(wrong, `seed ${seed}`).toEqual([])
  // Makes sure that the requests covered something.
  expect(passed.size, `seed ${seed}`).toBeGreaterThan(cases / 50)
  expect(lister.seen.length, `seed ${seed}`).toBeGreaterThan(10)
  expect(codes.filter((code) => code === 400).length, `seed ${seed}`).toBeGreaterThan(cases / 50)
})

const secretPaths = [
  '/api/v1/secrets',
  '/api/v1/watch/secrets',
  '/api/v1/namespaces/a/secrets',
  '/api/v1/namespaces/a/secrets/b',
  '/api/v1/watch/namespaces/a/secrets/b',
  '/apis/tekton.dev/v1/namespaces/a/pipelineruns',
]
const sentinel = 'sentinel-secret-value'
const secret = { kind: 'Secret', metadata: { name: 'b' }, data: { password: sentinel }, stringData: { text: sentinel } }
let served = 0
/** Secrets as an upstream serves them that reads paths as leniently as any program might. */
const serveSecrets: RequestHandler = (request, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2)
  const normal = new URL(
    decoded(decoded(path))
      .replace(/;[^/]*/g, '')
      .replace(/\/{2,}/g, '/'),
    'http://a',
  ).pathname
  if (!/^\/api\/[^/]+\/(?:watch\/)?(?:namespaces\/[^/]+\/)?secrets(?:\/|$)/i.test(normal)) {
    return json({ kind: 'Status' })(request, response, '')
  }
  served++
  const isJson = /json|\*/.test(request.headers.accept ?? '*')
  const isEvent = /watch/.test(query) || /\/watch\//.test(normal)
  response.writeHead(200, { 'content-type': isJson ? 'application/json' : 'application/yaml' })
  response.end(JSON.stringify(isEvent ? { type: 'ADDED', object: secret } : { items: [secret], ...secret }))
}
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

it(`passes no value of a Secret in the responses to ${cases} odd requests`, async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 16)
  const upstreams = [gateway.upstream, archive]
  for (const each of upstreams) {
    each.respond = serveSecrets
    each.rejectSockets = { status: 200, body: JSON.stringify(secret) }
  }
  const requests = fc.sample(requestOn(secretPaths), { numRuns: cases, seed })
  // Every connection is to be closed after the response, except those for websockets that stay open.
  const responses = await exchangeAll(requests, (response) => response.startsWith('HTTP/1.1 101'))
  const leaks = responses.flatMap((response, index) =>
    response.includes(sentinel) ? [[requests[index], response]] : [],
  )
  expect(leaks, `seed ${seed}`).toEqual([])
  // Makes sure that the requests covered something.
  expect(served, `seed ${seed}`).toBeGreaterThan(cases / 50)
  expect(responses.filter((response) => /"password":""/.test(response)).length, `seed ${seed}`).toBeGreaterThan(100)
})

const socketPrefixes = ['/wss/k8s/plugins/views', '/wss/k8s', '/wss/k8s/plugins/kubearchive', '/api/k8s/plugins/views']
const socketPaths = ['/v1/socket', '/v1/socket?a=b', '/api/v1/namespaces/a/pods', '/livez', '/metrics']
/** With what makes a request a handshake, unless the request itself says otherwise. */
const handshakes = () =>
  requestOn(socketPaths, socketPrefixes).map((request): Request => {
    const handshake: [string, string][] = [
      ['Origin', gateway.origin],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ]
    const own = new Set(request.headers.map(([name]) => name.toLowerCase()))
    const headers = [...request.headers, ...handshake.filter(([name]) => !own.has(name.toLowerCase()))]
    return { ...request, headers, connection: request.connection.replace('close', 'upgrade') }
  })
const ofHandshake = new Set(['upgrade', 'origin'])

it(`rejects each of ${cases} odd handshakes, or opens a websocket with only the session's identity`, async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 17)
  const requests = fc.sample(handshakes(), { numRuns: cases, seed })
  // Those that are not handshakes after all may leave their connection open.
  const responses = await exchangeAll(requests, (response) => statusOf(response) !== undefined || isUpgraded(response))

  const opened = { views: 0, cluster: 0 }
  const promised = [
    { echo: views, prefix: '/wss/k8s/plugins/views', path: /^\/v1\/socket\/?(\?|$)/, token: viewsToken, name: 'views' },
    {
      echo: gateway.upstream,
      prefix: '/wss/k8s',
      path: /^\/(api|apis|openapi|version)(\/|\?|$)/,
      token: gatewayToken,
      name: 'cluster',
    },
  ] as const
  for (const { echo, prefix, path, token, name } of promised) {
    for (const seen of echo.seen) {
      const index = indexOf(seen)
      if (index === undefined || !seen.headers.some(([header]) => header === 'upgrade')) continue
      const sent = requests[index]
      const from = `seed ${seed}, request ${index}: ${JSON.stringify(sent)}`
      expect(withoutMask(`${prefix}${seen.target}`), from).toBe(withoutMask(asUrl(sent ? targetOf(sent) : '')))
      expect(seen.target, from).toMatch(path)
      expect(hasDotSegment(seen.target), from).toBe(false)
      const identity = identityOf(seen).filter(
        ([header]) => !ofHandshake.has(header) && !header.startsWith('sec-websocket-'),
      )
      expect(identity, from).toEqual(impersonating(token))
      opened[name]++
    }
  }
  for (const echo of [results, archive, lister]) {
    expect(echo.seen.filter(({ headers }) => headers.some(([header]) => header === 'upgrade'))).toEqual([])
  }
  // Makes sure that the handshakes covered something.
  expect(opened.views, `seed ${seed}`).toBeGreaterThan(cases / 200)
  expect(opened.cluster, `seed ${seed}`).toBeGreaterThan(cases / 200)
  expect(responses.filter((response) => statusOf(response) === 400).length, `seed ${seed}`).toBeGreaterThan(cases / 50)
})

const isUpgraded = (response: string): boolean => response.startsWith('HTTP/1.1 101')
/** The target as `ws` sends it: with escapes for some characters that need them in a URL. */
const asUrl = (target: string): string => {
  const { pathname, search } = new URL(target, 'http://a')
  return `${pathname}${search}`
}
