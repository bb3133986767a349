import { manualClock } from '@slipway/kube/testing'
import { ApiError } from '@slipway/kube/status'
import { expect, it, test, vi } from 'vitest'
import { DisconnectedError } from '../live/connectivity'
import { isRetryableFailure, retrying } from './retrying'

const error = (code: number, { reason = '', message = 'm' } = {}) => new ApiError({ code, reason, message, url: '/x' })

test.each<[string, unknown, boolean]>([
  ['503', error(503), true],
  ['500', error(500), true],
  ['429', error(429), true],
  ['504', error(504), true],
  ['a lost network', error(0), true],
  ["the console's own time-out", error(408, { reason: 'Timeout' }), true],
  ['a time-out as a reason', error(400, { reason: 'ServerTimeout' }), true],
  ['a time-out as a message', error(422, { message: 'failed calling webhook: Timeout exceeded' }), true],
  ['a message that says timed out', error(400, { message: 'the call timed out' }), true],
  ['a browser that is offline', new DisconnectedError('You have been offline.'), true],
  ['403', error(403), false],
  ['404', error(404), false],
  ['409', error(409), false],
  ['422', error(422), false],
  ['a programming error', new TypeError('x is undefined'), false],
])('CALL-39, CALL-40, CALL-44 %s', (_, failure, isRetried) => expect(isRetryableFailure(failure)).toBe(isRetried))

it('CALL-41, CALL-42 retries three times, after 500, 1000 and 2000 ms, and then raises the failure', async () => {
  const clock = manualClock()
  const startMs = clock.now()
  const times: number[] = []
  const attempt = () => {
    times.push(clock.now() - startMs)
    return Promise.reject(error(503))
  }
  const failing = expect(retrying(attempt, { clock })).rejects.toMatchObject({ code: 503 })
  await clock.advance(60_000)
  await failing
  expect(times).toEqual([0, 500, 1_500, 3_500])
})

it('waits as long as the server asks for', async () => {
  const clock = manualClock()
  const attempt = vi.fn(() => Promise.reject(new ApiError({ code: 429, message: 'm', url: '/x', retryAfter: '7' })))
  const failing = expect(retrying(attempt, { clock })).rejects.toMatchObject({ code: 429 })
  await clock.advance(6_999)
  expect(attempt).toHaveBeenCalledTimes(1)
  await clock.advance(1)
  expect(attempt).toHaveBeenCalledTimes(2)
  await clock.advance(14_000)
  await failing
})
