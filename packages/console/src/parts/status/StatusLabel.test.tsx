import { runStatuses } from '@slipway/model/runs/run-status'
import { render, screen } from '@testing-library/react'
import { expect, it, test } from 'vitest'
import { StatusLabel, type StatusWord } from './StatusLabel'

const shapeOf = (status: StatusWord): string => {
  const { container, unmount } = render(<StatusLabel status={status} />)
  const shape = container.querySelector('path')?.getAttribute('d') ?? ''
  unmount()
  return shape
}

it('STAT-01, STAT-02, STAT-03 renders every status as a word, with an icon that is not read out', () => {
  for (const status of runStatuses) {
    const { container, unmount } = render(<StatusLabel status={status} />)
    expect(screen.getByText(status)).toBeVisible()
    expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true')
    unmount()
  }
})

test.each<[string, StatusWord, boolean]>([
  ['STAT-26', 'Running', true],
  ['STAT-27', 'In Progress', true],
  ['STAT-28', 'Cancelling', false],
  ['another one,', 'Succeeded', false],
])('%s %s spins: %s', (_, status, isSpinning) => {
  render(<StatusLabel status={status} />)
  expect(screen.getByText(status).dataset.spinning).toBe(isSpinning ? 'true' : undefined)
})

it('STAT-28 gives Cancelling an icon that no other status has', () => {
  const others = runStatuses.filter((status) => status !== 'Cancelling').map(shapeOf)
  expect(shapeOf('Cancelling')).not.toBe('')
  expect(others).not.toContain(shapeOf('Cancelling'))
})
