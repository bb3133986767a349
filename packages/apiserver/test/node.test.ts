import { EventEmitter, once } from 'node:events'
import { request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { request as plainRequest, type IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen, type Listener, type ListenOptions } from '../src/node/listen'
import { memoryStorage } from '../src/storage/memory'
import { apiOf } from './api-client'

const certificate = selfSignedCertificate(['127.0.0.1', 'localhost'], new Date())
let server: ApiServer
let listener: Listener
beforeEach(async () => {
  server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (token) => (token === 't' ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  listener = await listen(server, { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await listener.close()
  await server.close()
})

/** Serves the same API server on another port. */
async function listenAgain(options: Partial<ListenOptions>, handler: Pick<ApiServer, 'fetch'> = server) {
  await listener.close()
  listener = await listen(handler, { host: '127.0.0.1', port: 0, ...options })
}

/** Sends this on a new connection, and collects everything received until it closes. */
async function send(text: string) {
  const socket = connect(listener.port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (piece) => (received += String(piece))).on('error', () => undefined)
  // Not `once`, which fails if the connection is reset.
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(received)))
  await once(socket, 'connect')
  socket.write(text)
  return { socket, ended }
}

it('a TLS port speaks plain HTTP only if allowed', async () => {
  await listenAgain({ certificate })
  expect(listener.url).toMatch(/^https:/)
  const { ended } = await send('GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n')
  expect(await ended).toBe('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n')
  await listenAgain({ certificate, plainHttp: true })
  expect((await fetch(`http://127.0.0.1:${listener.port}/version`)).status).toBe(200)
})

it('a port with a certificate speaks TLS, and clients accept its certificate', async () => {
  await listenAgain({ certificate })
  for (const host of ['127.0.0.1', 'localhost']) {
    const outgoing = secureRequest({
      host: '127.0.0.1',
      port: listener.port,
      path: '/version',
      ca: certificate.cert,
      servername: host === 'localhost' ? host : '',
    })
    outgoing.end()
    // `once` resolves to the arguments of the event.
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(200)
  }
})

it('the response for an object has a content length in bytes', async () => {
  const path = `${listener.url}/api/v1/namespaces/default/configmaps`
  const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }
  const body = JSON.stringify({ metadata: { name: 'names' }, data: { name: 'Zoë 🚢' } })
  for (const response of [
    await fetch(path, { method: 'POST', headers, body }),
    await fetch(`${path}/names`, { headers }),
    await fetch(`${path}/missing`, { headers }),
  ]) {
    const length = (await response.arrayBuffer()).byteLength
    expect(response.headers.get('content-length')).toBe(String(length))
  }
})

it('a connection with an unread request body serves the next request', async () => {
  const { call } = apiOf({ url: listener.url, token: 'wrong' })
  const big = { body: 'x'.repeat(2_000_000) }
  expect((await call('POST', '/api/v1/namespaces', big)).code).toBe(401)
  expect((await call('GET', '/version')).code).toBe(401)
})

it('closing a listener ends watches, websockets and idle connections', async () => {
  const api = apiOf({ url: listener.url, token: 't' })
  const events = await api.watch('/api/v1/pods?watch=true')
  const socket = await api.socket('/api/v1/pods?watch=true')
  const silent = connect(listener.port, '127.0.0.1')
  await once(silent, 'connect')
  const startedMs = performance.now()
  const ended = [events.next().catch(() => undefined), socket.next(), once(silent, 'close')]
  await listener.close()
  await Promise.all(ended)
  // Sooner than the limits on idle connections, but late enough for a busy machine.
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})

const maps = '/api/v1/namespaces/default/configmaps'
const aMap = (name: string, data: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { data },
})

