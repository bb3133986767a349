import { expect, test } from 'vitest'
import { parseQuantity } from './quantity'

test.each<[unknown, number | undefined]>([
  ['1', 1],
  [2, 2],
  ['500m', 0.5],
  ['1.5', 1.5],
  ['.5', 0.5],
  ['-1Gi', -(2 ** 30)],
  ['64Mi', 64 * 2 ** 20],
  ['2k', 2000],
  ['1e3', 1000],
  ['1E-2', 0.01],
  ['1E', 1e18],
  ['', undefined],
  ['Gi', undefined],
  ['1GB', undefined],
  ['1 Gi', undefined],
  [null, undefined],
])('the quantity %j is %j', (text, expected) => expect(parseQuantity(text)).toBe(expected))
