import { expect, it } from 'vitest'
import { checksum } from '../src/checksum'

it('the checksum of equal values is the same wherever their bytes are in memory', () => {
  const inTheMiddle = new Uint8Array([1, 2, 3]).subarray(1, 1)
  const empty = [Buffer.concat([]), Buffer.alloc(0), new Uint8Array(0), inTheMiddle, ''].map((last) =>
    checksum('a', 1, last),
  )
  expect(new Set(empty).size).toBe(1)
  expect(checksum('a', Buffer.from('ä€😀'))).toBe(checksum('a', 'ä€😀'))
  expect(checksum(1n, 'a')).toBe(checksum(1, 'a'))
})

it('the checksum differs when part of a value moves to the adjacent value', () => {
  expect(checksum('a', 'bc', 'd')).not.toBe(checksum('ab', 'c', 'd'))
  expect(checksum('a', '')).not.toBe(checksum('', ''))
})
