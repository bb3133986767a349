import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useFold } from './use-fold'

interface Sum {
  numbers: readonly number[]
  total: number
}

/** Adds the numbers that `before` does not have. */
const addUp = vi.fn((numbers: readonly number[], before: Sum = { numbers: [], total: 0 }): Sum => {
  if (numbers === before.numbers) return before
  const added = numbers.slice(before.numbers.length)
  return { numbers, total: added.reduce((total, each) => total + each, before.total) }
})

it('a fold starts from the last result, and renders once for each input', () => {
  let renders = 0
  const { result, rerender } = renderHook(
    ({ numbers, key }) => {
      renders++
      return useFold(addUp, numbers, key)
    },
    { initialProps: { numbers: [1, 2], key: 'a' } },
  )
  const first = result.current
  expect(first.total).toBe(3)
  rerender({ numbers: [1, 2, 3], key: 'a' })
  expect(result.current.total).toBe(6)
  expect(addUp).toHaveBeenLastCalledWith([1, 2, 3], first)
  expect(renders).toBe(2)
})

it('a fold returns the same result for the same input', () => {
  const numbers = [1, 2]
  const { result, rerender } = renderHook(() => useFold(addUp, numbers))
  const first = result.current
  rerender()
  expect(result.current).toBe(first)
})

it('a fold with another key starts again', () => {
  const { result, rerender } = renderHook(({ numbers, key }) => useFold(addUp, numbers, key), {
    initialProps: { numbers: [1, 2], key: 'a' },
  })
  rerender({ numbers: [4, 5, 6], key: 'b' })
  expect(result.current.total).toBe(15)
})
