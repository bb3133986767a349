import { manualClock } from '@slipway/kube/testing'
import { expect, it } from 'vitest'
import { inBatches } from './batches'

function scene() {
  const clock = manualClock()
  const loaded: string[][] = []
  const load = async (keys: string[]) => {
    loaded.push(keys)
    return keys.map((key) => key.toUpperCase())
  }
  return { clock, loaded, request: inBatches(2, load, { pauseMs: 250, clock }) }
}

it('ARCH-33 loads nothing until requests pause, so that scrolling loads nothing', async () => {
  const { clock, loaded, request } = scene()
  const first = request('a')
  await clock.advance(200)
  const second = request('b')
  const third = request('c')
  await clock.advance(200)
  expect(loaded).toEqual([])
  await clock.advance(50)
  expect(loaded).toEqual([['a', 'b'], ['c']])
  expect(await Promise.all([first, second, third])).toEqual(['A', 'B', 'C'])
})

it('does not load a key whose request was aborted', async () => {
  const { clock, loaded, request } = scene()
  const scrolledPast = new AbortController()
  const aborted = request('a', scrolledPast.signal)
  const visible = request('b')
  scrolledPast.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  await clock.advance(250)
  expect(await visible).toBe('B')
  expect(loaded).toEqual([['b']])
})
