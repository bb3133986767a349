import { expect, test } from 'vitest'
import type { Freshness } from '../api/freshness'
import { freshnessText } from './FreshnessBadge'

const now = Date.parse('2026-01-31T09:00:00Z')
const before = (seconds: number) => new Date(now - seconds * 1_000)

test.each<[string, Freshness, string]>([
  ['live', { kind: 'live', asOf: before(500) }, 'Live'],
  ['nothing yet', { kind: 'loading' }, 'Connecting'],
  ['no live connection yet', { kind: 'loading', asOf: before(1) }, 'Connecting'],
  ['no response yet', { kind: 'stale', reason: 'The server is not responding.' }, 'No response'],
  ['polling', { kind: 'polling', asOf: before(4) }, '4 s old'],
  ['stale', { kind: 'stale', asOf: before(12), reason: 'lost' }, '12 s old'],
  ['stale for minutes', { kind: 'stale', asOf: before(119) }, '1 min old'],
  ['stale for hours', { kind: 'stale', asOf: before(7_300) }, '2 h old'],
  ['offline', { kind: 'offline', asOf: before(60), since: new Date(2026, 0, 31, 9, 5) }, 'Offline since 9:05 AM'],
  ['read once', { kind: 'static', asOf: before(0) }, '0 s old'],
  ['a clock that runs behind', { kind: 'static', asOf: before(-5) }, '0 s old'],
])('%s', (_, freshness, text) => {
  expect(freshnessText(freshness, now)).toBe(text)
})
