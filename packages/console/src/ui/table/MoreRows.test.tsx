import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MoreRows } from './MoreRows'

/** jsdom lays nothing out: the test says when the end of the list comes into sight. */
function sight() {
  const observers = new Set<IntersectionObserverCallback>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      private readonly callback: IntersectionObserverCallback
      constructor(callback: IntersectionObserverCallback) {
        this.callback = callback
      }
      observe = () => void observers.add(this.callback)
      disconnect = () => void observers.delete(this.callback)
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const entry = { isIntersecting: true } as IntersectionObserverEntry // What is read of it.
  const noObserver = {} as IntersectionObserver // Nothing is read of it.
  return { reach: () => observers.forEach((callback) => callback([entry], noObserver)) }
}

it('LIST-21 loads more when the end of what there is comes near, once at a time', () => {
  const { reach } = sight()
  const load = vi.fn()
  const { rerender } = render(<MoreRows isLoading={false} load={load} />)
  expect(load).not.toHaveBeenCalled()
  reach()
  expect(load).toHaveBeenCalledOnce()
  rerender(<MoreRows isLoading load={load} />)
  expect(screen.getByRole('progressbar', { name: 'Loading more' })).toBeVisible()
  reach()
  expect(load).toHaveBeenCalledOnce()
  rerender(<MoreRows isLoading={false} load={load} />)
  reach()
  expect(load).toHaveBeenCalledTimes(2)
})

it('loads more by its button', async () => {
  sight()
  const load = vi.fn()
  render(<MoreRows isLoading={false} load={load} />)
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(load).toHaveBeenCalledOnce()
})
