import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signIn, startListeningGateway, type ListeningGateway } from '../../test/gateway-under-test'

const pods = '/api/k8s/api/v1/namespaces/a/pods'
const masked = `${pods}?fieldMask=metadata.name&fieldMask=data`
const mebibyte = 1024 * 1024
const item = Buffer.from(`{"metadata":{"name":"p"},"data":"${'x'.repeat(32 * 1024)}"},`)

let gateway: ListeningGateway
let cookie: string
/** The upstream's open responses. */
let upstream: ServerResponse[]
/** Bytes that the upstream could write so far. */
let written: number
beforeEach(async () => {
  gateway = await startListeningGateway()
  cookie = await signIn(gateway.app)
  upstream = []
  written = 0
})
afterEach(() => gateway.close())

/** Lets the upstream respond with a list of this size, as fast as it is read. */
function respondWithList(bytes: number): void {
  gateway.upstream.respond = (_request, response) => {
    upstream.push(response)
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"kind":"PodList","items":[')
    let left = Math.ceil(bytes / item.length)
    const write = (): void => {
      for (; left > 0; left--) {
        const isAccepted = response.write(item, () => (written += item.length))
        if (!isAccepted) return void (left--, response.once('drain', write))
      }
      response.end('{}]}')
    }
    write()
  }
}

/** On a connection of its own. */
const open = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { host: gateway.host, cookie }
    get({ agent: false, host: '127.0.0.1', port: gateway.port, path, headers }, resolve).on('error', reject)
  })

/** Resolves when nothing moves any more, since all buffers on the way are full. */
async function allBlocked(): Promise<void> {
  for (let before = -1, still = 0; still < 200;) {
    await new Promise((resolve) => setImmediate(resolve))
    still = written === before ? still + 1 : 0
    before = written
  }
}

describe('a response that its client does not read', () => {
  it.each([
    ['as it is', pods],
    ['filtered', masked],
  ])('is cut after a minute, and its call at the upstream too: %s', async (_, target) => {
    respondWithList(64 * mebibyte)
    const response = await open(target)
    await allBlocked()
    const cut = once(upstream[0] as ServerResponse, 'close')
    response.on('error', () => {})
    await gateway.clock.advance(59_000)
    expect(upstream[0]?.destroyed).toBe(false)
    await gateway.clock.advance(1_000)
    await cut
    expect(written).toBeLessThan(64 * mebibyte)
  })

  it('goes on as long as the client reads some of it every minute', async () => {
    respondWithList(64 * mebibyte)
    const response = await open(pods)
    // A fast machine reads the rest before the last round has noticed.
    const ended = once(response, 'end')
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    for (let round = 1; round <= 3; round++) {
      response.pause()
      await allBlocked()
      await gateway.clock.advance(59_000)
      const [read, before] = [bytes, written]
      response.resume()
      // More than the sockets hold.
      await expect.poll(() => written > before && bytes - read > 8 * mebibyte).toBe(true)
    }
    await ended
    expect(bytes).toBeGreaterThan(64 * mebibyte)
  })

  it('goes on if there is nothing to read', async () => {
    gateway.upstream.respond = (_request, response) => {
      upstream.push(response)
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    }
    const response = await open(`${pods}?watch=true`)
    await gateway.clock.advance(10 * 60_000)
    upstream[0]?.end('{"type":"ADDED"}\n')
    expect(String((await once(response, 'data'))[0])).toBe('{"type":"ADDED"}\n')
  })
})

it.each([
  ['as they are', pods],
  ['filtered', masked],
])('twenty clients that do not read lists of 40 MB cost less than 50 MiB of memory: %s', async (_, target) => {
  respondWithList(40e6)
  const sizeOf = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = sizeOf()
  const responses = await Promise.all(Array.from({ length: 20 }, () => open(target)))
  await allBlocked()
  // With the buffers of this process's clients and of its upstream.
  expect(sizeOf() - before).toBeLessThan(50 * mebibyte)
  for (const response of responses) response.on('error', () => {}).destroy()
})
