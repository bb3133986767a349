import { manualClock } from '@slipway/kube/testing'
import { expect, it } from 'vitest'
import { inBatches } from './batches'

function scene() {
  const clock = manualClock()
  const asked: string[][] = []
  const load = async (keys: string[]) => {
    asked.push(keys)
    return keys.map((key) => key.toUpperCase())
  }
  return { clock, asked, ask: inBatches(2, load, { pauseMs: 250, clock }) }
}

it('ARCH-33 waits until nothing more is asked for, so that scrolling loads nothing', async () => {
  const { clock, asked, ask } = scene()
  const first = ask('a')
  await clock.advance(200)
  const second = ask('b')
  const third = ask('c')
  await clock.advance(200)
  expect(asked).toEqual([])
  await clock.advance(50)
  expect(asked).toEqual([['a', 'b'], ['c']])
  expect(await Promise.all([first, second, third])).toEqual(['A', 'B', 'C'])
})

it('loads nothing that is not wanted any more', async () => {
  const { clock, asked, ask } = scene()
  const scrolledPast = new AbortController()
  const gone = ask('a', scrolledPast.signal)
  const seen = ask('b')
  scrolledPast.abort()
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' })
  await clock.advance(250)
  expect(await seen).toBe('B')
  expect(asked).toEqual([['b']])
})
