import { expect, test } from 'vitest'
import { isShallowEqual } from './shallow-equal'

const inner = {}
test.each<[string, object, object, boolean]>([
  ['the same fields', { a: 1, b: inner }, { b: inner, a: 1 }, true],
  ['another value', { a: 1 }, { a: 2 }, false],
  ['an equal but different object', { a: {} }, { a: {} }, false],
  ['one more field', { a: 1 }, { a: 1, b: undefined }, false],
  ['another field', { a: undefined }, { b: undefined }, false],
  ['arrays with the same members', { a: [1, inner] }, { a: [1, inner] }, true],
  ['arrays with other members', { a: [1, {}] }, { a: [1, {}] }, false],
  ['arrays of other lengths', [1, 2], [1], false],
])('%s', (_, a, b, expected) => expect(isShallowEqual(a, b)).toBe(expected))
