import { expect, test } from 'vitest'
import { asArray, asRecord, asText, parseJson } from './parse'

test.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['', undefined],
  ['{"a":', undefined],
])('parseJson of %j is %j', (text, expected) => expect(parseJson(text)).toEqual(expected))

test.each([null, undefined, 'text', 1, ['a']])('asRecord of %j is empty', (value) =>
  expect(asRecord(value)).toEqual({}),
)

test.each([null, undefined, 'text', { length: 1 }])('asArray of %j is empty', (value) =>
  expect(asArray(value)).toEqual([]),
)

test.each([
  [' text ', 'text'],
  [' \n', undefined],
  ['', undefined],
  [1, undefined],
  [null, undefined],
])('asText of %j is %j', (value, expected) => expect(asText(value)).toBe(expected))
