import { expect, it, test } from 'vitest'
import { retryingFetch } from './retry-after'
import { manualClock } from './testing'

const respondWith = (...given: [status: number, retryAfter?: string][]) => {
  const bodies: unknown[] = []
  const send: typeof fetch = async (_input, init) => {
    bodies.push(init?.body)
    const [status, retryAfter] = given.shift() ?? [200]
    return new Response('', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })
  }
  return { send, bodies }
}

test.each<[string, [number, string?], number]>([
  ['too many requests', [429, '1'], 1_000],
  ['temporarily unavailable', [503, '2'], 2_000],
  ['a wait longer than the maximum', [429, '9999'], 30_000],
])('the request is resent after the wait that the server requests: %s', async (_, answer, waitMs) => {
  const { send, bodies } = respondWith(answer, [201])
  const clock = manualClock()
  const response = retryingFetch(send, clock)('http://cluster.test/a', { method: 'POST', body: 'text' })
  await clock.advance(waitMs - 1)
  expect(bodies).toEqual(['text'])
  await clock.advance(1)
  expect((await response).status).toBe(201)
  expect(bodies).toEqual(['text', 'text'])
})

test.each<[string, [number, string?]]>([
  ['success', [200]],
  ['429 without a time', [429]],
  ['429 with a date', [429, 'Wed, 21 Oct 2026 07:28:00 GMT']],
  ['503 without a time', [503]],
  ['another failure with a time', [500, '1']],
])('%s is final', async (_, answer) => {
  const { send, bodies } = respondWith(answer)
  expect((await retryingFetch(send, manualClock())('http://cluster.test/a')).status).toBe(answer[0])
  expect(bodies).toHaveLength(1)
})

it('gives up after ten retries and returns the last response', async () => {
  const { send, bodies } = respondWith(...Array.from({ length: 20 }, (): [number, string] => [429, '1']))
  const clock = manualClock()
  const response = retryingFetch(send, clock)('http://cluster.test/a')
  await clock.advance(60_000)
  expect((await response).status).toBe(429)
  expect(bodies).toHaveLength(11)
})

it('stops waiting when the caller aborts and leaves no timer behind', async () => {
  const { send } = respondWith([429, '5'])
  const clock = manualClock()
  const stop = new AbortController()
  const response = retryingFetch(send, clock)('http://cluster.test/a', { signal: stop.signal })
  await clock.advance(1_000)
  stop.abort(new Error('no longer wanted'))
  await expect(response).rejects.toThrow('no longer wanted')
  expect(clock.pending).toBe(0)
})
