import { ApiError } from '@slipway/kube/status'
import { manualClock } from '@slipway/kube/testing'
import { describe, expect, it, test, vi } from 'vitest'
import { BulkError, forEachRetrying, isPassing } from './bulk'

const apiError = (code: number, message = 'no', reason?: string) => new ApiError({ code, message, reason, url: '/' })
const describeItem = (name: string) => name

test.each<[string, unknown, boolean]>([
  ['503', apiError(503), true],
  ['500', apiError(500), true],
  ['429', apiError(429), true],
  ['504', apiError(504), true],
  ['a time-out by its reason', apiError(400, 'no', 'Timeout'), true],
  ['a time-out of the server by its reason', apiError(400, 'no', 'ServerTimeout'), true],
  ['a time-out by its message', new Error('Call to /api timed out after 60000ms.'), true],
  ['a time-out of the client', apiError(408), true],
  ['a Status as it came', { kind: 'Status', code: 503 }, true],
  ['a code as text', { code: '429' }, true],
  ['a response', { status: 504 }, true],
  ['a Status inside', { status: { code: 500 } }, true],
  ['a reason alone', { reason: 'Timeout' }, true],
  ['an error of the platform', new DOMException('The operation took too long', 'TimeoutError'), true],
  ['a message alone', { message: 'request timeout' }, true],
  ['400', apiError(400), false],
  ['403', apiError(403), false],
  ['404', apiError(404), false],
  ['409', apiError(409), false],
  ['a mistake of ours', new TypeError('x is not a function'), false],
  ['nothing at all', undefined, false],
])('%s', (_, error, expected) => expect(isPassing(error)).toBe(expected))

describe('a bulk operation', () => {
  it('tries again after 500, 1000 and 2000 ms, and no more', async () => {
    const clock = manualClock()
    const startMs = clock.now()
    const at: number[] = []
    const done = forEachRetrying(
      ['a'],
      () => {
        at.push(clock.now() - startMs)
        return Promise.reject(apiError(503))
      },
      { describe: describeItem, clock },
    ).catch((error: unknown) => error)
    await clock.advance(60_000)
    expect(await done).toBeInstanceOf(BulkError)
    expect(at).toEqual([0, 500, 1_500, 3_500])
  })

  it('ends well when a later try does', async () => {
    const clock = manualClock()
    const change = vi.fn().mockRejectedValueOnce(apiError(429)).mockResolvedValue(undefined)
    const done = forEachRetrying(['a'], change, { describe: describeItem, clock })
    await clock.advance(500)
    await expect(done).resolves.toBeUndefined()
    expect(change).toHaveBeenCalledTimes(2)
  })

  it('raises the items that failed, and does the others', async () => {
    const done: string[] = []
    const tried: string[] = []
    const change = (item: string) => {
      tried.push(item)
      if (item !== 'b') return Promise.reject(apiError(409, `${item} was changed`))
      done.push(item)
      return Promise.resolve()
    }
    const error = await forEachRetrying(['a', 'b', 'c'], change, { describe: describeItem }).catch(
      (caught: unknown) => caught,
    )
    expect(done).toEqual(['b'])
    expect(tried).toEqual(['a', 'b', 'c'])
    expect(error).toMatchObject({
      message: 'Failed for a, c.',
      failed: [{ item: 'a', error: { code: 409 } }, { item: 'c' }],
    })
  })
})
