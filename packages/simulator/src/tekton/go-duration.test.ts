import { expect, it } from 'vitest'
import { parseGoDuration } from './go-duration'

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
