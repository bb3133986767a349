import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { WebSocket } from 'ws'
import { json } from '@slipway/connect/testing'
import { signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'
import { openRaw } from '../../test/raw-request'
import { acceptedEncoding } from './compression'

const pods = '/api/k8s/api/v1/namespaces/a/pods'
const large = {
  items: Array.from({ length: 100 }, (_, index) => ({ kind: 'Pod', metadata: { name: `pod-${index}` } })),
}

let gateway: ListeningGateway
let cookie: string
beforeEach(async () => {
  gateway = await startListeningGateway()
  cookie = await signIn(gateway.app)
})
afterEach(() => gateway.close())

test.each<[string | undefined, ReturnType<typeof acceptedEncoding>, ReturnType<typeof acceptedEncoding>]>([
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['gzip, deflate, br, zstd', 'br', 'gzip'],
  ['GZIP', 'gzip', 'gzip'],
  ['br', 'br', 'br'],
  ['br;q=0.5, gzip', 'gzip', 'gzip'],
  ['gzip;q=0.2, br;q=0.4', 'br', 'br'],
  ['gzip;q=0, br;q=0.0', undefined, undefined],
  ['*', 'br', 'gzip'],
  ['*;q=0.1, br;q=0', 'gzip', 'gzip'],
  ['identity', undefined, undefined],
  ['identity, gzip;q=0.5', undefined, undefined],
  ['identity;q=0.5, gzip', 'gzip', 'gzip'],
  ['gzip;q=2, br;q=x', undefined, undefined],
  ['deflate, zstd', undefined, undefined],
  [' gzip ; Q=0.3 ', 'gzip', 'gzip'],
])('with Accept-Encoding %j a response uses %s, and a live one %s', (accept, normal, live) => {
  expect(acceptedEncoding(accept, false)).toBe(normal)
  expect(acceptedEncoding(accept, true)).toBe(live)
})

describe('a response', () => {
  const get = (url: string, headers: Record<string, string>) =>
    gateway.app.inject({ url, headers: { host: gateway.host, cookie, ...headers } })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s and has the matching headers', async (encoding, decompress) => {
    gateway.upstream.respond = json(large, 200, { etag: '"1"', 'content-length': String(JSON.stringify(large).length) })
    const response = await get(pods, { 'accept-encoding': encoding, 'if-none-match': 'W/"0"' })
    expect(response.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding', etag: 'W/"1"' })
    expect(response.headers).not.toHaveProperty('content-length')
    expect(response.rawPayload.length).toBeLessThan(1_000)
    expect(JSON.parse(decompress(response.rawPayload).toString())).toEqual(large)
    const [seen] = gateway.upstream.seen
    expect(new Map(seen?.headers).get('accept-encoding')).toBe('identity')
    expect(new Map(seen?.headers).get('if-none-match')).toBe('"0"')
  })

  const plain = { 'content-type': 'application/octet-stream' }
  test.each<[string, string, Record<string, string>, number, Record<string, string>]>([
    ['to a client that accepts no encoding', pods, { 'accept-encoding': 'identity' }, 200, {}],
    ['of a binary type', pods, { 'accept-encoding': 'br' }, 200, plain],
    ['that is already encoded', pods, { 'accept-encoding': 'br' }, 200, { 'content-encoding': 'zstd' }],
  ])('a response %s is not compressed', async (_, url, headers, status, sent) => {
    gateway.upstream.respond = json(large, status, { etag: '"1"', ...sent })
    const response = await get(url, headers)
    expect(response.headers['content-encoding']).toBe(sent['content-encoding'])
    expect(response.headers.etag).toBe('"1"')
    expect(response.body).toBe(JSON.stringify(large))
  })

  it('a small response is not compressed', async () => {
    const body = JSON.stringify({ kind: 'Status' })
    gateway.upstream.respond = json({ kind: 'Status' }, 404, { 'content-length': String(body.length) })
    const response = await get(pods, { 'accept-encoding': 'br' })
    expect(response.headers).toMatchObject({ 'content-length': String(body.length), vary: 'Accept-Encoding' })
    expect(response.headers).not.toHaveProperty('content-encoding')
    expect(response.body).toBe(body)
  })

  test.each([[204], [304]])('a %i response stays without a body', async (status) => {
    gateway.upstream.respond = (_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end()
    const response = await get(pods, { 'accept-encoding': 'br' })
    expect(response.statusCode).toBe(status)
    expect(response.headers).not.toHaveProperty('content-encoding')
  })
})

const openStream = (path: string, encoding: string) =>
  openRaw({
    port: gateway.port,
    target: path,
    headers: [
      ['Host', gateway.host],
      ['Cookie', cookie],
      ['Accept-Encoding', encoding],
    ],
  })

/** Responds with only a head; the test writes the body. */
const held = (type: string) =>
  new Promise<ServerResponse>((resolve) => {
    gateway.upstream.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': type })
      response.flushHeaders()
      resolve(response)
    }
  })

