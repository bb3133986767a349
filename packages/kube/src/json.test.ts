import { expect, test } from 'vitest'
import { isSameJson } from './json'

const own = JSON.parse('{"__proto__":{"a":1}}') as unknown

test.each<[unknown, unknown]>([
  [1, 1],
  [null, null],
  [
    { a: 1, b: [{ c: 2 }] },
    { b: [{ c: 2 }], a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
  [{ a: undefined }, { b: undefined }],
  [own, JSON.parse('{"__proto__":{"a":1}}')],
])('%j is the same JSON as %j', (a, b) => {
  expect(isSameJson(a, b)).toBe(true)
  expect(isSameJson(b, a)).toBe(true)
})

test.each<[unknown, unknown]>([
  [1, '1'],
  [null, {}],
  [null, undefined],
  [[], {}],
  [[1], [1, 2]],
  [{ 0: 1 }, [1]],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: null }, { a: undefined }],
  [own, {}],
  [{ toString: undefined }, { toString: 1 }],
])('%j is not the same JSON as %j', (a, b) => {
  expect(isSameJson(a, b)).toBe(false)
  expect(isSameJson(b, a)).toBe(false)
})
