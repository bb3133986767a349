import { beforeEach, expect, it } from 'vitest'
import { observeServerDate, onClockOffset, toServerTime } from './server-clock'

const clockOffsetMs = () => toServerTime(0)

const noonMs = Date.parse('2026-01-31T12:00:00Z')
const minuteMs = 60_000
const dateOf = (ms: number) => new Date(ms).toUTCString()

beforeEach(() => observeServerDate(dateOf(noonMs), noonMs + 500, noonMs + 500))

it('does not correct a clock that agrees with whole seconds and slow responses', () => {
  const before = clockOffsetMs()
  observeServerDate(dateOf(noonMs + 30_000), noonMs + 1_000, noonMs + minuteMs)
  observeServerDate(dateOf(noonMs), noonMs + 100, noonMs + 900)
  expect(clockOffsetMs()).toBe(before)
})

it.each([
  ['slow', 10 * minuteMs],
  ['fast', -10 * minuteMs],
])('corrects a clock that is 10 minutes %s to the second', (_, offByMs) => {
  observeServerDate(dateOf(noonMs + offByMs), noonMs, noonMs + 200)
  expect(Math.abs(clockOffsetMs() - offByMs)).toBeLessThanOrEqual(1_000)
})

it('ignores a response without a valid date, and a clock that was set while it was under way', () => {
  const changes: number[] = []
  const stop = onClockOffset(() => changes.push(clockOffsetMs()))
  for (const date of [null, '', 'yesterday']) observeServerDate(date, noonMs, noonMs)
  observeServerDate(dateOf(noonMs), noonMs, noonMs - minuteMs)
  stop()
  expect(changes).toEqual([])
})