it.each(['plain HTTP', 'TLS'])('a watch queues events while its client pauses, over %s', async (protocol) => {
  if (protocol === 'TLS') await listenAgain({ certificate, plainHttp: true })
  const options = { headers: { authorization: 'Bearer t' }, ca: certificate.cert }
  const request = protocol === 'TLS' ? secureRequest : plainRequest
  const outgoing = request(`${listener.url}${maps}?watch=true&resourceVersion=1`, options).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  // The test aborts it at the end.
  for (const part of [outgoing, incoming]) part.on('error', () => undefined)
  const api = apiOf({ url: listener.url.replace('https:', 'http:'), token: 't' })
  // More than fits into the buffers between server and client.
  const names = Array.from({ length: 60 }, (_, index) => `map-${index}`)
  for (const name of names) await api.post(maps, aMap(name, 'x'.repeat(200_000)))
  let text = ''
  incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const lines = () => text.split('\n').slice(0, -1)
  await vi.waitFor(() => expect(lines()).toHaveLength(names.length))
  const received = lines().map((line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object) // Events.
  expect(received.map(({ metadata }) => metadata.name)).toEqual(names)
  outgoing.destroy()
})

it.each(['HTTP', 'websocket'])(
  'a watch that resumes from before many changes receives each of them, over %s',
  async (by) => {
    const api = apiOf({ url: listener.url, token: 't' })
    const names = Array.from({ length: 100 }, (_, index) => `map-${index}`)
    for (const name of names) await api.post(maps, aMap(name, 'ü'.repeat(5_000)))
    const path = `${maps}?watch=true&resourceVersion=1`
    // The second watch sends what was encoded for the first one.
    for (let count = 0; count < 2; count++) {
      const events = await (by === 'HTTP' ? api.watch(path) : api.socket(path))
      expect(await events.take(names.length)).toEqual(names.map((name) => `ADDED ${name}`))
      events.close()
    }
  },
)

it('a watch over HTTP/1.0 is not chunked', async () => {
  const { socket, ended } = await send(`GET ${maps}?watch=true HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer t\r\n\r\n`)
  const api = apiOf({ url: listener.url, token: 't' })
  await once(socket, 'data')
  const received = once(socket, 'data')
  await api.post(maps, aMap('a', ''))
  await received
  await listener.close()
  const [, body = ''] = (await ended).split('\r\n\r\n')
  expect(JSON.parse(body)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } })
})

describe('a slow client', () => {
  const limits = { headersMs: 200, bodyMs: 30_000, bodyBytes: 1_000, unreadMs: 200 }
  const helloStart = '\x16\x03\x01\x02\x00\x01'

  it.each([
    ['that sends nothing', '', ''],
    ['that stops in the middle of the headers', 'GET / HTTP/1.1\r\nHost:', ''],
    ['that sends the headers very slowly', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'x'],
    ['that stops in the middle of the TLS handshake', helloStart, ''],
    ['that sends the TLS handshake very slowly', helloStart, '\x00'],
  ])('%s is cut off', async (_, start, drip) => {
    await listenAgain({ certificate, plainHttp: true, limits })
    const { socket, ended } = await send(start)
    const dripping = setInterval(() => drip && socket.writable && socket.write(drip, 'latin1'), 20)
    await ended
    clearInterval(dripping)
  })

  it.each([
    ['plain HTTP', {}],
    ['plain HTTP beside TLS', { certificate, plainHttp: true }],
  ])('does not affect a watch that is older than every limit, on a port with %s', async (_, port) => {
    await listenAgain({ ...port, limits: { ...limits, headersMs: 1_000 } })
    const api = apiOf({ url: listener.url.replace('https:', 'http:'), token: 't' })
    const events = await api.watch('/api/v1/namespaces?watch=true')
    await (
      await send('GET / HTTP/1.1\r\n')
    ).ended
    await (
      await send('GET / HTTP/1.1\r\n')
    ).ended
    await api.post('/api/v1/namespaces', { metadata: { name: 'late' } })
    for (;;) if ((await events.next()).object.metadata.name === 'late') break
  })

  describe('that uploads', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

    /** Starts an upload to a server that counts the bytes it reads. */
    async function upload() {
      let bytes = 0
      const reads = new EventEmitter()
      await listenAgain(
        { limits },
        {
          async fetch(request) {
            reads.emit('read')
            for await (const chunk of request.body ?? []) {
              bytes += chunk.length
              reads.emit('read')
            }
            return new Response(`read ${bytes}`)
          },
        },
      )
      const begun = once(reads, 'read')
      const { socket, ended } = await send('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n')
      await begun
      const hasRead = async (count: number) => {
        while (bytes < count) await once(reads, 'read')
      }
      return { socket, ended, hasRead }
    }

    it('a kilobyte every 30 seconds for 30 minutes is served', async () => {
      const { socket, ended, hasRead } = await upload()
      for (let piece = 1; piece <= 60; piece++) {
        socket.write('x'.repeat(1_000))
        await hasRead(piece * 1_000)
        vi.advanceTimersByTime(limits.bodyMs)
        await new Promise((resolve) => setImmediate(resolve))
      }
      socket.end()
      expect(await ended).toMatch(/^HTTP\/1.1 200 OK[^]*read 60000/)
    })

    it.each([
      ['from the start', 0],
      ['after some fast enough periods', 3],
    ])('a byte every 30 seconds is rejected and cut off: %s', async (_, pieces) => {
      const { socket, ended, hasRead } = await upload()
      for (let piece = 1; piece <= pieces; piece++) {
        socket.write('x'.repeat(1_000))
        await hasRead(piece * 1_000)
        vi.advanceTimersByTime(limits.bodyMs)
        await new Promise((resolve) => setImmediate(resolve))
      }
      socket.write('x')
      await hasRead(pieces * 1_000 + 1)
      vi.advanceTimersByTime(limits.bodyMs)
      expect(await ended).toMatch(/^HTTP\/1.1 408 Request Timeout[^]*"reason":"Timeout"/)
    })
  })

  it('that never reads is cut off, and its response is canceled', async () => {
    let giveUp = () => {}
    const givenUp = new Promise<void>((resolve) => (giveUp = resolve))
    await listenAgain(
      { limits },
      {
        fetch: async () =>
          new Response(
            new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)), cancel: giveUp }),
          ),
      },
    )
    const socket: Socket = connect(listener.port, '127.0.0.1').pause()
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await givenUp
    socket.destroy()
  })
})

