import { expect, it } from 'vitest'
import { createWarnings } from './warnings'

const lengthOf = (headers: readonly string[]) => headers.reduce((sum, header) => sum + header.length, 0)

it('warnings are listed once each, in order', () => {
  const { headers, warn } = createWarnings(['old'])
  for (const text of ['a "b"', 'old', 'c\n  d', '中']) warn(text)
  expect(headers).toEqual(['299 - "old"', '299 - "a \\"b\\""', '299 - "c d"', '299 - "\\\\u4e2d"'])
})

it.each([
  ['many', Array.from({ length: 10_000 }, (_, i) => `unknown field ${i}`)],
  ['long', Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(1_000)}`)],
  ['non-ASCII', Array.from({ length: 100 }, (_, i) => `${i} ${'中'.repeat(200)}`)],
  ['very long', [' '.repeat(3_000_000)]],
])('%s warnings are truncated to 4 KiB in total, but never dropped altogether', (_, texts) => {
  const { headers, warn } = createWarnings()
  texts.forEach(warn)
  expect(headers.length).toBeGreaterThan(0)
  expect(lengthOf(headers)).toBeLessThanOrEqual(4 * 1024)
})
