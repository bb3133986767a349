import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useDebounced } from './debounce'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('changes once the value has rested', () => {
  const { result, rerender } = renderHook(({ value }) => useDebounced(value, 600), { initialProps: { value: '' } })
  rerender({ value: 'c' })
  act(() => void vi.advanceTimersByTime(400))
  rerender({ value: 'ch' })
  act(() => void vi.advanceTimersByTime(599))
  expect(result.current).toBe('')
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current).toBe('ch')
})
