import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useRowTooltip } from './row-tooltip'

function List({ isEmpty = false }) {
  const { handlers, tooltip } = useRowTooltip()
  return (
    <main>
      <table {...handlers}>
        <tbody>
          {!isEmpty && (
            <tr>
              <th data-label="Name" scope="row">
                <a href="#first">a rather long name</a>
              </th>
              <td data-label="Started">
                <time title="January 31, 2026 at 9:00:05 AM UTC">5m ago</time>
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {tooltip}
    </main>
  )
}

/** Decides whether cells are narrower than their text, since elements have no size in jsdom. */
function cut(isCut: boolean) {
  const width = vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(isCut ? 100 : 0)
  onTestFinished(() => width.mockRestore())
}

it('shows the whole text of a truncated cell on hover', async () => {
  cut(true)
  render(<List />)
  await userEvent.hover(screen.getByRole('link'))
  expect(screen.getByRole('rowheader')).toHaveAttribute('title', 'a rather long name')
})

it('is not shown for a cell that is not truncated', async () => {
  cut(false)
  render(<List />)
  await userEvent.hover(screen.getByRole('link'))
  expect(screen.getByRole('rowheader')).not.toHaveAttribute('title')
})

it('shows the times of the focused row, until the row disappears', async () => {
  cut(false)
  const { rerender } = render(<List />)
  await userEvent.tab()
  const facts = 'Started: January 31, 2026 at 9:00:05 AM UTC'
  await waitFor(() => expect(screen.getByText(facts)).toBeVisible())
  rerender(<List isEmpty />)
  await waitFor(() => expect(screen.queryByText(facts)).not.toBeInTheDocument())
})
