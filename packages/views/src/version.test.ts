import { expect, test } from 'vitest'
import { isAtLeast, isVersion, laterVersion } from './version'

test.each([
  ['9', '10', false],
  ['10', '9', true],
  ['10', '10', true],
  ['12345678901234567891', '12345678901234567890', true],
])('version %s is no older than %s: %s', (version, least, isReached) =>
  expect(isAtLeast(version, least)).toBe(isReached),
)

test.each([
  [undefined, undefined, undefined],
  ['9', undefined, '9'],
  [undefined, '9', '9'],
  ['9', '10', '10'],
  ['10', '9', '10'],
])('the later one of %s and %s is %s', (a, b, later) => expect(laterVersion(a, b)).toBe(later))

test.each([
  ['7', true],
  ['0', false],
  ['007', false],
  ['7a', false],
  ['', false],
  [7, false],
  [undefined, false],
])('%j can be compared: %s', (value, isComparable) => expect(isVersion(value)).toBe(isComparable))
