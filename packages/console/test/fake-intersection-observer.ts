import { onTestFinished, vi } from 'vitest'

/** jsdom lays nothing out: the test says when the end of the list comes into sight. */
export function fakeIntersectionObserver() {
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
