import { expect, test } from 'vitest'
import { isLabelValue, qualifiedNameErrors } from './label-syntax'

test.each([
  ['a', true],
  ['example.io/a_b.c', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  [`${'a'.repeat(253)}/b`, true],
  [`${'a'.repeat(254)}/b`, false],
  ['Upper.io/a', false],
  ['a..b/c', false],
  ['', false],
])('%j is a valid label key: %s', (key, isKey) => expect(qualifiedNameErrors(key).length === 0).toBe(isKey))

test.each([
  ['', true],
  ['a', true],
  ['A_b.c-9', true],
  ['user@example.com', false],
  ['-a', false],
  ['a'.repeat(64), false],
])('%j is a valid label value: %s', (value, isValue) => expect(isLabelValue(value)).toBe(isValue))
