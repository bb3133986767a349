import { expect, test } from 'vitest'
import { lineHash, logLink, rangeOf } from './log-link'

test.each([
  { step: 'build', from: 12, to: 12 },
  { step: 'build', from: 12, to: 15 },
  { step: 'a:b%/ü', from: 1, to: 2 },
])('a line hash parses to the range that it was built from: %o', (range) =>
  expect(rangeOf(lineHash(range))).toEqual(range),
)

test.each([
  ['', undefined],
  ['#top', undefined],
  ['#Lbuild:0', undefined],
  ['#L%E0%A4%A:1', undefined],
  ['#Lbuild:1x', undefined],
  ['#Lbuild:9-3', { step: 'build', from: 3, to: 9 }],
])('%s', (hash, range) => expect(rangeOf(hash)).toEqual(range))

test.each([
  [{}, ''],
  [{ task: 'build images' }, '?task=build%20images'],
  [{ task: 'build', step: 'push', line: 7 }, '?task=build#Lpush:7'],
  [{ step: 'push', line: 7 }, '#Lpush:7'],
  [{ task: 'build', step: 'push', line: undefined }, '?task=build'],
])('logLink(%o)', (to, link) => expect(logLink(to)).toBe(link))