describe('a live response', () => {
  test.each([
    ['events of a watch', `${pods}?watch=true`, 'application/json'],
    ['events of a watch with a mask', `${pods}?watch=1&fieldMask=spec`, 'application/json;stream=watch'],
    ['events of a legacy watch', '/api/k8s/api/v1/watch/pods', 'application/json'],
    ['lines of a log', `${pods}/one/log?follow=true`, 'text/plain'],
  ])('%s are sent at once, and the call ends when the client disconnects', async (_, path, type) => {
    for (const encoding of ['gzip', 'br']) {
      const began = held(type)
      const response = await openStream(path, encoding)
      expect(response.headers['content-encoding']).toBe(encoding)
      expect(response.headers['x-accel-buffering']).toBe('no')
      const upstream = await began
      const text = response.pipe(encoding === 'br' ? createBrotliDecompress() : createGunzip())
      text.on('error', () => {})
      for (let number = 0; number < 5; number++) {
        const line = `{"type":"ADDED","object":{"spec":${number}}}\n`
        upstream.write(line)
        expect(String((await once(text, 'data'))[0])).toBe(line)
      }
      const ended = once(upstream, 'close')
      response.destroy()
      await ended
    }
  })
})

it('a slow reader pauses the upstream, even with a compressor in between', async () => {
  const began = held('text/plain')
  const response = await openStream(`${pods}/one/log`, 'gzip')
  expect(response.headers['x-accel-buffering']).toBeUndefined()
  const upstream = await began
  // Incompressible noise, so that the buffers on the way fill up.
  let seed = 1
  const chunk = Buffer.from(Array.from({ length: 65_536 }, () => (seed = (seed * 48_271) % 2_147_483_647) % 251))
  let accepted = 0
  const chunks = 1_024
  for (let index = 0; index < chunks; index++) upstream.write(chunk, () => accepted++)
  upstream.end()
  for (let before = -1, still = 0; still < 50;) {
    await new Promise((resolve) => setImmediate(resolve))
    still = accepted === before ? still + 1 : 0
    before = accepted
  }
  expect(accepted).toBeLessThan(chunks)
  let bytes = 0
  for await (const piece of response.pipe(createGunzip()) as AsyncIterable<Buffer>) bytes += piece.length
  expect(bytes).toBe(chunks * chunk.length)
})

describe('a websocket', () => {
  const open = (path = '/api/v1/pods?watch=true', perMessageDeflate = true) =>
    new WebSocket(`ws://${gateway.host}/wss/k8s${path}`, {
      headers: { cookie, origin: gateway.origin },
      perMessageDeflate,
    })

  /** Number of bytes on the wire for these frames. */
  async function bytesFor(frames: (string | Buffer)[], socket: WebSocket): Promise<number> {
    gateway.upstream.onSocket = (end) => {
      for (const frame of frames) end.send(frame)
      end.close(1000)
    }
    let connection: { bytesRead: number } | undefined
    socket.on('upgrade', (response) => (connection = response.socket))
    const received: Buffer[] = []
    socket.on('message', (data: Buffer) => received.push(data))
    await once(socket, 'close')
    expect(received).toEqual(frames.map((frame) => Buffer.from(frame)))
    return connection?.bytesRead ?? NaN
  }

  const frame = JSON.stringify({ type: 'MODIFIED', object: large })

  it('a websocket to a browser is compressed with context, and one to the upstream never is', async () => {
    expect(await bytesFor(Array(20).fill(frame), open())).toBeLessThan(frame.length)
    expect(new Map(gateway.upstream.seen[0]?.headers).has('sec-websocket-extensions')).toBe(false)
  })

  test.each<[string, () => WebSocket, string | Buffer]>([
    ['to a client that does not offer compression', () => open(undefined, false), frame],
    ['with binary frames', () => open(), Buffer.from(frame)],
    ['with small frames', () => open(), 'x'.repeat(1_000)],
  ])('a websocket %s is not compressed', async (_, opened, sent) => {
    expect(await bytesFor([sent], opened())).toBeGreaterThan(sent.length)
  })

  it('a websocket above the compressor limit gets uncompressed events until another one closes', async () => {
    await gateway.close()
    gateway = await startListeningGateway({ limits: { compressedSockets: 1 } })
    cookie = await signIn(gateway.app)
    const ends: WebSocket[] = []
    gateway.upstream.onSocket = (end) => ends.push(end)
    const opened = async () => {
      const socket = open()
      let connection: { bytesRead: number } = { bytesRead: 0 }
      socket.on('upgrade', (response) => (connection = response.socket))
      await once(socket, 'open')
      const end = ends.at(-1)
      return {
        leave: async () => {
          socket.close()
          if (end) await once(end, 'close')
        },
        isCompressed: async () => {
          const before = connection.bytesRead
          end?.send(frame)
          await once(socket, 'message')
          return connection.bytesRead - before < frame.length
        },
      }
    }
    const [first, second] = [await opened(), await opened()]
    expect(await first.isCompressed()).toBe(true)
    expect(await second.isCompressed()).toBe(false)
    expect(await first.isCompressed()).toBe(true)
    await first.leave()
    expect(await second.isCompressed()).toBe(true)
  })

  it('a websocket closes with its code while large events are being compressed', async () => {
    const noise = Array.from({ length: 50_000 }, (_, index) => Math.imul(index, 2_654_435_761).toString(36)).join()
    gateway.upstream.onSocket = (end) => {
      for (let index = 0; index < 10; index++) end.send(noise)
    }
    const socket = open()
    await once(socket, 'message')
    gateway.app.closeStreams()
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1001)
  })
})
