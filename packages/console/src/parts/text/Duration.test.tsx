import { act, render, screen } from '@testing-library/react'
import { expect, it, onTestFinished, test, vi } from 'vitest'
import { startIdle } from '../../api/live/idle'
import { startOutageWatch, suspectOutage } from '../../api/live/outage'
import { Duration } from './Duration'

it('TIME-04 ticks every second until there is an end', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T09:00:58Z') })
  render(<Duration from="2026-01-31T09:00:00Z" />)
  expect(screen.getByText('58s')).toBeVisible()
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByText('59s')).toBeVisible()
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByText('1m')).toBeVisible()
})

it('TIME-03, TIME-04 stops at its end, and is read out in full words', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T12:00:00Z') })
  render(<Duration from="2026-01-31T09:00:00Z" to="2026-01-31T10:01:01Z" />)
  expect(screen.getByText('1h 1m 1s')).toBeVisible()
  expect(screen.getByText('1 hour 1 minute 1 second')).toBeInTheDocument()
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['TIME-05 pending', { from: '2026-01-31T09:00:00Z', isPending: true }],
  ['TIME-05 not started', { from: undefined }],
  ['an unknown end', { from: '2026-01-31T09:00:00Z', isOver: true }],
  ['an invalid start', { from: 'yesterday' }],
  ['an invalid end', { from: '2026-01-31T09:00:00Z', to: 'tomorrow' }],
])('%s has no duration', (_, times) => {
  const { container } = render(<Duration {...times} />)
  expect(container).toHaveTextContent(/^-$/)
})

it('is not negative if the clock is behind', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T08:59:00Z') })
  render(<Duration from="2026-01-31T09:00:00Z" />)
  expect(screen.getByText('0s')).toBeVisible()
})

it('stops at the last known time while the cluster does not respond, and continues afterwards', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T09:00:50Z') })
  onTestFinished(startIdle(() => {}))
  let isThere = false
  const probe = () => (isThere ? Promise.resolve() : Promise.reject(new Error('no response')))
  onTestFinished(startOutageWatch(probe))
  render(<Duration from="2026-01-31T09:00:00Z" />)
  suspectOutage()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(screen.getByText('50s')).toBeVisible()
  expect(screen.getByText('as last known')).toBeInTheDocument()
  isThere = true
  await act(() => vi.advanceTimersByTimeAsync(4_000))
  expect(screen.getByText('1m 54s')).toBeVisible()
  expect(screen.queryByText('as last known')).not.toBeInTheDocument()
})
