import { describe, expect, it } from 'vitest'
import { createPacer, pacedFetch } from './pacing'
import { manualClock } from './testing'

function scene(rate = { burst: 3, perSecond: 10 }) {
  const clock = manualClock()
  const startMs = clock.now()
  const pacer = createPacer(rate, clock)
  /** When each request started, in milliseconds, by its name. */
  const started: [name: string, atMs: number][] = []
  const ask = (name: string, signal?: AbortSignal) =>
    pacer.turn(signal).then(() => void started.push([name, clock.now() - startMs]))
  return { clock, pacer, started, ask }
}

describe('a pacer', () => {
  it('lets as many start at once as its burst, and the others in their order at its rate', async () => {
    const { clock, started, ask } = scene()
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name)
    await clock.advance(99)
    expect(started).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0],
    ])
    await clock.advance(1_000)
    expect(started.slice(3)).toEqual([
      ['d', 100],
      ['e', 200],
    ])
    expect(clock.pending).toBe(0)
  })

  it('never lets more start than its burst and its rate allow, whenever they are asked for', async () => {
    const { clock, started, ask } = scene({ burst: 4, perSecond: 7 })
    for (let at = 0; at < 40; at++) {
      for (let n = 0; n < at % 3; n++) void ask(`${at}-${n}`)
      await clock.advance(61)
    }
    await clock.advance(10_000)
    expect(started).toHaveLength(39)
    for (const [index, [, fromMs]] of started.entries()) {
      for (const [later, [, toMs]] of started.slice(index).entries()) {
        expect(later + 1).toBeLessThanOrEqual(4 + ((toMs - fromMs) / 1000) * 7 + 1e-9)
      }
    }
  })

  it('lets none start while it is held, and makes up for nothing', async () => {
    const { clock, pacer, started, ask } = scene()
    pacer.hold(1_000)
    pacer.hold(200)
    for (const name of ['a', 'b', 'c', 'd']) void ask(name)
    await clock.advance(999)
    expect(started).toEqual([])
    await clock.advance(200)
    expect(started.map(([, atMs]) => atMs)).toEqual([1_000, 1_000, 1_000, 1_100])
  })

  it('gives the turn of a request that is aborted to the next one', async () => {
    const { clock, started, ask } = scene({ burst: 1, perSecond: 1 })
    const stop = new AbortController()
    void ask('a')
    const aborted = ask('b', stop.signal)
    void ask('c')
    stop.abort(new Error('no longer wanted'))
    await expect(aborted).rejects.toThrow('no longer wanted')
    await expect(ask('d', stop.signal)).rejects.toThrow('no longer wanted')
    await clock.advance(1_000)
    expect(started).toEqual([
      ['a', 0],
      ['c', 1_000],
    ])
    expect(clock.pending).toBe(0)
  })
})

describe('a paced fetch', () => {
  function fetchScene(statuses: [status: number, retryAfter?: string][]) {
    const clock = manualClock()
    const all = createPacer({ burst: 100, perSecond: 10 }, clock)
    const logs = createPacer({ burst: 100, perSecond: 10 }, clock)
    const sent: string[] = []
    const send: typeof fetch = async (input) => {
      sent.push(String(input))
      const [status, retryAfter] = statuses.shift() ?? [200]
      return new Response('', { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} })
    }
    return { clock, sent, lists: pacedFetch(send, all), logs: pacedFetch(send, all, logs) }
  }

  it('sends a request again once the server allows it, and meanwhile nothing that waits at the last pacer', async () => {
    const { clock, sent, lists, logs } = fetchScene([[429, '2']])
    const first = logs('/log/1')
    await clock.advance(0)
    const second = logs('/log/2')
    expect((await lists('/list')).status).toBe(200)
    await clock.advance(1_999)
    expect(sent).toEqual(['/log/1', '/list'])
    await clock.advance(1)
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    expect(sent.slice(2).sort()).toEqual(['/log/1', '/log/2'])
  })

  it.each<[number, string?]>([[429], [503, '1'], [500]])('returns any other response: %i', async (...answer) => {
    const { sent, lists } = fetchScene([answer])
    expect((await lists('/list')).status).toBe(answer[0])
    expect(sent).toHaveLength(1)
  })

  it('gives up after ten retries', async () => {
    const { clock, sent, lists } = fetchScene(Array.from({ length: 20 }, (): [number, string] => [429, '1']))
    const response = lists('/list')
    await clock.advance(60_000)
    expect((await response).status).toBe(429)
    expect(sent).toHaveLength(11)
  })
})
