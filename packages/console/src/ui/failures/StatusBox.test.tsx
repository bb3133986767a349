import { ApiError } from '@slipway/kube/status'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, expect, it, test, vi } from 'vitest'
import { StatusBox } from './StatusBox'

const failure = (code: number, message = 'the words of the cluster') => new ApiError({ code, message, url: '/' })
const show = (data: string | undefined, error: unknown = null) =>
  render(
    <StatusBox label="pipeline run" data={data} error={error}>
      {(text) => <p>{text}</p>}
    </StatusBox>,
  )

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['ERR-03 a 404', failure(404), '404: Not Found'],
  ['ERR-04 a 403', failure(403), 'Restricted Access'],
  ['ERR-07 a 500', failure(500), 'Error Loading pipeline run'],
  ['ERR-07 a time-out before there is anything', failure(408), 'Error Loading pipeline run'],
  ['ERR-07 no response', failure(0), 'Error Loading pipeline run'],
  ['ERR-07 a bug in the console', new TypeError('x is not a function'), 'Error Loading pipeline run'],
])('%s', async (_, error, heading) => {
  const { container } = show(undefined, error)
  expect(screen.getByRole('heading', { name: heading, level: 2 })).toBeVisible()
  expect((await axe.run(container)).violations).toEqual([])
})

it('ERR-05 a 403 says why, with the message of the cluster', () => {
  show(undefined, failure(403))
  expect(screen.getByText("You don't have access to this section due to cluster policy.")).toBeVisible()
  expect(screen.getByText('the words of the cluster')).toBeVisible()
})

it.each([408, 504])('ERR-06 a timeout (%i) keeps the earlier data, and says so', (code) => {
  show('what was read before', failure(code))
  expect(screen.getByText('Timed out fetching new data. The data below is stale.')).toBeVisible()
  expect(screen.getByText('what was read before')).toBeVisible()
})

it('ERR-07, ERR-08 another failure keeps the earlier data too, and offers to try again', async () => {
  const { container } = show('what was read before', failure(500))
  expect(screen.getByText('Error Loading pipeline run')).toBeVisible()
  expect(screen.getByText(/^the words of the cluster/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'try again' })).toBeVisible()
  expect(screen.queryByText(/stale/)).not.toBeInTheDocument()
  expect(screen.getByText('what was read before')).toBeVisible()
  expect((await axe.run(container)).violations).toEqual([])
})

test.each([
  ['ERR-03', 404, '404: Not Found'],
  ['ERR-04', 403, 'Restricted Access'],
])('%s the earlier data is removed if the user may no longer see it (%i)', (_, code, heading) => {
  show('what was read before', failure(code))
  expect(screen.getByRole('heading', { name: heading })).toBeVisible()
  expect(screen.queryByText('what was read before')).not.toBeInTheDocument()
})

it('ERR-08 another failure offers to reload the page', async () => {
  const reload = vi.fn()
  vi.stubGlobal('location', { reload })
  show(undefined, failure(500))
  await userEvent.click(screen.getByRole('button', { name: 'try again' }))
  expect(reload).toHaveBeenCalledOnce()
})

it('shows that it is loading, and then the data', () => {
  const { unmount } = show(undefined)
  expect(screen.getByRole('progressbar', { name: 'Loading pipeline run' })).toBeVisible()
  unmount()
  show('read')
  expect(screen.getByText('read')).toBeVisible()
})

it('says after ten seconds without a response what it waits for, and shows the content once it arrives', () => {
  vi.useFakeTimers()
  const box = (data: string | undefined) => (
    <StatusBox label="pipeline run" data={data} error={null}>
      {(text) => <p>{text}</p>}
    </StatusBox>
  )
  const { rerender } = render(box(undefined))
  act(() => void vi.advanceTimersByTime(9_999))
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.getByRole('alert')).toHaveTextContent('Still waiting for pipeline run')
  expect(screen.getByRole('alert')).toHaveTextContent('No response from the server for 10 s.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  rerender(box('there it is'))
  expect(screen.getByText('there it is')).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
