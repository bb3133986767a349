import { QueryClientProvider } from '@tanstack/react-query'
import { aComponent } from '@slipway/model/testing'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../api/query-client'
import { runAction } from './actions/object-actions'
import { ActionToasts } from './ActionToasts'

const component = aComponent({ metadata: { name: 'api', uid: 'u' } })
const messages = { pending: 'Asking for a new build…', done: 'A new build was asked for.', failed: 'Refused' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

const show = () =>
  render(<ActionToasts />, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })

async function ask(perform: () => Promise<void>) {
  show()
  await act(async () => {
    runAction(component, 'build', perform, { messages })
    await vi.advanceTimersByTimeAsync(0)
  })
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('announces a success politely with the name of the object, and takes it away by itself', async () => {
  await ask(() => Promise.resolve())
  const title = screen.getByText('A new build was asked for.')
  expect(title.closest('[aria-live=polite]')).toBe(screen.getByRole('list', { name: 'Notices' }))
  expect(screen.getByText('api')).toBeVisible()
  await pass(9_000)
  expect(title).toBeVisible()
  await pass(2_000)
  expect(screen.queryByText('A new build was asked for.')).not.toBeInTheDocument()
})

it('keeps a success that is pointed at', async () => {
  await ask(() => Promise.resolve())
  fireEvent.mouseEnter(screen.getByText('A new build was asked for.').closest('.pf-v6-c-alert') ?? document.body)
  await pass(30_000)
  expect(screen.getByText('A new build was asked for.')).toBeVisible()
})

it('keeps a failure until it is dismissed', async () => {
  await ask(() => Promise.reject(new Error('a webhook says no')))
  await pass(60_000)
  expect(screen.getByText('a webhook says no')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: /^Close/ }))
  await pass(0)
  expect(screen.queryByText('a webhook says no')).not.toBeInTheDocument()
})
