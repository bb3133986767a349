import { expect, test } from 'vitest'
import { ticksOf } from './ticks'

const minute = 60
test.each<[string, number, number[]]>([
  ['seconds', 7, [0, 2, 4, 6]],
  ['a minute', minute, [0, 15, 30, 45, 60]],
  ['minutes', 17 * minute, [0, 5 * minute, 10 * minute, 15 * minute]],
  ['days', 11 * 24 * 60 * minute, [0, 3, 6, 9].map((days) => days * 24 * 60 * minute)],
  ['no time', 0, [0]],
  ['less than none', -5, [0]],
])('marks %s at natural intervals', (_, seconds, expected) => {
  expect(ticksOf(seconds * 1_000)).toEqual(expected.map((each) => each * 1_000))
})
