import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FilterField } from './FilterField'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function field(value = '') {
  const onChange = vi.fn()
  const { unmount } = render(<FilterField label="name" value={value} onChange={onChange} />)
  const input = screen.getByRole('textbox', { name: 'Filter by name' })
  return { onChange, input, unmount }
}
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } })
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

it('LIST-01, LIST-02 applies what was typed once typing has paused for 600 ms', () => {
  const { onChange, input } = field()
  expect(input).toHaveAttribute('placeholder', 'Filter by name...')
  type(input, 'che')
  pass(599)
  type(input, 'check')
  pass(599)
  expect(onChange).not.toHaveBeenCalled()
  expect(input).toHaveValue('check')
  pass(1)
  expect(onChange.mock.calls).toEqual([['check']])
})

it('applies at once on Enter, and when it is cleared', () => {
  const { onChange, input } = field('old')
  type(input, 'new')
  fireEvent.keyDown(input, { key: 'Enter' })
  expect(onChange.mock.calls).toEqual([['new']])
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter by name' }))
  pass(600)
  expect(onChange.mock.calls).toEqual([['new'], ['']])
})

it('applies nothing any more once it is gone', () => {
  const { onChange, input, unmount } = field()
  type(input, 'che')
  unmount()
  pass(600)
  expect(onChange).not.toHaveBeenCalled()
})
