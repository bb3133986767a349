import { afterEach, expect, test, vi } from 'vitest'
import { formatDate, formatDuration, formatDurationLong, formatExactTime, formatRelative } from './dates'

const local = (year: number, month: number, day: number, hours: number, minutes: number) =>
  new Date(year, month - 1, day, hours, minutes)

test.each([
  [local(2026, 1, 31, 9, 0), 'January 31, 2026, 9:00 AM'],
  [local(2026, 3, 5, 12, 30), 'March 05, 2026, 12:30 PM'],
  [local(2026, 12, 1, 0, 5), 'December 01, 2026, 12:05 AM'],
  [local(2026, 9, 10, 23, 59), 'September 10, 2026, 11:59 PM'],
  [local(2026, 1, 31, 9, 0).toISOString(), 'January 31, 2026, 9:00 AM'],
  ['nonsense', '-'],
])('TIME-01 the date of %s is %s', (time, text) => expect(formatDate(time)).toBe(text))

const now = Date.parse('2026-01-31T09:00:00Z')
const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  [0, 'Just now'],
  [-59 * second, 'Just now'],
  [-60 * second, 'Just now'],
  [30 * second, 'Just now'],
])('TIME-02 %i ms from now is %s', (offset, text) => expect(formatRelative(now + offset, now)).toBe(text))

test.each([
  [-61 * second, '1m ago'],
  [-119 * second, '1m ago'],
  [-5 * minute, '5m ago'],
  [-59 * minute - 59 * second, '59m ago'],
  [-hour, '1h ago'],
  [-day + second, '23h ago'],
  [5 * minute, 'in 5m'],
  [3 * hour, 'in 3h'],
  [-2 * day, 'Jan 29'],
  [-65 * day, 'Nov 27, 2025'],
  [2 * day, 'Feb 2'],
])('%i ms from now is %s', (offset, text) => expect(formatRelative(now + offset, now)).toBe(text))

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['UTC', 'January 31, 2026 at 8:00:05 PM UTC', 'January 31, 2026, 8:00 PM UTC'],
  ['Europe/Berlin', 'January 31, 2026 at 9:00:05 PM GMT+1 (8:00:05 PM UTC)', 'January 31, 2026, 9:00 PM GMT+1'],
  [
    'Asia/Tokyo',
    'February 1, 2026 at 5:00:05 AM GMT+9 (January 31, 2026 at 8:00:05 PM UTC)',
    'February 01, 2026, 5:00 AM GMT+9',
  ],
])('in %s, times name their zone, and the exact one is given in UTC too', async (zone, exact, date) => {
  vi.stubEnv('TZ', zone)
  vi.resetModules()
  const { formatExactTime, formatZonedDate } = await import('./dates')
  expect(formatExactTime('2026-01-31T20:00:05Z')).toBe(exact)
  expect(formatZonedDate('2026-01-31T20:00:05Z')).toBe(date)
})

test('the zone of a date is the one at that time', async () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  vi.resetModules()
  const { formatZonedDate } = await import('./dates')
  expect(formatZonedDate('2026-07-31T20:00:05Z')).toBe('July 31, 2026, 10:00 PM GMT+2')
  expect(formatZonedDate('nonsense')).toBe('-')
})

test('an invalid time has no exact text', () => expect(formatExactTime('nonsense')).toBe('-'))

test('an invalid time has no relative text', () => expect(formatRelative('nonsense', now)).toBe('-'))

test.each([
  [0, '0s'],
  [999, '0s'],
  [-5 * second, '0s'],
  [59 * second, '59s'],
  [minute, '1m'],
  [3 * hour + 5 * minute + 10 * second, '3h 5m 10s'],
  [9 * day, '1w 2d'],
  [7 * day + day + hour + minute + second, '1w 1d 1h 1m 1s'],
  [Number.NaN, '-'],
])('TIME-03 a duration of %i ms is %s', (durationMs, text) => expect(formatDuration(durationMs)).toBe(text))

test.each([
  [0, 'less than a second'],
  [999, 'less than a second'],
  [second, '1 second'],
  [hour + minute + second, '1 hour 1 minute 1 second'],
  [2 * 7 * day + 3 * day + 2 * hour, '2 weeks 3 days 2 hours'],
  [Number.NaN, '-'],
])('TIME-03 a duration of %i ms is %s in words', (durationMs, text) =>
  expect(formatDurationLong(durationMs)).toBe(text),
)
