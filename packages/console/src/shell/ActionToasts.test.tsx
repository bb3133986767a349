import { QueryClientProvider } from '@tanstack/react-query'
import { aComponent } from '@slipway/model/testing'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../api/query-client'
import { runAction } from '../ui/actions/object-actions'
import { ActionToasts } from './ActionToasts'

const component = aComponent({ metadata: { name: 'api', uid: 'u' } })
const messages = { pending: 'Requesting a new build…', done: 'New build requested.', failed: 'Failed' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => queryClient.clear())

const show = () =>
  render(<ActionToasts />, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })

async function request(perform: () => Promise<void>) {
  show()
  await act(async () => {
    runAction(component, 'build', perform, { messages })
    await vi.advanceTimersByTimeAsync(0)
  })
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('announces a success politely with the name of the object, and removes it after a while', async () => {
  await request(() => Promise.resolve())
  const title = screen.getByText('New build requested.')
  expect(title.closest('[aria-live=polite]')).toBe(screen.getByRole('list', { name: 'Notices' }))
  expect(screen.getByText('api')).toBeVisible()
  await pass(9_000)
  expect(title).toBeVisible()
  await pass(2_000)
  expect(screen.queryByText('New build requested.')).not.toBeInTheDocument()
})

it('keeps a success while the pointer is over it', async () => {
  await request(() => Promise.resolve())
  fireEvent.mouseEnter(screen.getByText('New build requested.').closest('.pf-v6-c-alert') ?? document.body)
  await pass(30_000)
  expect(screen.getByText('New build requested.')).toBeVisible()
})

it('keeps a success that leads somewhere until it is dismissed', async () => {
  show()
  await act(async () => {
    runAction(component, 'build', () => Promise.resolve(), { messages, result: () => <a href="/build">The build</a> })
    await vi.advanceTimersByTimeAsync(0)
  })
  await pass(120_000)
  expect(screen.getByRole('link', { name: 'The build' })).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: /^Close/ }))
  await pass(0)
  expect(screen.queryByText('New build requested.')).not.toBeInTheDocument()
})

it('keeps a failure until it is dismissed', async () => {
  await request(() => Promise.reject(new Error('a webhook says no')))
  await pass(60_000)
  expect(screen.getByText('a webhook says no')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: /^Close/ }))
  await pass(0)
  expect(screen.queryByText('a webhook says no')).not.toBeInTheDocument()
})
