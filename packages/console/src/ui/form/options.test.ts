import { expect, test } from 'vitest'
import { isSearchable, matchOptions } from './options'

const options = [{ value: 'pay' }, { value: 'a', label: 'Repay' }, { value: 'b', label: 'Till' }, { value: 'Payroll' }]

test.each([
  ['', ['pay', 'a', 'b', 'Payroll']],
  ['  ', ['pay', 'a', 'b', 'Payroll']],
  ['PAY', ['pay', 'Payroll', 'a']],
  ['till', ['b']],
  ['b', []],
])('%j matches %j', (text, expected) => expect(matchOptions(options, text).map(({ value }) => value)).toEqual(expected))

test.each([
  [10, false],
  [11, true],
])('LIST-22 a menu of %i options can be searched: %s', (length, expected) =>
  expect(isSearchable(Array.from({ length }, (_, index) => ({ value: String(index) })))).toBe(expected),
)
