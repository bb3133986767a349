import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, test, vi } from 'vitest'
import { RelativeTime } from './RelativeTime'

afterEach(() => void vi.useRealTimers())

it('TIME-02 says Just now, and grows old while it is looked at', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T09:00:30Z') })
  render(<RelativeTime time="2026-01-31T09:00:00Z" />)
  expect(screen.getByText('Just now')).toHaveAttribute('datetime', '2026-01-31T09:00:00Z')
  act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.getByText('1 minute ago')).toBeVisible()
  act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.getByText('2 minutes ago')).toBeVisible()
})

it('stands still while nobody sees the page, and is right again at once when somebody does', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T09:00:30Z') })
  render(<RelativeTime time="2026-01-31T09:00:00Z" />)
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  act(() => void vi.advanceTimersByTime(3_600_000))
  expect(screen.getByText('Just now')).toBeVisible()
  visibility.mockReturnValue('visible')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.getByText('1 hour ago')).toBeVisible()
})

test.each([undefined, '', 'yesterday'])('%s is no time', (time) => {
  const { container } = render(<RelativeTime time={time} />)
  expect(container).toHaveTextContent('-')
})