describe('a websocket that is never read is cut off, and its response is canceled', () => {
  it.each([
    ['a watch', '/api/v1/pods?watch=true'],
    ['a log', '/api/v1/namespaces/default/pods/p/log'],
  ])('%s', async (_, path) => {
    let giveUp = () => {}
    const givenUp = new Promise<void>((resolve) => (giveUp = resolve))
    const line = new TextEncoder().encode(`${'x'.repeat(64 * 1024)}\n`)
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => controller.enqueue(line)
    await listenAgain(
      { limits: { headersMs: 200, bodyMs: 30_000, bodyBytes: 1_000, unreadMs: 200 } },
      { fetch: async () => new Response(new ReadableStream({ pull, cancel: giveUp })) },
    )
    const socket: Socket = connect(listener.port, '127.0.0.1').pause()
    const head = [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      'Origin: http://x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    socket.on('error', () => undefined).write(`${head.join('\r\n')}\r\n\r\n`)
    await givenUp
    socket.destroy()
  })
})

describe('an invalid request', () => {
  it.each([
    ['TRACE / HTTP/1.1', 405, 'MethodNotAllowed'],
    ['CONNECT x:443 HTTP/1.1', 405, 'MethodNotAllowed'],
    ['GET /version HTTP/2.0', 505, 'BadRequest'],
    ['GET /version HTTP/0.9', 505, 'BadRequest'],
    ['garbage', 400, 'BadRequest'],
  ])('%s is rejected with %i', async (line, code, reason) => {
    const { ended } = await send(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const [head = '', body = ''] = (await ended).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${code} `))
    expect(JSON.parse(/\{.*\}/.exec(body)?.[0] ?? '')).toMatchObject({ kind: 'Status', code, reason })
  })

  it('after another request is rejected after the response to that', async () => {
    let respond = () => {}
    const called = new EventEmitter()
    await listenAgain(
      {},
      {
        fetch: () =>
          new Promise((resolve) => {
            respond = () => resolve(new Response('{}'))
            called.emit('call')
          }),
      },
    )
    const call = once(called, 'call')
    const { ended } = await send('GET /version HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n')
    await call
    // By then the invalid request has been read too, and would have been rejected.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    respond()
    expect((await ended).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })
})
