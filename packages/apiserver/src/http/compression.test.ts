import { expect, it } from 'vitest'
import { gzipped } from './compression'
import { streamOf } from './text-stream'

const asking = (accepted?: string) =>
  new Request('http://cluster.test/', accepted === undefined ? {} : { headers: { 'accept-encoding': accepted } })
const large = 'ä large response, '.repeat(20_000)

it('a large response is compressed if the client accepts gzip', async () => {
  const headers = { 'content-type': 'application/json', vary: 'Accept' }
  const response = gzipped(asking('br, gzip;q=0.5'), new Response(large, { status: 201, headers }), large.length)
  expect(response.status).toBe(201)
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    vary: 'Accept, Accept-Encoding',
  })
  const gunzip = new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array> // As in gzipped.
  expect(await new Response(response.body?.pipeThrough(gunzip)).text()).toBe(large)
})

it.each([undefined, '', 'identity', 'gzip;q=0', 'br;q=1, deflate'])(
  'a response is not compressed for the Accept-Encoding %j',
  (accepted) => {
    const response = new Response(large)
    expect(gzipped(asking(accepted), response, large.length)).toBe(response)
  },
)

it('small responses and responses without a body are not compressed', () => {
  const small = new Response('small')
  expect(gzipped(asking('gzip'), small, 128 * 1024)).toBe(small)
  const none = new Response(null)
  expect(gzipped(asking('gzip'), none, large.length)).toBe(none)
})

it('streamOf encodes texts as they are read', async () => {
  let made = 0
  function* texts() {
    for (; made < 100; made++) yield 'ü'.repeat(10_000)
  }
  const reader = streamOf(texts()).getReader()
  expect(made).toBe(0)
  await reader.read()
  expect(made).toBeLessThan(20)
  made = 0
  expect(await new Response(streamOf(texts())).text()).toBe('ü'.repeat(1_000_000))
  expect(await new Response(streamOf([][Symbol.iterator]())).text()).toBe('')
})
