import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nthNumber, nthSmallest } from './nth-smallest'

const someAndIndex = fc
  .array(fc.integer({ min: -5, max: 20 }), { minLength: 1 })
  .chain((values) => fc.tuple(fc.constant(values), fc.nat({ max: values.length - 1 })))

it('finds the value that sorting would put at an index, with smaller ones in front of it and larger ones behind', () => {
  fc.assert(
    fc.property(someAndIndex, ([values, nth]) => {
      const moved = Int32Array.from(values)
      nthSmallest(moved, 0, moved.length, nth, (a, b) => a - b)
      const sorted = values.toSorted((a, b) => a - b)
      expect([...moved].sort((a, b) => a - b)).toEqual(sorted)
      expect(moved[nth]).toBe(sorted[nth])
      expect(Math.max(...moved.subarray(0, nth), -Infinity)).toBeLessThanOrEqual(moved[nth] ?? NaN)
      expect(Math.min(...moved.subarray(nth), Infinity)).toBe(moved[nth])
      const numbers = Float64Array.from(values, (value) => (value < 0 ? Infinity : value))
      expect(nthNumber(numbers.slice(), nth)).toBe(numbers.toSorted()[nth])
    }),
  )
})

/** Decides how values compare only when they are compared, so that as much as possible is left. Source: McIlroy, "A Killer Adversary for Quicksort". */
function adversary(count: number) {
  const undecided = count
  const ranks = Array<number>(count).fill(undecided)
  let decided = 0
  let candidate = 0
  const compared = { count: 0 }
  const compare = (a: number, b: number) => {
    compared.count++
    if (a === b) return 0
    if (ranks[a] === undecided && ranks[b] === undecided) ranks[a === candidate ? a : b] = decided++
    if (ranks[a] === undecided) candidate = a
    else if (ranks[b] === undecided) candidate = b
    return (ranks[a] ?? 0) - (ranks[b] ?? 0)
  }
  return { compare, compared }
}

it('takes no time that grows as the square, whatever the order of the values', () => {
  const count = 4_000
  const { compare, compared } = adversary(count)
  nthSmallest(
    Int32Array.from({ length: count }, (_, at) => at),
    0,
    count,
    count - 1,
    compare,
  )
  expect(compared.count).toBeLessThan(count * 150)
})
