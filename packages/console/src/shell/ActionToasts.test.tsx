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

it('keeps a success until its result is known, and removes it a while later', async () => {
  show()
  let settle = () => {}
  await act(async () => {
    const result = (onSettled: () => void) => {
      settle = onSettled
      return <p>Wait for it</p>
    }
    runAction(component, 'build', () => Promise.resolve(), { messages, result })
    await vi.advanceTimersByTimeAsync(0)
  })
  await pass(120_000)
  expect(screen.getByText('Wait for it')).toBeVisible()
  act(settle)
  await pass(9_000)
  expect(screen.getByText('Wait for it')).toBeVisible()
  await pass(2_000)
  expect(screen.queryByText('Wait for it')).not.toBeInTheDocument()
})

it('keeps a failure until it is dismissed', async () => {
  await request(() => Promise.reject(new Error('a webhook says no')))
  await pass(60_000)
  expect(screen.getByText('a webhook says no')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: /^Close/ }))
  await pass(0)
  expect(screen.queryByText('a webhook says no')).not.toBeInTheDocument()
})
