import { act, render, screen } from '@testing-library/react'
import { expect, it, onTestFinished, test, vi } from 'vitest'
import { DateAndAge, RelativeTime } from './RelativeTime'

/** A time on the clock of the reader, wherever the tests run. */
const onClock = (hour: number, minute: number, second: number) => new Date(2026, 0, 31, hour, minute, second)

it('TIME-02 says Just now, and ages while it is shown', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T09:00:30Z') })
  render(<RelativeTime time="2026-01-31T09:00:00Z" />)
  expect(screen.getByText('Just now')).toHaveAttribute('datetime', '2026-01-31T09:00:00Z')
  act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.getByText('1m ago')).toBeVisible()
  act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.getByText('2m ago')).toBeVisible()
})

it('stops while the page is hidden, and is correct as soon as the page is visible again', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T09:00:30Z') })
  render(<RelativeTime time="2026-01-31T09:00:00Z" />)
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  onTestFinished(() => visibility.mockRestore())
  act(() => void vi.advanceTimersByTime(3_600_000))
  expect(screen.getByText('Just now')).toBeVisible()
  visibility.mockReturnValue('visible')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(screen.getByText('1h ago')).toBeVisible()
})

it('says the exact time in its description, and is not a tab stop', () => {
  render(<RelativeTime time={onClock(9, 0, 5).toISOString()} />)
  const time = screen.getByRole('time')
  expect(time).toHaveAccessibleDescription(/^January 31, 2026 at 9:00:05 AM/)
  expect(time).not.toHaveAttribute('tabindex')
})

it('TIME-01 shows the date next to the age where there is room', () => {
  vi.useFakeTimers({ now: onClock(9, 5, 30) })
  const { container } = render(<DateAndAge time={onClock(9, 0, 0).toISOString()} />)
  expect(container).toHaveTextContent(/^January 31, 2026, 9:00 AM \S+ \(5m ago\)$/)
  act(() => void vi.advanceTimersByTime(24 * 3_600_000))
  expect(container).toHaveTextContent(/^January 31, 2026, 9:00 AM \S+$/)
})

test.each([undefined, '', 'yesterday'])('%s is not a time', (time) => {
  const { container } = render(<RelativeTime time={time} />)
  expect(container).toHaveTextContent('-')
})
