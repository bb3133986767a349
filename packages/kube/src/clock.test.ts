import { expect, test } from 'vitest'
import { steady } from './clock'
import { manualClock } from './testing'

test('a steady clock measures elapsed time across a time of day that is set back', () => {
  const clock = manualClock()
  const { now } = steady(clock)
  const start = now()
  clock.jump(10_000)
  expect(now() - start).toBe(10_000)
  clock.jump(-3_600_000)
  expect(now() - start).toBe(10_000)
  clock.jump(5_000)
  expect(now() - start).toBe(15_000)
  clock.jump(7_200_000)
  expect(now() - start).toBe(15_000 + 7_200_000)
})
