import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lazyComponent, ChunkLoadAlert } from './lazy-component'

const lost = (): Promise<{ Part: () => ReactNode }> =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

it('is drawn once it has arrived', async () => {
  const Part = lazyComponent(
    () => Promise.resolve({ Greeting: ({ name }: { name: string }) => <p>Hello {name}</p> }),
    'Greeting',
  )
  render(<Part name="Ann" />)
  expect(await screen.findByText('Hello Ann')).toBeVisible()
})

it('ERR-15, ERR-16 one that somebody has asked for and that does not arrive says so, and offers to reload', async () => {
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

it('one that nobody has asked for is missed without a word', async () => {
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
