import { onTestFinished, vi } from 'vitest'

/** jsdom has no layout, so the test decides when the end of the list becomes visible. */
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
  const entry = { isIntersecting: true } as IntersectionObserverEntry // The only member that is read.
  const noObserver = {} as IntersectionObserver // It is never read.
  return { reach: () => observers.forEach((callback) => callback([entry], noObserver)) }
}
