import { expect, it, test } from 'vitest'
import { findInLine, firstHitFrom, logPatternOf, noHits, type LogQuery } from './log-search'

const query = (text: string, ways: Partial<LogQuery> = {}): LogQuery => ({
  text,
  isRegex: false,
  isCaseSensitive: false,
  ...ways,
})

test.each<[string, LogQuery, string, [number, number][]]>([
  [
    'any case',
    query('Error'),
    'an error, an ERROR',
    [
      [3, 8],
      [13, 18],
    ],
  ],
  ['one case', query('ERROR', { isCaseSensitive: true }), 'an error, an ERROR', [[13, 18]]],
  ['special characters of regular expressions', query('a.b('), 'aab( a.b(', [[5, 9]]],
  [
    'a regular expression',
    query(String.raw`\d+ ms`, { isRegex: true }),
    'in 12 ms or 7 ms',
    [
      [3, 8],
      [12, 16],
    ],
  ],
  ['no empty matches', query('x*', { isRegex: true }), 'axxb', [[1, 3]]],
])('finds %s', (_, wanted, text, expected) => {
  const { pattern } = logPatternOf(wanted) ?? {}
  const hits = noHits()
  if (pattern) findInLine(text, 7, pattern, hits)
  expect(hits.starts.map((start, at) => [start, hits.ends[at]])).toEqual(expected)
  expect(new Set(hits.lines)).toEqual(new Set(expected.length > 0 ? [7] : []))
})

it('reports the error of an invalid pattern', () => {
  expect(logPatternOf(query('(', { isRegex: true }))?.problem).toBe('Invalid regular expression: Unterminated group')
  expect(logPatternOf(query(''))).toBeUndefined()
})

test.each([
  [0, 0],
  [3, 1],
  [4, 3],
  [9, 4],
])('finds the first hit from line %i', (line, index) => expect(firstHitFrom({ lines: [1, 3, 3, 5] }, line)).toBe(index))
