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
