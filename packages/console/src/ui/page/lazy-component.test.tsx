import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lazyComponent, ChunkLoadAlert } from './lazy-component'

const lost = (): Promise<{ Part: () => ReactNode }> =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

it('a lazy component is rendered once it has loaded', async () => {
  const Part = lazyComponent(
    () => Promise.resolve({ Greeting: ({ name }: { name: string }) => <p>Hello {name}</p> }),
    'Greeting',
  )
  render(<Part name="Ann" />)
  expect(await screen.findByText('Hello Ann')).toBeVisible()
})

it('ERR-15, ERR-16 a component that the user asked for says that it cannot be loaded, and offers to reload', async () => {
  const Part = lazyComponent(lost, 'Part', { Missing: ChunkLoadAlert })
  render(
    <>
      <p>The page</p>
      <Part />
    </>,
  )
  expect(await screen.findByText('An unknown error occurred.')).toBeVisible()
  expect(screen.getByText('The page')).toBeVisible()
  const reload = vi.fn()
  vi.stubGlobal('location', { reload })
  onTestFinished(() => void vi.unstubAllGlobals())
  await userEvent.click(screen.getByRole('button', { name: 'Reload Page' }))
  expect(reload).toHaveBeenCalledOnce()
})

it('a component that the user did not ask for is left out silently if it cannot be loaded', async () => {
  const load = vi.fn(lost)
  const Part = lazyComponent(load, 'Part')
  const { container } = render(
    <>
      <p>The page</p>
      <Part />
    </>,
  )
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
  await vi.waitFor(() => expect(container).toHaveTextContent(/^The page$/))
})

it('a component that was fetched ahead is rendered at once', async () => {
  const load = vi.fn(() => Promise.resolve({ Greeting: () => <p>Hello</p> }))
  const Part = lazyComponent(load, 'Greeting')
  Part.fetchAhead()
  await load.mock.results[0]?.value
  render(<Part />)
  expect(screen.getByText('Hello')).toBeVisible()
})

it('a component that could not be fetched ahead is fetched again when it is rendered', async () => {
  const load = vi.fn(() => Promise.resolve({ Greeting: () => <p>Hello</p> })).mockImplementationOnce(lost as never)
  const Part = lazyComponent(load, 'Greeting')
  Part.fetchAhead()
  await expect(load.mock.results[0]?.value).rejects.toThrow('Failed to fetch')
  render(<Part />)
  expect(await screen.findByText('Hello')).toBeVisible()
})
