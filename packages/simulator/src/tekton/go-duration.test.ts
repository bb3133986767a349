import { expect, it } from 'vitest'
import { formatGoDuration, normalizedTimeout, parseGoDuration } from './go-duration'

it.each([
  ['1h0m0s', 3_600_000],
  ['90m', 5_400_000],
  ['1.5h', 5_400_000],
  ['300ms', 300],
  ['0', Infinity],
  ['0h0m0s', Infinity],
  ['an hour', undefined],
  ['10', undefined],
  ['', undefined],
  [undefined, undefined],
])('parses %s', (text, expected) => expect(parseGoDuration(text)).toBe(expected))

it.each([
  [3_600_000, '1h0m0s'],
  [5_430_000, '1h30m30s'],
  [90_000, '1m30s'],
  [20_000, '20s'],
  [1_500, '1.5s'],
  [300, '300ms'],
  [Infinity, '0s'],
])('formats %d ms as Go does', (durationMs, expected) => expect(formatGoDuration(durationMs)).toBe(expected))

it.each([
  ['90s', '1m30s'],
  ['3m', '3m0s'],
  ['0', '0s'],
  ['soon', 'soon'],
])('a timeout of %s is stored as %s', (text, expected) => expect(normalizedTimeout(text)).toBe(expected))
