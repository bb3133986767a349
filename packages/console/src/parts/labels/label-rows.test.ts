import { expect, test } from 'vitest'
import { labelRowErrors, labelRows, labelsOf } from './label-rows'

const rows = [
  { key: ' example.com/team ', value: ' shop ' },
  { key: '', value: 'no key: -x-' },
  { key: '  ', value: '' },
]

test('PLAN-52 rows without a key are not written, and nothing in them is wrong', () => {
  expect(labelRows.safeParse(rows).success).toBe(true)
  expect(labelRowErrors(rows)).toEqual([])
  expect(labelsOf(rows)).toEqual({ 'example.com/team': 'shop' })
})

test('a key must be valid and used once, and a value valid', () => {
  const wrong = [...rows, { key: 'example.com/team', value: '-x-' }, { key: 'not a key', value: '' }]
  const expected = [
    [3, 'key', 'Each key can be used once.'],
    [3, 'value', expect.stringMatching(/^Must be at most 63 letters/)],
    [4, 'key', expect.stringMatching(/^Must be a label key/)],
  ]
  expect(labelRowErrors(wrong)).toEqual(expected)
  expect(labelRows.safeParse(wrong).error?.issues.map(({ path, message }) => [...path, message])).toEqual(expected)
})
