import { expect, test } from 'vitest'
import { lruCache } from './lru-cache'

test('the cache evicts the least recently used entry', () => {
  const numbers = lruCache<number>(2)
  numbers.set('one', 1)
  numbers.set('two', 2)
  expect(numbers.get('one')).toBe(1)
  numbers.set('three', 3)
  expect(['one', 'two', 'three'].map((key) => numbers.get(key))).toEqual([1, undefined, 3])
})
